/** Which cell is looked at, what is known of it, and what is still covered. */
import { Cells, type Ask } from "./cells";
import type { CellView } from "./types";

export interface Around {
  ask: Ask;
  fail: (error: unknown) => void;
  aloud: (text: string) => void;
}

export class Look {
  pinned = $state<string | null>(null);
  hovered = $state<string | null>(null);
  cell = $state.raw<CellView | null>(null);
  /** The term of its sum that is pointed at, from 1. */
  term = $state<number | null>(null);
  hinted = $state(false);
  cover = $state(false);
  revealed = $state.raw<ReadonlySet<string>>(new Set());
  shown = $derived(this.hovered ?? this.pinned);

  private readonly cells: Cells;

  constructor(private readonly around: Around) {
    this.cells = new Cells(around.ask);
  }

  /** The numbers are others now. */
  renew(): void {
    this.cells.clear();
    this.hovered = null;
  }

  /** Nothing of what was seen is true of what comes. */
  forget(): void {
    this.renew();
    this.cell = null;
    this.pinned = null;
    this.revealed = new Set();
  }

  hover(address: string | null): void {
    if (this.hovered === address) return;
    this.hovered = address;
    this.term = null;
    this.fetch(false);
  }

  pin(address: string | null): void {
    this.hovered = null;
    if (this.pinned === address) return;
    this.pinned = address;
    this.hinted = false;
    this.term = null;
  }

  setCover(on: boolean): void {
    this.cover = on;
    this.revealed = new Set();
    this.hinted = false;
  }

  reveal(address: string): void {
    this.revealed = new Set([...this.revealed, address]);
    if (this.cell !== null) this.around.aloud(this.cell.spoken);
  }

  drop(): void {
    this.cells.drop();
  }

  /** Asks for the view of the cell that is looked at. */
  fetch(isAloud: boolean): void {
    const address = this.shown;
    if (address === null) return this.drop();
    this.cells.want(
      address,
      (cell) => {
        this.cell = cell;
        if (isAloud) this.around.aloud(cell.spoken);
      },
      this.around.fail,
    );
  }
}
