/** The check page: a document, what was found in it, and which finding is looked at. */
import type { App } from "../lib/app.svelte";
import { around } from "../lib/select";
import type { CheckPage, Working } from "../lib/types";

export interface Paper {
  name: string;
  text: string;
}

/** Larger files are not read; the server would refuse them too. */
export const LARGEST_FILE = 4 * 2 ** 20;

/** Verdicts that a reader has to look at, the gravest first. */
export const TO_LOOK_AT = ["wrong", "follows", "truncated", "unsure", "unread"] as const;

/** The verdicts that were given, with how often, the gravest first. */
export function ranked(counts: Readonly<Record<string, number>>): [string, number][] {
  const order: readonly string[] = TO_LOOK_AT;
  const rank = (verdict: string) => (order.includes(verdict) ? order.indexOf(verdict) : order.length);
  const given = Object.entries(counts).filter(([, count]) => count > 0);
  return given.toSorted(([one], [other]) => rank(one) - rank(other));
}

export class CheckState {
  name = $state("notes.md");
  text = $state("");
  lenient = $state(false);
  found = $state.raw<CheckPage | null>(null);
  /** The document that was checked; another text may stand in the box by now. */
  checked = $state.raw<Paper | null>(null);
  busy = $state(false);
  failure = $state.raw<string | null>(null);
  at = $state(-1);
  /** The marks to look at, in the order of the text; the page sets it once they are there. */
  marks: () => HTMLElement[] = () => [];
  /** The same of all numbers that were judged or not understood. */
  numbers: () => HTMLElement[] = () => [];
  /** How the number is worked that the reader has asked for. */
  working = $state.raw<Working | null>(null);
  private running: AbortController | null = null;

  constructor(private readonly app: App) {}

  async check(paper: Paper): Promise<void> {
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.busy = true;
    this.failure = null;
    try {
      const { name, text } = paper;
      this.found = await this.app.api.check(name, text, this.app.lang, this.lenient, running.signal);
      this.checked = paper;
      this.working = null;
      this.at = -1;
      this.app.aloud(this.app.say("web.check.done"));
    } catch (error) {
      const told = this.app.told(error);
      if (told !== null) this.failure = told;
    } finally {
      if (this.running === running) this.busy = false;
    }
  }

  /** Checks the same document again: in another language, or more leniently. */
  again(): void {
    if (this.checked !== null) void this.check(this.checked);
  }

  async open(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > LARGEST_FILE) {
      this.failure = this.app.say("web.check.too-large", { name: file.name });
      return;
    }
    this.name = file.name;
    try {
      this.text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      this.failure = this.app.say("web.check.not-text", { name: file.name });
      return;
    }
    await this.check({ name: this.name, text: this.text });
  }

  /** Goes to the next finding, or to the one before; the first is the first that is wrong. */
  move(by: number): void {
    const marks = this.marks();
    if (marks.length === 0) return;
    const wrong = marks.findIndex((mark) => mark.classList.contains("wrong"));
    this.at = this.at === -1 ? Math.max(0, wrong) : around(this.at, by, marks.length);
    show(marks[this.at]);
  }

  /** Goes to the next number of the text, whatever its verdict, or to the one before. */
  step(by: number): void {
    const numbers = this.numbers();
    if (numbers.length === 0) return;
    const here = numbers.findIndex((mark) => mark === document.activeElement);
    show(numbers[here === -1 ? 0 : around(here, by, numbers.length)]);
  }

  /** Shows how the number is worked that has the focus; false where none has it. */
  workHere(): boolean {
    const mark = this.numbers().find((one) => one === document.activeElement);
    if (mark !== undefined) void this.work(mark);
    return mark !== undefined;
  }

  async work(mark: HTMLElement): Promise<void> {
    const paper = this.checked;
    const place = mark.id.replace(/^d\d+-/, "");
    if (paper === null || place === "") return;
    this.running?.abort();
    const running = (this.running = new AbortController());
    try {
      this.working = await this.app.api.working(paper.name, paper.text, this.app.lang, this.lenient, place, running.signal);
      this.app.aloud(textOf(this.working.html));
    } catch (error) {
      const told = this.app.told(error);
      if (told !== null) this.failure = told;
    }
  }

  close(): void {
    this.found = null;
    this.working = null;
    this.checked = null;
    this.failure = null;
  }
}

function show(mark: HTMLElement | undefined): void {
  if (mark === undefined) return;
  if (mark.tabIndex < 0) mark.tabIndex = -1;
  mark.focus({ preventScroll: true });
  mark.scrollIntoView({ block: "center", inline: "nearest" });
}

/** What markup says in its first paragraph, to be read out. */
function textOf(html: string): string {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.querySelector("p")?.textContent ?? "";
}
