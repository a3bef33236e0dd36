/** The printed weights of the cells in sight, asked for in squares and kept. */
import { isSuperseded } from "../lib/api";
import type { Span } from "./types";
import type { Extent } from "./view";

export type AskDigits = (queries: Span, keys: Span, signal: AbortSignal) => Promise<string[][]>;

/** The side of a square, in cells, and how many squares one request may hold: 1,600 cells at most. */
const SQUARE = 8;
const MOST_SQUARES = 25;
const MOST_KEPT = 2000;

export class Digits {
  private readonly kept = new Map<string, string[][]>();
  private asked: { giveUp: AbortController } | null = null;
  /** What each part of the page shows of them. */
  private readonly wanted = new Map<string, { queries: Span; keys: Span }>();

  constructor(
    private readonly extent: Extent,
    private readonly ask: AskDigits,
    private readonly came: () => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** As printed; empty where masked, undefined where it has not come. */
  get(query: number, key: number): string | undefined {
    return this.kept.get(nameOf(Math.floor(query / SQUARE), Math.floor(key / SQUARE)))?.[query % SQUARE]?.[key % SQUARE];
  }

  want(of: string, queries: Span, keys: Span): void {
    this.wanted.set(of, { queries, keys });
    this.next();
  }

  stop(): void {
    this.wanted.clear();
    this.asked?.giveUp.abort();
  }

  private next(): void {
    if (this.asked !== null) return;
    for (const { queries, keys } of this.wanted.values()) {
      const square = this.missing(queries, keys);
      if (square === null) continue;
      this.asked = { giveUp: new AbortController() };
      void this.fetch(square, this.asked.giveUp.signal);
      return;
    }
  }

  /** The squares that are missing, as one rectangle no larger than may be asked for. */
  private missing([top, bottom]: Span, [left, right]: Span): [number, number, number, number] | null {
    const rows = [...range(top, bottom)];
    const columns = [...range(left, right)];
    const isMissing = (row: number, column: number) => !this.kept.has(nameOf(row, column));
    const row = rows.find((one) => columns.some((column) => isMissing(one, column)));
    if (row === undefined) return null;
    const column = columns.find((one) => isMissing(row, one)) ?? 0;
    let wide = 1;
    while (wide < MOST_SQUARES && columns.includes(column + wide) && isMissing(row, column + wide)) wide++;
    let high = 1;
    const isWhole = (at: number) => rows.includes(at) && columns.filter((one) => one >= column && one < column + wide).every((one) => isMissing(at, one));
    while ((high + 1) * wide <= MOST_SQUARES && isWhole(row + high)) high++;
    return [row, column, high, wide];
  }

  private async fetch([row, column, high, wide]: [number, number, number, number], signal: AbortSignal): Promise<void> {
    const queries: Span = [row * SQUARE, Math.min((row + high) * SQUARE, this.extent.queries)];
    const keys: Span = [column * SQUARE, Math.min((column + wide) * SQUARE, this.extent.keys)];
    try {
      const found = await this.ask(queries, keys, signal);
      for (let down = 0; down < high; down++) {
        for (let along = 0; along < wide; along++) this.keep(row + down, column + along, part(found, down, along));
      }
      this.asked = null;
      this.came();
      this.next();
    } catch (error) {
      this.asked = null;
      if (isSuperseded(error)) return;
      this.wanted.clear();
      this.fail(error);
    }
  }

  private keep(row: number, column: number, square: string[][]): void {
    if (this.kept.size >= MOST_KEPT) {
      const oldest = this.kept.keys().next().value;
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    this.kept.set(nameOf(row, column), square);
  }
}

function part(found: readonly string[][], down: number, along: number): string[][] {
  const rows = found.slice(down * SQUARE, (down + 1) * SQUARE);
  return rows.map((row) => row.slice(along * SQUARE, (along + 1) * SQUARE));
}

function* range(from: number, to: number): Generator<number> {
  for (let at = Math.floor(from / SQUARE); at * SQUARE < to; at++) yield at;
}

function nameOf(...square: number[]): string {
  return `${square[0]}:${square[1]}`;
}
