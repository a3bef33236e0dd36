/** What was shown before each change, and what was undone. */
import type { ExamplePage, Source } from "./types";

export interface Loaded {
  source: Source;
  page: ExamplePage;
}

export class History {
  done = $state.raw<Loaded[]>([]);
  undone = $state.raw<Loaded[]>([]);

  /** A change was made; whatever was undone is gone. */
  add(before: Loaded): void {
    this.done = [...this.done, before];
    this.undone = [];
  }

  undo(now: Loaded): Loaded | null {
    const to = this.done.at(-1) ?? null;
    if (to === null) return null;
    this.done = this.done.slice(0, -1);
    this.undone = [...this.undone, now];
    return to;
  }

  redo(now: Loaded): Loaded | null {
    const to = this.undone.at(-1) ?? null;
    if (to === null) return null;
    this.undone = this.undone.slice(0, -1);
    this.done = [...this.done, now];
    return to;
  }

  clear(): void {
    this.done = [];
    this.undone = [];
  }
}
