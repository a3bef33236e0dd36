/** Which cell is looked at, what is known of it, and what is still covered. */
import { Cells, type Ask } from "./cells";
import { arrayOf, operandsOf } from "./select";
import type { CellView, Step } from "./types";
import { stepOf } from "./steps";

export interface Around {
  ask: Ask;
  steps: () => readonly Step[];
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
  /** The arrays that each step was seen to be made from. */
  operands = $state.raw<Readonly<Record<string, readonly string[]>>>({});
  shown = $derived(this.hovered ?? this.pinned);

  private readonly cells: Cells;
  private studied: Step | null = null;

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
    this.operands = {};
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
        this.learn(cell);
        if (isAloud) this.around.aloud(cell.spoken);
      },
      this.around.fail,
    );
  }

  /** Learns what a step is made from, by one of its cells. */
  async study(step: Step, address: string): Promise<void> {
    if (step.given || step.address in this.operands || this.studied === step) return;
    this.studied = step;
    try {
      this.learn(await this.cells.study(address));
    } catch (error) {
      this.around.fail(error);
    }
  }

  private learn(cell: CellView): void {
    const steps = this.around.steps();
    const owner = steps[stepOf(steps, cell.address)];
    if (owner === undefined || owner.given) return;
    const known = this.operands[owner.address] ?? [];
    const own = arrayOf(cell.address);
    const more = operandsOf(cell).filter((array) => !known.includes(array) && array !== own);
    if (more.length > 0) this.operands = { ...this.operands, [owner.address]: [...known, ...more] };
  }
}
