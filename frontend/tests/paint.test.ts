import { describe, expect, it } from "vitest";
import { type Codes, bytesOf, isLight, paint, pixelOf, pixelsOf, together } from "../src/model/paint";
import { blocksAlong } from "../src/model/view";

const COLOURS = Array.from({ length: 256 }, (_, code) => `#${code.toString(16).padStart(2, "0")}80ff`);
const PALETTE = { colours: pixelsOf(COLOURS), outside: 0xff00ff00, pending: 0x28000000 };

describe("a pixel", () => {
  it("has red, green, blue and how much hides what is behind, in this order", () => {
    const bytes = new Uint8Array(Uint32Array.of(pixelOf("#0180ff")).buffer);
    expect([...bytes]).toEqual([0x01, 0x80, 0xff, 0xff]);
  });

  it("of a masked cell is clear, so that the hatch is seen", () => {
    expect(PALETTE.colours[0]).toBe(0);
    expect(PALETTE.colours[255]).toBe(pixelOf("#ff80ff"));
  });

  it("has dark figures on light and light ones on dark", () => {
    expect([isLight("#ffffff"), isLight("#fde725"), isLight("#440154"), isLight("#000000")]).toEqual([true, true, false, false]);
  });
});

describe("painting", () => {
  const tile = (top: number, left: number, width: number, height: number): Codes => ({
    codes: Uint8Array.from({ length: width * height }, (_, place) => 1 + ((place + top + left) % 250)), width, top, left, step: 1,
  });
  const tiles: Record<string, Codes> = { "0,0": tile(0, 0, 4, 4), "0,1": tile(0, 4, 2, 4), "1,0": tile(4, 0, 4, 1) };
  const find = (row: number, column: number) => tiles[`${row},${column}`] ?? null;

  it("gives every pixel the colour of its block, across tiles", () => {
    const rows = blocksAlong(0, 0.3, 20, 5, { level: 0, factor: 1 });
    const columns = blocksAlong(0.5, 0.25, 24, 6, { level: 0, factor: 1 });
    const out = new Uint32Array(rows.length * columns.length);
    paint(out, rows, columns, 4, find, PALETTE);
    rows.forEach((row, y) => {
      columns.forEach((column, x) => {
        const found = row < 0 || column < 0 ? null : find(Math.floor(row / 4), Math.floor(column / 4));
        const code = found === null ? 0 : found.codes[(row - found.top) * found.width + (column - found.left)];
        const expected = row < 0 || column < 0 ? PALETTE.outside : found === null ? PALETTE.pending : PALETTE.colours[code ?? 0];
        expect(out[y * columns.length + x]).toBe(expected);
      });
    });
  });

  it("lets a coarser tile stand in", () => {
    const coarse: Codes = { codes: Uint8Array.of(10, 20, 30, 40), width: 2, top: 0, left: 0, step: 16 };
    const out = new Uint32Array(4);
    paint(out, Int32Array.of(15, 16), Int32Array.of(15, 16), 256, () => coarse, PALETTE);
    expect([...out]).toEqual([10, 20, 30, 40].map((code) => PALETTE.colours[code]));
  });
});

describe("cells taken together", () => {
  it("have the largest code of theirs, at the edges too", () => {
    const codes = Uint8Array.of(0, 7, 3, 9, 1, 2, 0, 0, 5);
    expect(together(codes, 3, 2)).toEqual({ codes: Uint8Array.of(9, 3, 0, 5), width: 2 });
    expect(together(codes, 3, 1).codes).toBe(codes);
  });
});

it("base64 is read byte by byte", () => {
  expect([...bytesOf(btoa(String.fromCharCode(0, 127, 255)))]).toEqual([0, 127, 255]);
});
