/** The worked example: what is shown, what is looked at, and how it came about. */
import { tick } from "svelte";
import type { App } from "./app.svelte";
import { AddressBar } from "./address";
import { type Layout, NOWHERE, type Place, fromHash } from "./hash";
import { History, type Loaded } from "./history.svelte";
import { Look } from "./look.svelte";
import { partsOf } from "./markup";
import { Player } from "./player.svelte";
import { Prover } from "./prover.svelte";
import { Quiz } from "./quiz.svelte";
import { arrayOf } from "./select";
import { arranged, stepOf } from "./steps";
import type { Changed, Edit, ExampleName, ExamplePage, Opened, Source, Target, View } from "./types";

/** What became of a request: a later one may have taken its place. */
type Loading = "done" | "failed" | "superseded";

export class Example {
  readonly look: Look;
  readonly quiz: Quiz;
  readonly proof: Prover;
  readonly history = new History();
  readonly player = new Player(this);
  names = $state.raw<ExampleName[]>([]);
  opened = $state.raw<Opened | null>(null);
  source = $state.raw<Source | null>(null);
  precision = $state("auto");
  carry = $state<number | null>(null);
  page = $state.raw<ExamplePage | null>(null);
  layout = $state<Layout>("step");
  at = $state(0);
  editing = $state(false);
  busy = $state(false);
  failure = $state.raw<string | null>(null);
  changed = $state.raw<Changed[]>([]);
  /** Brings the focus to a cell; the page sets it, who has the matrices. */
  focus: (address: string) => boolean = () => false;

  parts = $derived(arranged(this.page));
  steps = $derived(this.parts.steps);
  step = $derived(this.steps[this.at] ?? null);
  /** The cells of the step, in reading order. */
  cells = $derived(this.step === null ? [] : partsOf(this.step).cells);
  changedCells = $derived(new Set(this.changed.map((one) => one.address)));

  isStarted = false;
  private readonly address = new AddressBar();
  private loading: AbortController | null = null;

  constructor(readonly app: App) {
    this.quiz = new Quiz(this);
    this.proof = new Prover(app);
    this.look = new Look({
      ask: (address, signal) => app.api.cell(this.source ?? { name: "" }, this.view, address, signal),
      fail: (error) => (this.failure = app.told(error)),
      aloud: (text) => app.aloud(text),
    });
  }

  get view(): View {
    return { lang: this.app.lang, precision: this.precision, carry: this.carry };
  }

  /** Shows what an address says, or what the server was opened with. */
  private async start(place: Place): Promise<void> {
    try {
      this.names = await this.app.api.examples(this.app.lang);
      this.opened ??= await this.app.api.opened();
    } catch (error) {
      this.failure = this.app.told(error);
      return;
    }
    await this.apply(place, this.sourceOf(place));
    if (this.page !== null) this.sync(false);
  }

  private sourceOf({ data, example }: Place): Source {
    if (data !== null) return { data };
    if (example !== null) return { name: example };
    const { opened } = this;
    if (opened?.data) return { data: opened.data };
    if (opened?.kind === "example" && opened.name !== "") return { name: opened.name };
    const first = this.names.find((one) => one.name === "kitten") ?? this.names[0];
    return { name: first?.name ?? "kitten" };
  }

  /** Goes where the browser's back and forward lead. */
  async visit(hash: string): Promise<void> {
    this.isStarted = true;
    const place = await fromHash(hash);
    if (place.lang !== null && place.lang !== this.app.lang && !this.app.alone) await this.app.speak(place.lang);
    await this.start(place);
  }

  private async apply(place: Place, source: Source): Promise<void> {
    const isSame = JSON.stringify(source) === JSON.stringify(this.source);
    const isSameView = place.precision === this.precision && place.carry === this.carry;
    this.precision = place.precision;
    this.carry = place.carry;
    this.layout = place.layout;
    if (this.look.cover !== place.cover) this.look.setCover(place.cover);
    if (place.seed === null) this.quiz.stop(false);
    if (!isSame || !isSameView || this.page === null) {
      this.changed = [];
      await this.load(source, place);
    } else this.settle(place);
    if (place.seed !== null && this.quiz.seed !== place.seed) await this.quiz.begin(place.seed, place.blanks, false);
  }

  /** Brings an example; the step and the cell stay where they can. */
  async load(source: Source, place: Partial<Place> = {}): Promise<Loading> {
    this.loading?.abort();
    const loading = (this.loading = new AbortController());
    this.busy = true;
    try {
      const page = await this.app.api.example(source, this.view, loading.signal);
      this.put({ source, page }, place);
      return "done";
    } catch (error) {
      const told = this.app.told(error);
      if (told === null) return "superseded";
      this.failure = told;
      return "failed";
    } finally {
      if (this.loading === loading) this.busy = false;
    }
  }

  /** Opens another example from the beginning. */
  async open(name: string): Promise<void> {
    this.quiz.stop(false);
    this.player.pause();
    this.history.clear();
    this.changed = [];
    this.look.forget();
    if ((await this.load({ name }, { step: "", cell: "" })) === "done") this.sync(true);
  }

  private put(loaded: Loaded, place: Partial<Place>): void {
    const step = place.step ?? this.step?.address ?? null;
    this.failure = null;
    this.source = loaded.source;
    this.page = loaded.page;
    this.look.renew();
    this.settle({ step, cell: place.cell ?? this.look.pinned });
    void this.proof.ask(this.source, this.view);
  }

  /** Finds the step and the cell that a place names, or the first computed ones. */
  private settle(place: Partial<Place>): void {
    const { step, cell } = { ...NOWHERE, ...place };
    const byCell = cell === null ? -1 : stepOf(this.steps, cell);
    const byStep = step === null ? -1 : this.steps.findIndex((one) => one.address === step);
    const first = this.steps.findIndex((one) => !one.given);
    this.at = [byStep, byCell, first].find((at) => at !== -1) ?? 0;
    this.look.pin(byCell !== -1 ? cell : (this.cells[0] ?? null));
    this.fetch(false);
  }

  private fetch(isAloud: boolean): void {
    if (this.quiz.on) this.look.drop();
    else this.look.fetch(isAloud);
  }

  /** Shows the numbers another way. */
  async setView(view: Partial<View>): Promise<void> {
    const before = { precision: this.precision, carry: this.carry };
    if (view.precision !== undefined) this.precision = view.precision;
    if (view.carry !== undefined) this.carry = view.carry;
    if (view.lang !== undefined) await this.app.speak(view.lang);
    if (this.source !== null && (await this.load(this.source)) === "failed") {
      this.precision = before.precision;
      this.carry = before.carry;
    }
    if (view.lang !== undefined) this.names = await this.app.api.examples(view.lang).catch(() => this.names);
    this.sync(true);
  }

  /** Changes what is given; what is wrong with it, or null. */
  async edit(...edits: Edit[]): Promise<string | null> {
    const before = this.current();
    if (before === null) return null;
    this.busy = true;
    try {
      const page = await this.app.api.edit(before.source, this.view, edits);
      this.history.add(before);
      this.changed = page.changed;
      this.put({ source: { data: page.data }, page }, {});
      this.sync(true);
      this.app.aloud(this.app.say("web.changed", { n: page.changed.length }));
      return null;
    } catch (error) {
      return this.app.told(error);
    } finally {
      this.busy = false;
    }
  }

  private current(): Loaded | null {
    return this.source === null || this.page === null ? null : { source: this.source, page: this.page };
  }

  /** Goes back before the last change, or does what was undone again. */
  async turn(way: "undo" | "redo"): Promise<void> {
    const now = this.current();
    const to = now === null ? null : this.history[way](now);
    if (to === null) return;
    this.changed = [];
    if ((await this.load(to.source)) === "done") this.sync(true);
  }

  /** Looks at a cell until another is chosen. */
  choose(address: string, isAloud = true): void {
    this.look.pin(address);
    const of = stepOf(this.steps, address);
    if (of !== -1 && (this.layout === "all" || !this.isStaged(address))) this.at = of;
    if (this.quiz.on) this.quiz.enter(address);
    this.fetch(isAloud);
    this.sync(false);
  }

  private isStaged(address: string): boolean {
    return this.step?.made_from.includes(arrayOf(address)) === true || this.cells.includes(address);
  }

  /** Follows a link to a cell: shows it, and brings the focus there. */
  async follow(address: string): Promise<void> {
    this.choose(address);
    this.sync(true);
    await tick();
    this.focus(address);
  }

  go(at: number, isAloud = true): void {
    if (at < 0 || at >= this.steps.length) return;
    this.at = at;
    this.look.pin(this.cells[0] ?? null);
    this.fetch(isAloud);
    this.sync(true);
  }

  /** Whether a number is not to be seen yet: it is a result of this step that was not revealed. */
  isCovered(address: string): boolean {
    if (!this.look.cover || this.step === null || this.step.given || this.quiz.on) return false;
    return !this.look.revealed.has(address) && this.cells.includes(address);
  }

  reveal(): void {
    const { pinned } = this.look;
    if (pinned !== null && this.isCovered(pinned)) this.look.reveal(pinned);
  }

  setCover(on: boolean): void {
    this.look.setCover(on);
    this.sync(true);
  }

  setLayout(layout: Layout): void {
    this.layout = layout;
    this.sync(true);
  }

  async export(target: Target): Promise<void> {
    if (this.source === null) return;
    try {
      const file = await this.app.api.export(this.source, this.view, target);
      this.app.save(file);
      this.app.tell(this.app.say("web.exported", { name: file.name }));
    } catch (error) {
      this.failure = this.app.told(error);
    }
  }

  private place(): Place {
    const source = this.app.alone ? null : this.source; // a file shows but one example, in one language
    return {
      lang: this.app.alone ? null : this.app.lang,
      example: source !== null && "name" in source ? source.name : null,
      data: source !== null && "data" in source ? source.data : null,
      precision: this.precision,
      carry: this.carry,
      layout: this.layout,
      step: this.step?.address ?? null,
      cell: this.look.pinned,
      cover: this.look.cover,
      seed: this.quiz.seed,
      blanks: this.quiz.wanted,
    };
  }

  /** Writes the state into the address; `push`: as a place that "back" returns to. */
  sync(push: boolean): void {
    if (this.app.route === "example" && this.app.isAddressed) this.address.write(this.place(), push);
  }
}
