import { describe, expect, it } from "vitest";
import { half, halves } from "../src/model/half";
import { mapServerOf, type MapFile } from "../src/model/file";
import { type HeadFile, Scores, nextPeak } from "../src/model/scores";

const base64 = (bytes: ArrayBufferLike): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/** The nearest half of a number that is one. */
function patternOf(value: number): number {
  for (let bits = 0; bits < 65_536; bits++) if (half(bits) === value) return bits;
  throw new Error(`${value} is no half`);
}

describe("a number of 16 bits", () => {
  it("is read as it is, of all 65,536", () => {
    const view = new DataView(new ArrayBuffer(4));
    for (let bits = 0; bits < 65_536; bits++) {
      const [sign, exponent, fraction] = [bits >>> 15, (bits >>> 10) & 31, bits & 1023];
      // the same number with 32 bits; those below the normal ones of 16 are normal there
      const shift = exponent === 0 && fraction > 0 ? Math.clz32(fraction) - 21 : 0;
      const wide = exponent === 31 ? 255 : exponent === 0 ? (fraction === 0 ? 0 : 113 - shift) : exponent + 112;
      const rest = exponent === 0 ? (fraction << shift) & 1023 : fraction;
      view.setUint32(0, ((sign << 31) | (wide << 23) | (rest << 13)) >>> 0);
      expect(Object.is(half(bits), view.getFloat32(0)), `${bits}`).toBe(true);
    }
  });

  it("comes low byte first, times a power of two", () => {
    expect([...halves(Uint8Array.of(0x00, 0x3c, 0x00, 0xc1), 3)]).toEqual([8, -20]);
  });
});

const KEYS = 4;
const vectors = (values: number[]) => base64(Uint16Array.from(values, patternOf).buffer);
const HEAD: HeadFile = {
  queries: 3, keys: KEYS, d_k: 2, scale: 0.5, softcap: null, window: { left: null, right: 0, offset: 1 }, bias: null,
  q: { exponent: 1, values: vectors([1, 0, 0.5, 0.5, -1, 2]) },
  k: { exponent: 0, values: vectors([1, 1, 0, 2, -1, 0.25, 2, 0]) },
  lse: base64(Float32Array.of(2, 3, Number.NEGATIVE_INFINITY).buffer), low: -5, high: 0,
};

describe("weights", () => {
  it("are worked as the head works them", () => {
    const scores = new Scores(HEAD);
    // query 0 is 2·(1, 0): its own key is 1, so that it may look at keys 0 and 1
    expect([0, 1, 2].map((key) => scores.log(0, key))).toEqual([2 * 1 * 0.5 - 2, -2, Number.NEGATIVE_INFINITY]);
    expect(scores.log(1, 1)).toBeCloseTo((1 * 0 + 1 * 2) * 0.5 - 3);
    expect(scores.log(2, 0)).toBe(Number.NEGATIVE_INFINITY);
    expect([...scores.codes([0, 2], [0, 3])]).toEqual([1 + Math.round((254 * 4) / 5), 1 + Math.round((254 * 3) / 5), 0, 1 + Math.round((254 * 3) / 5), 1 + Math.round((254 * 3) / 5), 1 + Math.round(254 * ((5 - 3.375) / 5))]);
  });

  it("are capped, biased and windowed", () => {
    const capped = new Scores({ ...HEAD, softcap: 0.5 });
    expect(capped.log(0, 0)).toBeCloseTo(0.5 * Math.tanh(1 / 0.5) - 2);
    const byKey = new Scores({ ...HEAD, bias: { kind: "by-key", values: base64(Float32Array.of(Number.NEGATIVE_INFINITY, 1, 0, 0).buffer) } });
    expect([byKey.log(0, 0), byKey.log(0, 1)]).toEqual([Number.NEGATIVE_INFINITY, -1]);
    const far = new Scores({ ...HEAD, bias: { kind: "by-distance", values: base64(Float32Array.of(0, 10, 20, 30, 40, 50).buffer) } });
    expect([far.log(0, 0), far.log(1, 0) - far.log(0, 0)]).toEqual([1 + 20 - 2, (2 * 0.5 + 10 - 3) - (1 + 20 - 2)]);
    const near = new Scores({ ...HEAD, window: { left: 0, right: 0, offset: 1 } });
    expect([near.allows(0, 0), near.allows(0, 1), near.allows(1, 1), near.allows(1, 2)]).toEqual([false, true, false, true]);
  });

  it("have peaks where they are larger than both neighbours", () => {
    const line = [3, 1, 2, 2, 1, 5, 0];
    expect([nextPeak(line, 1, 1), nextPeak(line, 2, 1), nextPeak(line, 5, 1), nextPeak(line, 1, -1), nextPeak(line, 5, -1)]).toEqual([2, 5, null, 0, 3]);
  });
});

describe("a file", () => {
  const text = (...rows: string[]) => rows.join("\n");
  const file = {
    ...HEAD, recording: "file", head: "L0.H0", levels: [{ level: 1, shape: [1, 1], max: btoa("\x07"), sum: btoa("\x09") }],
    page: { words: [["a", "b", "c"], ["p", "q", "<r>", "s"]], layers: [{ query_words: 0, key_words: 1 }] },
    thumb: { shape: [1, 1], codes: "" }, tables: {}, digits: null, names: ["p", "q", "<r>", "s"],
    rows: {
      top: 2, keys: base64(Int32Array.of(0, 1, 2, 1, -1, -1).buffer), weights: text("0.6 0.4", "0.5 0.3", ""), rest: text("0", "0.2", "0"),
      sum: text("1", "1", "0"), sink: text("", "", ""), entropy: text("0.7", "1.0", ""), lse: text("2", "3", ""), others: base64(Int32Array.of(0, 1, 0).buffer),
    },
  } as unknown as MapFile;
  const words = { "map.row.rest": "the {n} others", "map.row.spoken": "{query}: {keys}; {n} more {rest}", "map.row.spoken.key": "{key} {weight}", "map.row.nothing": "{query}: nothing" };
  const server = mapServerOf(file, words, "en");

  it("has the tiles of all levels", async () => {
    expect([...(await server.tile("file", { head: "", level: 1, row: 0, column: 0, pooled: "sum", against: null }))]).toEqual([9]);
    expect([...(await server.tile("file", { head: "", level: 0, row: 0, column: 0, pooled: "max", against: null }))]).toEqual([...new Scores(HEAD).codes([0, 3], [0, 4])]);
  });

  it("has the numbers that were written, says where one is masked, and makes up none", async () => {
    expect(await server.digits("file", { head: "", queries: [0, 2], keys: [0, 4], against: null })).toEqual([["0.6", "0.4", "", ""], ["\u00a0", "0.3", "0.5", ""]]);
    const row = await server.row("file", "L0.H0", 1, 8, "en");
    expect(row).toMatchObject({ query: 1, word: "b", rest: "0.2", sum: "1", spoken: "“b”: “<r>” 0.5, “q” 0.3; 1 more 0.2" });
    expect(row.top).toEqual([{ key: 2, word: "<r>", weight: "0.5", address: "L0.H0.weight[1,2]" }, { key: 1, word: "q", weight: "0.3", address: "L0.H0.weight[1,1]" }]);
    expect(row.html).toContain("<td>&#60;r&#62;</td>");
    expect(row.html).toContain("the 1 others");
    expect((await server.row("file", "L0.H0", 2, 8, "en")).spoken).toBe("“c”: nothing");
  });

  it("offers nothing that it does not hold", async () => {
    expect([...server.offers].sort()).toEqual(["digits", "peak", "row", "thumbs"]);
    await expect(server.weight("file", "L0.H0.weight[0,0]", "en")).rejects.toThrow();
    await expect(server.table("file", "L0.H0", 3, "max", null, "en")).rejects.toThrow();
  });
});
