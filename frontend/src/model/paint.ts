/** From codes to pixels. */
import { SIDE } from "./view";

/**
 * Codes of blocks: that of block (row, column) is `codes[⌊(row − top) / step⌋ · width + ⌊(column − left) / step⌋]`; a step
 * above 1 is that of a coarser tile that stands in until the finer one is there.
 */
export interface Codes {
  codes: Uint8Array;
  width: number;
  top: number;
  left: number;
  step: number;
}

/** Pixels as a little-endian ImageData has them. */
export interface Palette {
  colours: Uint32Array;
  /** Beside the matrix. */
  outside: number;
  /** Not there yet. */
  pending: number;
}

/** "#rrggbb" as a pixel. */
export function pixelOf(colour: string, alpha = 255): number {
  const value = Number.parseInt(colour.slice(1), 16);
  return (((alpha << 24) | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0);
}

/** The pixels of a table's codes; those of code 0 are clear, so that a hatch behind them is seen. */
export function pixelsOf(colours: readonly string[]): Uint32Array {
  const pixels = Uint32Array.from(colours, (colour) => pixelOf(colour));
  pixels[0] = 0;
  return pixels;
}

/** Whether dark figures can be read on a colour, or light ones must stand there. */
export function isLight(colour: string): boolean {
  const value = Number.parseInt(colour.slice(1), 16);
  const linear = (byte: number) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = 0.2126 * linear(value >> 16) + 0.7152 * linear((value >> 8) & 0xff) + 0.0722 * linear(value & 0xff);
  return luminance > 0.179; // where black and white contrast alike
}

export type TileOf = (row: number, column: number) => Codes | null;

/** Paints device pixels: `rows` and `columns` say which block each belongs to, `side` how many blocks a tile has each way. */
export function paint(out: Uint32Array, rows: Int32Array, columns: Int32Array, side: number, tile: TileOf, palette: Palette): void {
  const width = columns.length;
  for (let y = 0; y < rows.length; y++) {
    const row = rows[y] ?? -1;
    const start = y * width;
    if (row < 0) out.fill(palette.outside, start, start + width);
    else if (y > 0 && rows[y - 1] === row) out.copyWithin(start, start - width, start);
    else paintRow(out, start, row, columns, side, tile, palette);
  }
}

function paintRow(out: Uint32Array, start: number, row: number, columns: Int32Array, side: number, tile: TileOf, palette: Palette): void {
  const width = columns.length;
  let x = 0;
  while (x < width) {
    const column = columns[x] ?? -1;
    if (column < 0) {
      out[start + x++] = palette.outside;
      continue;
    }
    const place = Math.floor(column / side);
    const end = (place + 1) * side;
    const found = tile(Math.floor(row / side), place);
    const above = found === null ? 0 : Math.floor((row - found.top) / found.step) * found.width;
    for (; x < width; x++) {
      const block = columns[x] ?? -1;
      if (block < 0 || block >= end) break;
      if (found === null) out[start + x] = palette.pending;
      else out[start + x] = palette.colours[found.codes[above + Math.floor((block - found.left) / found.step)] ?? 0] ?? 0;
    }
  }
}

/** A tile's codes, `factor` of them each way taken together: the largest code is that of the largest weight. */
export function together(codes: Uint8Array, width: number, factor: number): { codes: Uint8Array; width: number } {
  if (factor === 1) return { codes, width };
  const height = codes.length / width;
  const across = Math.ceil(width / factor);
  const out = new Uint8Array(Math.ceil(height / factor) * across);
  for (let row = 0; row < height; row++) {
    const to = Math.floor(row / factor) * across;
    for (let column = 0; column < width; column++) {
      const at = to + Math.floor(column / factor);
      const code = codes[row * width + column] ?? 0;
      if (code > (out[at] ?? 0)) out[at] = code;
    }
  }
  return { codes: out, width: across };
}

/** How many blocks a tile has along one side, of `blocks` in all. */
export const tileLength = (blocks: number, place: number): number => Math.max(0, Math.min(SIDE, blocks - SIDE * place));

/** Bytes of a text in base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
