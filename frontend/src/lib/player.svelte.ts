/** Goes through the numbers by itself, one after the other. */
import type { Example } from "./state.svelte";

const EACH_MS = 2400;

export class Player {
  on = $state(false);
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly example: Example) {}

  /** Plays, from the first computed step where the last was reached; or pauses. */
  toggle(): void {
    const { example } = this;
    if (this.on || example.quiz.on) return this.pause();
    const first = example.steps.findIndex((step) => !step.given);
    if (example.at >= example.steps.length - 1) example.go(Math.max(0, first));
    this.on = true;
    this.timer = setInterval(() => this.advance(), EACH_MS);
  }

  pause(): void {
    clearInterval(this.timer);
    this.on = false;
  }

  private advance(): void {
    const { example } = this;
    const { pinned } = example.look;
    const next = example.cells[example.cells.indexOf(pinned ?? "") + 1];
    if (pinned !== null && example.isCovered(pinned)) example.reveal();
    else if (next !== undefined && example.step?.given === false) example.choose(next, false);
    else if (example.at < example.steps.length - 1) example.go(example.at + 1, false);
    else this.pause();
  }
}
