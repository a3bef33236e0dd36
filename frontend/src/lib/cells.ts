/** Views of cells: asked for when the reader rests on one, kept, and given up when another is wanted. */
import { isSuperseded } from "./api";
import type { CellView } from "./types";

export type Ask<View = CellView> = (address: string, signal: AbortSignal) => Promise<View>;

/** Who wants a view. */
interface Wish<View> {
  address: string;
  then: (cell: View) => void;
  fail: (error: unknown) => void;
  giveUp: AbortController;
}

/** No more views than this are kept. */
export const MOST_KEPT = 500;

export class Cells<View = CellView> {
  private readonly kept = new Map<string, View>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wish: Wish<View> | null = null;

  constructor(
    private readonly ask: Ask<View>,
    private readonly wait = 60,
  ) {}

  /** The view, if it was asked for before. */
  get(address: string): View | undefined {
    return this.kept.get(address);
  }

  /** Calls `then` with the view of a cell, unless another is wanted before it comes; who wants the same again takes over. */
  want(address: string, then: Wish<View>["then"], fail: Wish<View>["fail"]): void {
    if (this.wish?.address === address) {
      Object.assign(this.wish, { then, fail });
      return;
    }
    this.drop();
    const known = this.kept.get(address);
    if (known !== undefined) {
      then(known);
      return;
    }
    const wish: Wish<View> = { address, then, fail, giveUp: new AbortController() };
    this.wish = wish;
    this.timer = setTimeout(() => void this.fetch(wish), this.wait);
  }

  /** Gives up whatever is wanted. */
  drop(): void {
    clearTimeout(this.timer);
    this.wish?.giveUp.abort();
    this.wish = null;
  }

  /** Forgets all: the numbers are others now. */
  clear(): void {
    this.drop();
    this.kept.clear();
  }

  private async fetch(wish: Wish<View>): Promise<void> {
    try {
      const cell = await this.ask(wish.address, wish.giveUp.signal);
      if (this.wish !== wish) return;
      this.wish = null;
      this.keep(wish.address, cell);
      wish.then(cell);
    } catch (error) {
      if (this.wish !== wish || isSuperseded(error)) return;
      this.wish = null;
      wish.fail(error);
    }
  }

  private keep(address: string, cell: View): void {
    if (this.kept.size >= MOST_KEPT) {
      const oldest = this.kept.keys().next().value;
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    this.kept.set(address, cell);
  }
}
