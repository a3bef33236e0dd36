/** A head held against another one or against a dump: where the two are furthest apart. */
import { isSuperseded } from "../lib/api";
import type { Model } from "./model.svelte";
import type { WorstPage } from "./types";

const COUNT = 20;

export class Compare {
  found = $state.raw<WorstPage | null>(null);
  /** Which of the worst is looked at; -1: none yet. */
  at = $state(-1);
  isBusy = $state(false);
  private asking: AbortController | null = null;

  constructor(private readonly model: Model) {}

  forget(): void {
    this.asking?.abort();
    this.found = null;
    this.at = -1;
  }

  async ask(): Promise<void> {
    const { model } = this;
    const { head, held, app } = model;
    if (head === null || held === null || !app.api.offers.has("worst")) return;
    this.forget();
    const asking = (this.asking = new AbortController());
    this.isBusy = true;
    try {
      const found = await app.api.worst(model.id, head, held, COUNT, app.lang, asking.signal);
      if (!asking.signal.aborted) this.found = found;
    } catch (error) {
      if (!isSuperseded(error)) model.fail(error);
    } finally {
      if (this.asking === asking) this.isBusy = false;
    }
  }

  /** Goes to the next of the worst, or to the one before. */
  move(by: 1 | -1): boolean {
    const count = this.found?.worst.length ?? 0;
    if (count === 0) return false;
    this.go(this.at === -1 && by === -1 ? count - 1 : (this.at + by + count) % count);
    return true;
  }

  go(at: number): void {
    const worst = this.found?.worst[at];
    if (worst === undefined) return;
    this.at = at;
    this.model.put({ query: worst.query, key: worst.key });
    this.model.map?.dive({ query: worst.query, key: worst.key });
  }
}
