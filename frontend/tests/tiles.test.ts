import { describe, expect, it, vi } from "vitest";
import { type Bring, largestIn } from "../src/model/largest";
import { Tiles } from "../src/model/tiles";
import { SIDE } from "../src/model/view";

const EXTENT = { queries: 600, keys: 600 };
const later = (): Promise<void> => new Promise((done) => setTimeout(done));

/** A code of every cell, without ties at the top. */
const codeOf = (query: number, key: number): number => (key > query ? 0 : query === 431 && key === 77 ? 255 : 1 + ((query * 31 + key * 17) % 200));

const made = new Map<string, Uint8Array>();

/** Tiles as the server makes them: the largest code of each block. */
function tile(level: number, row: number, column: number): Uint8Array {
  const name = `${level}:${row}:${column}`;
  const out = made.get(name) ?? worked(level, row, column);
  made.set(name, out);
  return out.slice();
}

function worked(level: number, row: number, column: number): Uint8Array {
  const side = 16 ** level;
  const blocks = Math.ceil(600 / side);
  const [high, wide] = [Math.min(SIDE, blocks - SIDE * row), Math.min(SIDE, blocks - SIDE * column)];
  const out = new Uint8Array(high * wide);
  for (let query = row * SIDE * side; query < Math.min(600, (row + 1) * SIDE * side); query++) {
    for (let key = column * SIDE * side; key < Math.min(600, (column + 1) * SIDE * side); key++) {
      const at = (Math.floor(query / side) - row * SIDE) * wide + Math.floor(key / side) - column * SIDE;
      out[at] = Math.max(out[at] ?? 0, codeOf(query, key));
    }
  }
  return out;
}

describe("tiles", () => {
  it("come in the order in which they are wanted, few at once, and give up those that left", async () => {
    const asked: string[] = [];
    const given: AbortSignal[] = [];
    const tiles = new Tiles(EXTENT, (level, row, column, signal) => {
      asked.push(`${level}:${row}:${column}`);
      given.push(signal);
      return new Promise((_done, fail) => signal.addEventListener("abort", () => fail(new DOMException("", "AbortError"))));
    }, () => undefined, (error) => { throw error; }, true);
    const all = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => ({ level: 0, row, column })));
    tiles.want(all);
    expect(asked).toEqual(["0:0:0", "0:0:1", "0:0:2", "0:1:0"]);
    tiles.want([{ level: 1, row: 0, column: 0 }]);
    await later();
    expect(given.slice(0, 4).every((signal) => signal.aborted)).toBe(true);
    expect(asked.at(-1)).toBe("1:0:0");
    expect(asked.length).toBe(5);
  });

  it("stand in for finer ones, until these are there", async () => {
    const came = vi.fn();
    const tiles = new Tiles(EXTENT, (level, row, column) => Promise.resolve(tile(level, row, column)), came, (error) => { throw error; }, true);
    tiles.want([{ level: 1, row: 0, column: 0 }]);
    await later();
    const coarse = tiles.get({ level: 0, factor: 1 }, 1, 1);
    expect(coarse).toMatchObject({ step: 16, top: 0, left: 0, width: 38 });
    tiles.want([{ level: 0, row: 1, column: 1 }]);
    await later();
    const fine = tiles.get({ level: 0, factor: 1 }, 1, 1);
    expect(fine).toMatchObject({ step: 1, top: 256, left: 256, width: 256 });
    expect(fine?.codes[(431 - 256) * 256 + 300 - 256]).toBe(codeOf(431, 300));
    const halved = tiles.get({ level: 0, factor: 2 }, 1, 1);
    expect(halved).toMatchObject({ step: 1, top: 128, left: 128, width: 128 });
    expect(came).toHaveBeenCalledTimes(2);
  });

  it("of levels with colours of their own stand in for none", async () => {
    const tiles = new Tiles(EXTENT, (level, row, column) => Promise.resolve(tile(level, row, column)), () => undefined, (error) => { throw error; }, false);
    tiles.want([{ level: 1, row: 0, column: 0 }]);
    await later();
    expect(tiles.get({ level: 0, factor: 1 }, 1, 1)).toBeNull();
    expect(tiles.get({ level: 1, factor: 1 }, 0, 0)).not.toBeNull();
  });
});

describe("the largest cell of a block", () => {
  const bring: Bring = (level, row, column) => Promise.resolve({
    codes: tile(level, row, column), width: Math.min(SIDE, Math.ceil(600 / 16 ** level) - SIDE * column),
  });

  it("is found from level to level", async () => {
    for (const grain of [{ level: 2, factor: 1 }, { level: 1, factor: 8 }]) {
      expect(await largestIn(grain, { query: 400, key: 20 }, EXTENT, bring, null)).toEqual({ query: 431, key: 77 });
    }
  });

  it("is told from others of its colour by what is printed", async () => {
    const flat: Bring = (level, row, column) => bring(level, row, column).then(({ codes, width }) => ({ codes: codes.fill(9), width }));
    const found = await largestIn({ level: 0, factor: 4 }, { query: 5, key: 6 }, EXTENT, flat, (cells) =>
      Promise.resolve(cells.map(({ query, key }) => (query === 7 && key === 5 ? "0.2" : "0.1"))));
    expect(found).toEqual({ query: 7, key: 5 });
  });

  it("is the cell itself where all is masked", async () => {
    expect(await largestIn({ level: 1, factor: 1 }, { query: 3, key: 500 }, EXTENT, bring, null)).toEqual({ query: 3, key: 500 });
  });
});
