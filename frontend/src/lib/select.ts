/** What is marked when a cell is looked at, and how the keys move within a matrix. */
import type { CellView } from "./types";

export type Mark = "cell" | "uses" | "used-by";

/** The array of an address: `H0.score[2,0]` stands in `H0.score`. */
export function arrayOf(address: string): string {
  const at = address.lastIndexOf("[");
  return at === -1 ? address : address.slice(0, at);
}

/** The marks of each cell; a cell that is both used and looked at is the one looked at. */
export function marksOf(cell: CellView | null): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  if (cell === null) return marks;
  for (const address of cell.used_by) marks.set(address, "used-by");
  for (const address of cell.uses) marks.set(address, "uses");
  marks.set(cell.address, "cell");
  return marks;
}

/** The numbers of the terms in which each cell is a factor, from 1. */
export function termsOf(cell: CellView | null): Map<string, number[]> {
  const terms = new Map<string, number[]>();
  cell?.pairs.forEach((pair, place) => {
    for (const address of new Set(pair)) {
      const numbers = terms.get(address);
      if (numbers === undefined) terms.set(address, [place + 1]);
      else numbers.push(place + 1);
    }
  });
  return terms;
}

/** The place that a key leads to from (row, column) in a matrix with rows of these lengths; null: not a key of a matrix. */
export function moved(
  key: string,
  control: boolean,
  [row, column]: readonly [number, number],
  lengths: readonly number[],
): [number, number] | null {
  const last = (of: number) => Math.max(0, (lengths[of] ?? 1) - 1);
  const within = (of: number, at: number): [number, number] => {
    const inside = Math.min(Math.max(of, 0), lengths.length - 1);
    return [inside, Math.min(Math.max(at, 0), last(inside))];
  };
  switch (key) {
    case "ArrowUp":
      return within(row - 1, column);
    case "ArrowDown":
      return within(row + 1, column);
    case "ArrowLeft":
      return within(row, column - 1);
    case "ArrowRight":
      return within(row, column + 1);
    case "Home":
      return control ? within(0, 0) : within(row, 0);
    case "End":
      return control ? within(lengths.length - 1, Infinity) : within(row, Infinity);
    default:
      return null;
  }
}

/** The next place in a list that is gone round, `by` places on; -1 in an empty one. */
export function around(at: number, by: number, length: number): number {
  return length === 0 ? -1 : (((at + by) % length) + length) % length;
}
