import { describe, expect, it } from "vitest";
import {
  BASE, type Extent, type Grain, type Size, type View, blocksAlong, cellAt, cellsOf, centred, clamped, edgeOf, fitZ, fitted, grainOf,
  labelStep, levelOf, middleOf, panned, revealing, scaleOf, seen, zoomed,
} from "../src/model/view";

const SIZE: Size = { width: 700, height: 500 };
const SMALL: Extent = { queries: 6, keys: 6 };
const LONG: Extent = { queries: 65_536, keys: 65_536 };

/** Numbers that look random and are the same each time. */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a view", () => {
  it("fits everything, with cells no larger than they need be", () => {
    for (const extent of [SMALL, LONG, { queries: 3, keys: 4096 }]) {
      const view = fitted(extent, SIZE);
      const scale = scaleOf(view);
      expect(extent.keys * scale).toBeLessThanOrEqual(SIZE.width + 1e-6);
      expect(extent.queries * scale).toBeLessThanOrEqual(SIZE.height + 1e-6);
      expect([view.x, view.y]).toEqual([0, 0]);
    }
    expect(scaleOf(fitted(SMALL, SIZE))).toBeCloseTo(56);
  });

  it("keeps what lies under a point while it zooms", () => {
    const random = drawn(7);
    for (let turn = 0; turn < 200; turn++) {
      const view = clamped({ x: random() * 60_000, y: random() * 60_000, z: random() * 8 - 4 }, LONG, SIZE);
      const at = { x: random() * SIZE.width, y: random() * SIZE.height };
      const by = random() * 2 - 1;
      const after = zoomed(view, by, at, LONG, SIZE);
      const isHeld = after.x > 0 && after.y > 0 && after.x < 65_536 - SIZE.width / scaleOf(after) && after.y < 65_536 - SIZE.height / scaleOf(after);
      if (!isHeld) continue;
      expect(after.x + at.x / scaleOf(after)).toBeCloseTo(view.x + at.x / scaleOf(view), 6);
      expect(after.y + at.y / scaleOf(after)).toBeCloseTo(view.y + at.y / scaleOf(view), 6);
    }
  });

  it("shows nothing beyond the matrix, and no cell larger than the largest", () => {
    const view = panned(clamped({ x: 0, y: 0, z: 20 }, LONG, SIZE), 1e9, -50, LONG, SIZE);
    expect(scaleOf(view)).toBeCloseTo(112);
    expect(view.y).toBe(0);
    expect(view.x).toBeCloseTo(65_536 - SIZE.width / 112);
    expect(clamped({ x: -5, y: 3, z: -40 }, LONG, SIZE).z).toBe(fitZ(LONG, SIZE));
  });

  it("is found again from its middle on another screen", () => {
    const view = centred({ x: 0, y: 0, z: 3 }, 39_999, 39_993, LONG, SIZE);
    const middle = middleOf(view, SIZE);
    expect([middle.y, middle.x]).toEqual([39_999.5, 39_993.5]);
    expect(cellAt(view, { x: SIZE.width / 2, y: SIZE.height / 2 }, LONG)).toEqual({ query: 39_999, key: 39_993 });
  });

  it("moves only as far as a cell needs to be seen", () => {
    const view = clamped({ x: 100, y: 100, z: 5 }, LONG, SIZE);
    expect(revealing(view, 105, 110, LONG, SIZE)).toBe(view);
    expect(revealing(view, 99, 110, LONG, SIZE)).toEqual({ ...view, y: 99 });
    const right = revealing(view, 105, 200, LONG, SIZE);
    expect(right.x).toBeCloseTo(201 - SIZE.width / 32);
  });

  it("knows which cells are in sight, and which lies where", () => {
    const view: View = { x: 1.5, y: 2.25, z: 6 };
    expect(seen(view, SMALL, { width: 128, height: 64 })).toEqual({ queries: [2, 4], keys: [1, 4] });
    expect(cellAt(view, { x: 0, y: 0 }, SMALL)).toEqual({ query: 2, key: 1 });
    expect(cellAt(view, { x: 64 * 4.6, y: 0 }, SMALL)).toBeNull();
  });
});

describe("what is drawn as one", () => {
  const at = (z: number, density = 1, together = true): Grain => grainOf(clamped({ x: 0, y: 0, z }, LONG, SIZE), LONG, SIZE, density, together);

  it("is a cell as soon as cells are a pixel wide", () => {
    for (const z of [0, 0.3, 6]) expect(at(z)).toEqual({ level: 0, factor: 1 });
    expect(at(-1, 2)).toEqual({ level: 0, factor: 1 });
  });

  it("is never smaller than a device pixel, nor beyond what the last level needs", () => {
    for (let z = -9; z < 3; z += 0.1) {
      for (const together of [true, false]) {
        const view = clamped({ x: 0, y: 0, z }, LONG, SIZE);
        const grain = grainOf(view, LONG, SIZE, 1, together);
        const side = cellsOf(grain);
        expect(scaleOf(view) * side).toBeGreaterThanOrEqual(1 - 1e-6);
        expect(scaleOf(view) * side).toBeLessThan(16 + 1e-6);
        if (!together) expect(grain.factor).toBe(1);
        expect(BASE ** grain.level).toBeLessThan(65_536 * 16);
      }
    }
  });

  it("goes by twos where few tiles are seen", () => {
    expect(at(-1)).toEqual({ level: 0, factor: 2 });
    expect(at(-3.5)).toEqual({ level: 1, factor: 1 });
    expect(at(-5)).toEqual({ level: 1, factor: 2 });
    expect(at(-5, 1, false)).toEqual({ level: 2, factor: 1 });
  });
});

describe("pixels", () => {
  it("belong to one block each, without gaps, and begin where edges are", () => {
    const random = drawn(3);
    for (let turn = 0; turn < 300; turn++) {
      const cellsPerPixel = 2 ** (random() * 12 - 7);
      const from = random() * 5000;
      const level = Math.max(0, Math.ceil(Math.log2(cellsPerPixel) / 4));
      const grain = { level, factor: 1 };
      const blocks = blocksAlong(from, cellsPerPixel, 400, 8000, grain);
      for (let pixel = 1; pixel < blocks.length; pixel++) {
        const [before, now] = [blocks[pixel - 1] ?? -1, blocks[pixel] ?? -1];
        if (now === -1) continue;
        expect(now === before || now === before + 1).toBe(true);
        if (now === before + 1) expect(edgeOf(now * cellsOf(grain), from, cellsPerPixel)).toBe(pixel);
      }
    }
  });

  it("beside the matrix belong to none", () => {
    expect([...blocksAlong(-1, 0.5, 8, 2, { level: 0, factor: 1 })]).toEqual([-1, -1, 0, 0, 1, 1, -1, -1]);
  });
});

it("figures have no more squares than they may", () => {
  expect([levelOf(20, 0), levelOf(127, 0), levelOf(128, 0), levelOf(3000, 1), levelOf(65_536, 0)]).toEqual([0, 0, 1, 2, 3]);
});

it("labels stand far enough apart", () => {
  for (let z = -9; z < 7; z += 0.37) {
    const step = labelStep({ x: 0, y: 0, z }, 15);
    expect(step * 2 ** z).toBeGreaterThanOrEqual(15 - 1e-6);
    expect(/^[125]0*$/.test(String(step))).toBe(true);
  }
});
