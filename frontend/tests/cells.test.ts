import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Cells, MOST_KEPT } from "../src/lib/cells";
import type { CellView } from "../src/lib/types";

const view = (address: string) => ({ address }) as CellView;

interface Asked {
  address: string;
  signal: AbortSignal;
  answer: (cell: CellView) => void;
}

let asked: Asked[];
let cells: Cells;
const seen: string[] = [];
const then = (cell: CellView) => void seen.push(cell.address);
const fail = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  seen.length = 0;
  fail.mockClear();
  cells = new Cells((address, signal) => new Promise((answer) => asked.push({ address, signal, answer })), 60);
});
afterEach(() => vi.useRealTimers());

async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(60);
}

describe("views of cells", () => {
  it("are asked for only when the reader rests", async () => {
    for (const address of ["a", "b", "c"]) {
      cells.want(address, then, fail);
      await vi.advanceTimersByTimeAsync(20);
    }
    await rest();
    expect(asked.map((one) => one.address)).toEqual(["c"]);
  });

  it("are given up for the next", async () => {
    cells.want("a", then, fail);
    await rest();
    cells.want("b", then, fail);
    await rest();
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.answer(view("a"));
    asked[1]?.answer(view("b"));
    await rest();
    expect(seen).toEqual(["b"]);
  });

  it("are kept", async () => {
    cells.want("a", then, fail);
    await rest();
    asked[0]?.answer(view("a"));
    await rest();
    cells.want("a", then, fail);
    expect(seen).toEqual(["a", "a"]);
    expect(asked).toHaveLength(1);
    cells.clear();
    expect(cells.get("a")).toBeUndefined();
  });

  it("go to whoever wanted them last", async () => {
    const other = vi.fn();
    cells.want("a", then, fail);
    cells.want("a", other, fail);
    await rest();
    asked[0]?.answer(view("a"));
    await rest();
    expect(seen).toEqual([]);
    expect(other).toHaveBeenCalledOnce();
  });

  it("that fail are told of, unless given up", async () => {
    const broken = new Cells(() => Promise.reject(new Error("broken")), 0);
    broken.want("a", then, fail);
    await rest();
    expect(fail).toHaveBeenCalledOnce();
  });

  it("are not kept without end", async () => {
    for (let place = 0; place <= MOST_KEPT; place++) {
      cells.want(`a[${place}]`, then, fail);
      await rest();
      asked.at(-1)?.answer(view(`a[${place}]`));
      await rest();
    }
    expect(cells.get("a[0]")).toBeUndefined();
    expect(cells.get("a[1]")).toBeDefined();
  });
});
