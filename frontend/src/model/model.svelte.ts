/** The model page: which head is looked at, which of its cells, and what is known of both. */
import { isSuperseded } from "../lib/api";
import type { App } from "../lib/app.svelte";
import { Cells } from "../lib/cells";
import type { Opened } from "../lib/types";
import { Compare } from "./compare.svelte";
import { Digits } from "./digits";
import { DUMP, type ModelPlace, NOWHERE, fromModelHash, toModelHash } from "./hash";
import { Heads, headsOf, sorted } from "./heads.svelte";
import type { TileMap } from "./map";
import { visible } from "./over";
import { pressed } from "./press";
import { Running } from "./running.svelte";
import { Tiles, quiet } from "./tiles";
import type { Against, CellAt, LayerPage, Pooled, RecordingId, RecordingPage, RowPage, StagePage, Table, Towards, WeightView } from "./types";
import { type Extent, type Grain, cellsOf, levelOf } from "./view";

const THUMB = 64;
/** How many of a row's weights are shown, the largest first. */
export const TOP = 8;
const SETTLED_MS = 300;

export class Model {
  readonly heads: Heads;
  readonly running: Running;
  readonly compare: Compare;
  opened = $state.raw<Opened | null>(null);
  recording = $state.raw<RecordingId | null>(null);
  page = $state.raw<RecordingPage | null>(null);
  head = $state.raw<string | null>(null);
  cell = $state.raw<CellAt | null>(null);
  pointed = $state.raw<CellAt | null>(null);
  /** The number whose working is shown. */
  address = $state.raw<string | null>(null);
  panel = $state.raw<WeightView | null>(null);
  row = $state.raw<RowPage | null>(null);
  stages = $state.raw<StagePage[] | null>(null);
  table = $state.raw<Table | null>(null);
  grain = $state.raw<Grain>({ level: 0, factor: 1 });
  pooled = $state.raw<Pooled>("max");
  against = $state.raw<string | null>(null);
  sort = $state.raw<string | null>(null);
  isStaged = $state(false);
  isTabled = $state(false);
  /** Which of the two small forms is open. */
  asking = $state<"find" | "goto" | null>(null);
  failure = $state.raw<string | null>(null);
  isBusy = $state(false);
  /** Goes up whenever more digits are there. */
  digitsTurn = $state(0);

  layer = $derived(this.page?.layers.find((layer) => layer.heads.includes(this.head ?? "")) ?? null);
  order = $derived(this.page === null ? [] : sorted(this.page, this.sort));
  map: TileMap | null = null;
  isStarted = false;
  /** Brings the focus to the chosen cell; the grid beside the map sets it. */
  focus: () => void = () => undefined;

  private tiles: Tiles | null = null;
  private digits: Digits | null = null;
  private readonly cells: Cells<WeightView>;
  private readonly rows: Cells<RowPage>;
  private readonly tables = new Map<string, Table>();
  private place: ModelPlace = NOWHERE;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;

  constructor(readonly app: App) {
    const { api } = app;
    const fail = (error: unknown) => this.fail(error);
    this.heads = new Heads((heads, signal) => quiet(() => this.tiles).then(() => api.thumbs(this.id, heads, THUMB, signal)), fail);
    this.running = new Running(this);
    this.compare = new Compare(this);
    this.cells = new Cells<WeightView>((address, signal) => api.weight(this.id, address, app.lang, signal));
    this.rows = new Cells<RowPage>((key, signal) => {
      const [head = "", query = ""] = key.split("#");
      return api.row(this.id, head, Number(query), TOP, app.lang, signal);
    });
  }

  get id(): RecordingId {
    return this.recording ?? "";
  }

  fail(error: unknown): void {
    const told = this.app.told(error);
    if (told !== null) this.failure = told;
  }

  // --- where the reader is ---

  /** Goes where an address leads. */
  async visit(hash: string): Promise<void> {
    this.isStarted = true;
    const place = fromModelHash(hash);
    const turn = ++this.turn;
    try {
      if (place.lang !== null && place.lang !== this.app.lang && !this.app.alone) await this.app.speak(place.lang);
      this.opened ??= await this.app.api.opened();
      const wanted = place.recording ?? this.opened.recording ?? null;
      if (wanted !== null && (wanted !== this.recording || this.page === null)) await this.load(wanted);
      if (turn === this.turn) await this.apply(place);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows a recording that was made just now. */
  async open(recording: RecordingId): Promise<void> {
    try {
      await this.load(recording);
      this.record(toModelHash({ ...NOWHERE, recording }), true);
      await this.apply({ ...NOWHERE, recording });
    } catch (error) {
      this.fail(error);
    }
  }

  private async load(recording: RecordingId): Promise<void> {
    this.isBusy = true;
    try {
      const page = await this.app.api.recording(recording, this.app.lang);
      this.forget();
      this.recording = recording;
      this.page = page;
      this.failure = null;
    } finally {
      this.isBusy = false;
    }
  }

  private forget(): void {
    this.tiles?.stop();
    this.digits?.stop();
    this.cells.clear();
    this.rows.clear();
    this.tables.clear();
    this.heads.forget();
    this.compare.forget();
    Object.assign(this, { tiles: null, digits: null, head: null, cell: null, address: null, panel: null, row: null, stages: null, table: null });
  }

  private async apply(place: ModelPlace): Promise<void> {
    const { page } = this;
    if (page === null) return;
    const heads = headsOf(page);
    const known = (head: string | null) => (head !== null && heads.includes(head) ? head : null);
    this.sort = page.scores.some((score) => score.name === place.sort) ? place.sort : null;
    this.pooled = place.pooled;
    this.against = place.against === DUMP && this.opened?.dump ? DUMP : known(place.against);
    this.isStaged = place.stages;
    this.isTabled = place.table;
    this.place = place;
    const head = known(place.head) ?? sorted(page, this.sort)[0] ?? null;
    if (head === null) return;
    await this.show(head);
    const z = place.z !== null && place.middle !== null ? { z: place.z, middle: place.middle } : null;
    this.put(place.cell ?? { query: this.extent.queries - 1, key: 0 }, place.address, false);
    this.map?.lookAt(z);
    this.sync(false);
  }

  get extent(): Extent {
    return { queries: this.layer?.queries ?? 1, keys: this.layer?.keys ?? 1 };
  }

  words(of: LayerPage["query_words"]): readonly string[] | null {
    return of === null ? null : (this.page?.words[of] ?? null);
  }

  queryWords = $derived(this.words(this.layer?.query_words ?? null));
  keyWords = $derived(this.words(this.layer?.key_words ?? null));

  /** Writes the state into the address; `push`: as a place that "back" returns to. */
  sync(push: boolean): void {
    clearTimeout(this.settling);
    if (this.app.route === "model" && this.page !== null) this.record(this.written(), push);
  }

  private written(): string {
    const at = this.map === null ? this.place : this.map.place(); // where it will look, before there is a map
    const own = this.cell === null || this.head === null ? null : this.addressOf(this.cell);
    return toModelHash({
      lang: this.app.alone ? null : this.app.lang,
      recording: this.recording === this.opened?.recording ? null : this.recording,
      head: this.head,
      cell: this.cell,
      address: this.address === own ? null : this.address,
      middle: at?.middle ?? null,
      z: at?.z ?? null,
      sort: this.sort,
      pooled: this.pooled,
      against: this.against,
      stages: this.isStaged,
      table: this.isTabled,
    });
  }

  private record(hash: string, push: boolean): void {
    if (hash === location.hash || !this.app.isAddressed) return;
    try {
      if (push) history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    } catch {
      // a page within another, without an address of its own, keeps no history
    }
  }

  /** The same, when the hand has come to rest. */
  soon(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.sync(false), SETTLED_MS);
  }

  // --- the head ---

  get held(): Against {
    if (this.against === null) return null;
    return this.against === DUMP ? { dump: true } : { head: this.against };
  }

  /** Looks at a head, as it is or held against another. */
  private async show(head: string): Promise<void> {
    const before = this.extent;
    const isFirst = this.head === null;
    this.head = head;
    this.stages = null;
    this.tiles?.stop();
    this.digits?.stop();
    const { extent } = this;
    if (!isFirst && (extent.queries !== before.queries || extent.keys !== before.keys)) this.cell = null;
    const against = this.held;
    const pooled = against === null ? this.pooled : "max";
    const fail = (error: unknown) => this.fail(error);
    this.tiles = new Tiles(
      extent,
      (level, row, column, signal) => this.app.api.tile(this.id, { head, level, row, column, pooled, against }, signal),
      () => this.map?.redraw(),
      fail,
      against === null && pooled === "max",
    );
    const came = () => {
      this.digitsTurn++;
      this.map?.redraw();
    };
    const ask = (queries: [number, number], keys: [number, number], signal: AbortSignal) =>
      this.app.api.digits(this.id, { head, queries, keys, against }, signal);
    this.digits = this.app.api.offers.has("digits") ? new Digits(extent, ask, came, fail) : null;
    await this.learnTable();
    if (this.head === head) this.stage();
    if (this.against !== null) void this.compare.ask();
  }

  /** Hands the map what it shows; the map calls it as well when it is there. */
  stage(): void {
    const { map, tiles, table } = this;
    if (map === null || tiles === null || table === null) return;
    map.setTable(table);
    map.show({
      extent: tiles.extent,
      queryWords: this.queryWords,
      keyWords: this.keyWords,
      tiles,
      digits: this.digits,
      isTogether: this.against === null && this.pooled === "max",
    });
    map.setCell(this.cell);
    const { middle, z } = this.place;
    if (middle !== null && z !== null) map.lookAt({ middle, z });
    this.place = NOWHERE;
  }

  looked(grain: Grain): void {
    const isOther = grain.level !== this.grain.level;
    if (isOther || grain.factor !== this.grain.factor) this.grain = grain;
    if (isOther) void this.learnTable();
    this.soon();
  }

  /** The colours of this way of looking, and what they mean. */
  private async learnTable(): Promise<void> {
    const { head, pooled, against, grain } = this;
    if (head === null) return;
    const name = [head, grain.level, pooled, against].join("#");
    try {
      const isUsual = grain.level === 0 && pooled === "max" && against === null;
      let table = isUsual ? this.page?.table : this.tables.get(name);
      if (table === undefined) {
        table = await this.app.api.table(this.id, head, grain.level, pooled, this.held, this.app.lang);
        this.tables.set(name, table);
      }
      const isStill = head === this.head && pooled === this.pooled && against === this.against && grain.level === this.grain.level;
      if (!isStill) return;
      this.table = table;
      this.map?.setTable(table);
    } catch (error) {
      this.fail(error);
    }
  }

  async setHead(head: string): Promise<void> {
    if (head === this.head) return;
    if (this.against === head) this.against = null;
    await this.show(head);
    this.put(this.cell ?? { query: this.extent.queries - 1, key: 0 }, null, false);
    this.app.aloud(this.app.say("web.map.head", { head, shown: this.scoreOf(head) }));
    this.sync(true);
  }

  /** The score that heads are sorted by, or the first, with its name. */
  scoreOf(head: string): string {
    const { page } = this;
    const score = page?.scores.find((one) => one.name === this.sort) ?? page?.scores[0];
    const shown = score === undefined ? undefined : page?.heads[head]?.shown[score.name];
    return score === undefined || shown === undefined ? "" : `${score.label} ${shown}`;
  }

  step(what: "layer" | "head", by: 1 | -1): void {
    const { page, layer, head } = this;
    if (page === null || layer === null || head === null) return;
    const at = layer.heads.indexOf(head);
    if (what === "head") {
      const heads = headsOf(page);
      const to = heads[heads.indexOf(head) + by];
      if (to !== undefined) void this.setHead(to);
      return;
    }
    const next = page.layers[page.layers.indexOf(layer) + by];
    const to = next?.heads[Math.min(at, next.heads.length - 1)];
    if (to !== undefined) void this.setHead(to);
  }

  setSort(sort: string | null): void {
    this.sort = sort;
    this.sync(true);
  }

  async setPooled(pooled: Pooled): Promise<void> {
    this.pooled = pooled;
    if (this.head !== null) await this.show(this.head);
    this.sync(true);
  }

  async setAgainst(against: string | null): Promise<void> {
    this.against = against;
    this.compare.forget();
    if (this.head !== null) await this.show(this.head);
    this.sync(true);
  }

  // --- the cell ---

  addressOf(cell: CellAt): string {
    return `${this.head}.weight[${cell.query},${cell.key}]`;
  }

  /** What is printed in a cell; undefined where it is not known. */
  digit(query: number, key: number): string | undefined {
    return this.digitsTurn < 0 ? undefined : this.digits?.get(query, key);
  }

  wantDigits(queries: [number, number], keys: [number, number]): void {
    this.digits?.want("table", queries, keys);
  }

  /** Chooses a cell, and asks for what is known of it and of its row. */
  put(cell: CellAt, address: string | null = null, isAloud = true): void {
    const { queries, keys } = this.extent;
    const inside = { query: Math.min(Math.max(cell.query, 0), queries - 1), key: Math.min(Math.max(cell.key, 0), keys - 1) };
    this.cell = inside;
    this.map?.setCell(inside);
    this.look(address ?? this.addressOf(inside), isAloud);
    this.askRow();
    if (this.isStaged && this.stages?.length !== 0) void this.askStages();
    this.soon();
  }

  /** Shows the working of any number. */
  look(address: string, isAloud = true): void {
    this.address = address;
    if (!this.app.api.offers.has("weight")) {
      if (isAloud && this.cell !== null) this.app.aloud([this.whereOf(this.cell), this.digit(this.cell.query, this.cell.key) ?? ""].join(" "));
      return;
    }
    const fail = (error: unknown) => this.fail(error);
    this.cells.want(address, (cell) => {
      this.panel = cell;
      this.failure = null;
      if (isAloud) this.app.aloud([this.whereOf(cell), cell.spoken, cell.rank ?? ""].filter(Boolean).join(" "));
    }, fail);
  }

  /** Who looks at whom; empty for a number that is no weight. */
  whereOf({ query, key }: Pick<WeightView, "query" | "key">): string {
    if (typeof query !== "number" || typeof key !== "number") return "";
    const [asks, answers] = [visible(this.queryWords?.[query] ?? ""), visible(this.keyWords?.[key] ?? "")];
    return this.app.say("web.map.where", { query, asks, key, answers });
  }

  /** Follows a link to a number: a weight is found on the map as well. */
  async follow(address: string): Promise<void> {
    const found = /^(.*)\.weight\[(\d+),(\d+)\]$/.exec(address);
    const head = found?.[1] ?? "";
    if (found !== null && this.page !== null && headsOf(this.page).includes(head)) {
      if (head !== this.head) await this.show(head);
      this.put({ query: Number(found[2]), key: Number(found[3]) });
    } else this.look(address);
    this.sync(true);
  }

  private askRow(): void {
    const { cell, head } = this;
    if (cell === null || head === null || !this.app.api.offers.has("row")) return;
    this.rows.want(`${head}#${cell.query}`, (row) => (this.row = row), (error) => this.fail(error));
  }

  move(down: number, along: number): void {
    if (this.cell !== null) this.put({ query: this.cell.query + down, key: this.cell.key + along });
  }

  /** The next local maximum in a direction. */
  async peak(towards: Towards): Promise<void> {
    const { cell, head } = this;
    if (cell === null || head === null || !this.app.api.offers.has("peak")) return;
    try {
      const found = await this.app.api.peak(this.id, head, cell, towards);
      if (this.cell !== cell || this.head !== head) return;
      if (found === null) this.app.tell(this.app.say("web.map.no-peak"));
      else this.put(found);
    } catch (error) {
      this.fail(error);
    }
  }

  /** What a press on the map chooses: a cell, or the largest cell of the block that is drawn there. */
  async press(cell: CellAt, grain: Grain): Promise<void> {
    const { head, tiles } = this;
    if (cellsOf(grain) === 1 || tiles === null || head === null || this.against !== null) {
      this.put(cell);
      return;
    }
    try {
      const largest = await pressed(this.app.api, { recording: this.id, head, pooled: this.pooled, tiles }, cell, grain);
      if (this.head !== head) return;
      this.put(largest);
      this.map?.dive(largest);
      this.sync(true);
    } catch (error) {
      if (!isSuperseded(error)) this.fail(error);
    }
  }

  // --- the rest of the page ---

  async setStaged(on: boolean): Promise<void> {
    this.isStaged = on;
    this.sync(true);
    if (on) await this.askStages();
  }

  private async askStages(): Promise<void> {
    const { cell, head } = this;
    if (cell === null || head === null || !this.app.api.offers.has("pipeline")) return;
    try {
      const stages = await this.app.api.pipeline(this.id, head, cell.query, this.app.lang);
      if (this.head === head && this.cell?.query === cell.query) this.stages = stages;
    } catch (error) {
      this.fail(error);
    }
  }

  setTabled(on: boolean): void {
    this.isTabled = on;
    this.sync(true);
  }

  /** Saves what is in sight as a figure. */
  async figure(): Promise<void> {
    const sight = this.map?.sight() ?? null;
    if (sight === null || this.head === null) return;
    const { queries, keys, grain } = sight;
    try {
      const level = levelOf(Math.max(queries[1] - queries[0], keys[1] - keys[0]), grain.level);
      const of = { head: this.head, queries, keys, pooled: this.pooled, level, against: this.held };
      const file = await this.app.api.figure(this.id, of, this.app.lang);
      this.app.save(file);
      this.app.tell(this.app.say("web.exported", { name: file.name }));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The same place in another language. */
  async again(): Promise<void> {
    if (this.recording === null) return;
    const hash = this.written();
    this.page = null;
    await this.visit(hash);
  }
}
