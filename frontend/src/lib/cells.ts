/** Views of cells: asked for when the reader rests on one, kept, and given up when another is wanted. */
import { isSuperseded } from "./api";
import type { CellView } from "./types";

export type Ask = (address: string, signal: AbortSignal) => Promise<CellView>;

/** No more views than this are kept. */
export const MOST_KEPT = 500;

export class Cells {
  private readonly kept = new Map<string, CellView>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | null = null;
  private wanted: string | null = null;

  constructor(
    private readonly ask: Ask,
    private readonly wait = 60,
  ) {}

  /** The view, if it was asked for before. */
  get(address: string): CellView | undefined {
    return this.kept.get(address);
  }

  /** Calls `then` with the view of a cell, unless another is wanted before it comes. */
  want(address: string, then: (cell: CellView) => void, fail: (error: unknown) => void, wait = this.wait): void {
    if (this.wanted === address) return;
    this.drop();
    const known = this.kept.get(address);
    if (known !== undefined) {
      then(known);
      return;
    }
    this.wanted = address;
    this.timer = setTimeout(() => void this.fetch(address, then, fail), wait);
  }

  /** Gives up whatever is wanted. */
  drop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = null;
    this.wanted = null;
  }

  /** Forgets all: the numbers are others now. */
  clear(): void {
    this.drop();
    this.kept.clear();
  }

  private async fetch(address: string, then: (cell: CellView) => void, fail: (error: unknown) => void): Promise<void> {
    const running = new AbortController();
    this.running = running;
    try {
      const cell = await this.ask(address, running.signal);
      if (this.running !== running) return;
      this.keep(address, cell);
      this.drop();
      then(cell);
    } catch (error) {
      if (this.running !== running || isSuperseded(error)) return;
      this.drop();
      fail(error);
    }
  }

  private keep(address: string, cell: CellView): void {
    if (this.kept.size >= MOST_KEPT) {
      const oldest = this.kept.keys().next().value;
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    this.kept.set(address, cell);
  }
}
