/** The quiz: some numbers are blank, and each answer is judged by the server, which says why. */
import { tick } from "svelte";
import { around } from "./select";
import type { Example } from "./state.svelte";
import type { Answer, Blank } from "./types";
import { stepOf } from "./steps";

export interface Given {
  answer: string;
  judged: Answer | null;
  isRevealed: boolean;
}

export class Quiz {
  seed = $state<number | null>(null);
  /** How many blanks were asked for; null: as many as the server finds fit. */
  wanted = $state<number | null>(null);
  blanks = $state.raw<Blank[]>([]);
  given = $state.raw<ReadonlyMap<string, Given>>(new Map());
  at = $state(0);
  hint = $state.raw<string | null>(null);
  busy = $state(false);

  on = $derived(this.seed !== null);
  blank = $derived(this.blanks[this.at] ?? null);
  right = $derived([...this.given.values()].filter((one) => one.judged?.right === true && !one.isRevealed).length);
  tried = $derived([...this.given.values()].filter((one) => one.judged !== null || one.isRevealed).length);

  constructor(private readonly example: Example) {}

  async begin(seed: number, wanted: number | null = null, isNew = true): Promise<void> {
    const { app, source, view } = this.example;
    if (source === null) return;
    this.example.player.pause();
    this.busy = true;
    try {
      const sheet = await app.api.worksheet(source, view, { seed, blanks: wanted, steps: [] });
      this.blanks = sheet.blanks;
      this.given = new Map();
      this.wanted = wanted;
      this.seed = sheet.seed;
      this.enterAt(isNew ? 0 : this.nearest());
      if (isNew) this.example.sync(true);
      app.aloud(app.say("web.quiz.begun", { n: this.blanks.length }));
      if (isNew) await this.focus();
    } catch (error) {
      this.example.failure = app.told(error);
    } finally {
      this.busy = false;
    }
  }

  stop(isNew = true): void {
    if (!this.on) return;
    this.seed = null;
    this.blanks = [];
    this.given = new Map();
    this.hint = null;
    if (!isNew) return;
    const { pinned } = this.example.look;
    if (pinned !== null) this.example.choose(pinned, false);
    this.example.sync(true);
  }

  /** The blank that an address leads to: the number that is looked at, or the first of its step. */
  private nearest(): number {
    const { cells, look } = this.example;
    const here = this.blanks.findIndex((blank) => blank.address === look.pinned);
    const inStep = this.blanks.findIndex((blank) => cells.includes(blank.address));
    return [here, inStep].find((at) => at !== -1) ?? 0;
  }

  numberOf(address: string): number | null {
    return this.blanks.find((blank) => blank.address === address)?.number ?? null;
  }

  /** Blanks of an array that are not right yet. */
  left(addresses: readonly string[]): number {
    return addresses.filter((one) => this.numberOf(one) !== null && this.given.get(one)?.judged?.right !== true).length;
  }

  /** Makes the blank with this address the one that is worked on, where there is one. */
  enter(address: string): void {
    const at = this.blanks.findIndex((blank) => blank.address === address);
    if (at === -1 || at === this.at) return;
    this.at = at;
    this.hint = null;
  }

  private enterAt(at: number): void {
    this.at = at;
    this.hint = null;
    const blank = this.blanks[at];
    if (blank === undefined) return;
    this.example.at = Math.max(0, stepOf(this.example.steps, blank.address));
    this.example.look.pinned = blank.address;
  }

  async move(by: number): Promise<void> {
    const at = around(this.at, by, this.blanks.length);
    if (at === -1) return;
    this.enterAt(at);
    this.example.sync(false);
    await this.focus();
  }

  /** Brings the focus to the blank, so that its number can be typed. */
  private async focus(): Promise<void> {
    await tick();
    if (this.blank !== null) this.example.focus(this.blank.address);
  }

  /** Whether this very answer to a blank is right, or was given away. */
  isRight(address: string, answer: string): boolean {
    const given = this.given.get(address);
    return given?.judged?.right === true && given.answer === answer;
  }

  async answer(address: string, answer: string): Promise<void> {
    const { app, source, view } = this.example;
    const known = this.given.get(address);
    if (source === null || answer === "" || (known?.answer === answer && known.judged !== null)) return;
    this.put(address, { answer, judged: null, isRevealed: false });
    try {
      const sheet = { seed: this.seed ?? 0, blanks: this.wanted, steps: [] };
      const judged = await app.api.answer(source, view, sheet, address, answer);
      if (this.given.get(address)?.answer !== answer) return;
      this.put(address, { answer, judged, isRevealed: false });
      app.aloud(app.say(judged.right ? "web.quiz.right" : "web.quiz.wrong"));
    } catch (error) {
      this.example.failure = app.told(error);
    }
  }

  /** What the step does and its general formula, without the numbers. */
  async showHint(): Promise<void> {
    const { app, source, view } = this.example;
    const blank = this.blank;
    if (source === null || blank === null) return;
    try {
      const { hint } = await app.api.cell(source, view, blank.address);
      if (this.blank === blank) this.hint = hint;
    } catch (error) {
      this.example.failure = app.told(error);
    }
  }

  /** Gives the answer away: it counts no more. */
  async reveal(): Promise<void> {
    const { app, source, view } = this.example;
    const blank = this.blank;
    if (source === null || blank === null) return;
    try {
      const cell = await app.api.cell(source, view, blank.address);
      this.put(blank.address, {
        answer: cell.value,
        judged: { right: true, verdict: "", html: cell.html },
        isRevealed: true,
      });
      app.aloud(cell.spoken);
    } catch (error) {
      this.example.failure = app.told(error);
    }
  }

  private put(address: string, given: Given): void {
    this.given = new Map([...this.given, [address, given]]);
  }
}
