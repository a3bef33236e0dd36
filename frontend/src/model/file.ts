/** The map of one head in a file on disk: colours are worked from its queries and keys, numbers were printed before. */
import { filled } from "../lib/words";
import type { Lang } from "../lib/types";
import { NO_MODEL } from "./nobody";
import { bytesOf } from "./paint";
import { type HeadFile, Scores, nextPeak, wholes } from "./scores";
import type { CellAt, ModelServer, Offer, RecordingPage, RowPage, Table, TileAt, TopKey, Towards, Window } from "./types";
import { SIDE } from "./view";

interface Level {
  level: number;
  shape: [number, number];
  max: string;
  sum: string;
}

interface RowsFile {
  top: number;
  keys: string;
  weights: string;
  rest: string;
  sum: string;
  sink: string;
  entropy: string;
  lse: string;
  others: string;
}

export interface MapFile extends HeadFile {
  recording: string;
  page: RecordingPage;
  head: string;
  levels: Level[];
  thumb: { shape: [number, number]; codes: string };
  tables: Record<string, Table>;
  rows: RowsFile;
  digits: string | null;
  names: string[];
}

/** Stands where a weight is one, but is not written in the file. */
const UNWRITTEN = "\u00a0";
const MASKED = "·";
const OFFERS: readonly Offer[] = ["thumbs", "digits", "row", "peak"];

export function mapServerOf(file: MapFile, words: Readonly<Record<string, string>>, lang: Lang): ModelServer {
  const scores = new Scores(file);
  const levels = new Map(file.levels.map(({ level, shape, max, sum }) => [level, { shape, max: bytesOf(max), sum: bytesOf(sum) }]));
  const rows = new Rows(file, scores, words, lang);
  const written = file.digits?.split("\n").map((line) => line.split(" ")) ?? null;

  function tile({ level, row, column, pooled }: TileAt): Uint8Array {
    const at = levels.get(level);
    const [high, wide] = at?.shape ?? [file.queries, file.keys];
    const queries = [row * SIDE, Math.min((row + 1) * SIDE, high)] as const;
    const keys = [column * SIDE, Math.min((column + 1) * SIDE, wide)] as const;
    return at === undefined ? scores.codes(queries, keys) : cut(at[pooled], wide, queries, keys);
  }

  function digit(query: number, key: number): string {
    if (!scores.allows(query, key)) return "";
    if (written === null) return rows.weightOf(query, key) ?? UNWRITTEN;
    const text = written[query]?.[key] ?? MASKED;
    return text === MASKED ? "" : text;
  }

  return {
    ...NO_MODEL,
    offers: new Set(OFFERS),
    recording: () => Promise.resolve(file.page),
    table: (_recording, _head, level, pooled) => {
      const table = file.tables[`${level}:${level === 0 ? "max" : pooled}`];
      return table === undefined ? NO_MODEL.table("", "", 0, "max", null, lang) : Promise.resolve(table);
    },
    tile: (_recording, at) => Promise.resolve(tile(at)),
    thumbs: () => Promise.resolve({ thumbs: { [file.head]: file.thumb.codes }, shape: { [file.head]: file.thumb.shape } }),
    digits: (_recording, { queries, keys }: Window) =>
      Promise.resolve(range(queries).map((query) => range(keys).map((key) => digit(query, key)))),
    row: (_recording, _head, query) => Promise.resolve(rows.page(query)),
    peak: (_recording, _head, from, towards) => Promise.resolve(peak(scores, from, towards)),
  };
}

function cut(codes: Uint8Array, width: number, queries: readonly [number, number], keys: readonly [number, number]): Uint8Array {
  const wide = keys[1] - keys[0];
  const out = new Uint8Array((queries[1] - queries[0]) * wide);
  for (let row = queries[0]; row < queries[1]; row++) out.set(codes.subarray(row * width + keys[0], row * width + keys[1]), (row - queries[0]) * wide);
  return out;
}

function peak(scores: Scores, { query, key }: CellAt, towards: Towards): CellAt | null {
  const { queries, keys } = scores.extent;
  const isDown = towards === "up" || towards === "down";
  const step = towards === "up" || towards === "left" ? -1 : 1;
  const line = isDown ? range([0, queries]).map((at) => scores.log(at, key)) : range([0, keys]).map((at) => scores.log(query, at));
  const found = nextPeak(line, isDown ? query : key, step);
  if (found === null) return null;
  return isDown ? { query: found, key } : { query, key: found };
}

const range = ([from, to]: readonly [number, number]): number[] => Array.from({ length: to - from }, (_, at) => from + at);

/** What was printed of every row. */
class Rows {
  private readonly keys: Int32Array;
  private readonly others: Int32Array;
  private readonly weights: string[][];
  private readonly texts: Readonly<Record<"rest" | "sum" | "sink" | "entropy" | "lse", string[]>>;
  private readonly asks: readonly string[];
  private readonly answers: readonly string[];

  constructor(
    private readonly file: MapFile,
    private readonly scores: Scores,
    private readonly words: Readonly<Record<string, string>>,
    private readonly lang: Lang,
  ) {
    const { rows, page } = file;
    this.keys = wholes(rows.keys);
    this.others = wholes(rows.others);
    this.weights = rows.weights.split("\n").map((line) => line.split(" ").filter(Boolean));
    const lines = (text: string) => text.split("\n");
    this.texts = { rest: lines(rows.rest), sum: lines(rows.sum), sink: lines(rows.sink), entropy: lines(rows.entropy), lse: lines(rows.lse) };
    const [layer] = page.layers;
    const wordsOf = (list: number | null | undefined, count: number) => (list == null ? range([0, count]).map(String) : (page.words[list] ?? []));
    this.asks = wordsOf(layer?.query_words, file.queries);
    this.answers = wordsOf(layer?.key_words, file.keys);
  }

  private top(query: number): TopKey[] {
    return (this.weights[query] ?? []).map((weight, place) => {
      const key = this.keys[query * this.file.rows.top + place] ?? -1;
      return { key, word: this.answers[key] ?? "", weight, address: `${this.file.head}.weight[${query},${key}]` };
    });
  }

  /** A weight that is among the largest of its row. */
  weightOf(query: number, key: number): string | undefined {
    const from = query * this.file.rows.top;
    const place = this.keys.subarray(from, from + this.file.rows.top).indexOf(key);
    return place === -1 ? undefined : this.weights[query]?.[place];
  }

  page(query: number): RowPage {
    const top = this.top(query);
    const text = (name: keyof Rows["texts"]) => this.texts[name][query] ?? "";
    const strip = this.scores.codes([query, query + 1], [0, this.file.keys]);
    return {
      query, word: this.asks[query] ?? "", top, rest: text("rest"), others: this.others[query] ?? 0, sum: text("sum"), entropy: text("entropy"), lse: text("lse"),
      html: top.length === 0 ? "" : this.html(query, top),
      spoken: this.spoken(query, top),
      strip: btoa(Array.from(strip, (code) => String.fromCharCode(code)).join("")),
    };
  }

  private say(key: string, given: Record<string, string | number> = {}): string {
    return filled(this.words[`map.${key}`] ?? "", given);
  }

  private html(query: number, top: readonly TopKey[]): string {
    const line = (name: string, value: string) => `<tr><td>${escaped(name)}</td><td class="number">${escaped(value)}</td></tr>`;
    const others = this.others[query] ?? 0;
    const [rest, sum, sink] = (["rest", "sum", "sink"] as const).map((name) => this.texts[name][query] ?? "");
    const lines = top.map(({ key, weight }) => line(this.file.names[key] ?? String(key), weight));
    if (others > 0) lines.push(line(this.say("row.rest", { n: others }), rest ?? ""));
    else if (rest !== "0") lines.push(line(this.say("row.rounding"), rest ?? ""));
    lines.push(line(this.say("row.sum"), sum ?? ""));
    if (sink) lines.push(line(this.say("row.sink"), sink));
    const head = `<thead><tr><th scope="col">${escaped(this.say("row.key"))}</th><th scope="col" class="number">${escaped(this.say("row.weight"))}</th></tr></thead>`;
    const about = this.say("row.entropy", { entropy: this.texts.entropy[query] ?? "", lse: this.texts.lse[query] ?? "" });
    return `<table>${head}<tbody>${lines.join("")}</tbody></table><p>${escaped(about)}</p>`;
  }

  private spoken(query: number, top: readonly TopKey[]): string {
    const quote = (word: string) => (this.lang === "zh" ? `「${word}」` : `“${word}”`);
    const asks = quote(this.asks[query] ?? "");
    if (top.length === 0) return this.say("row.nothing", { query: asks });
    const keys = top.map(({ word, weight }) => this.say("row.spoken.key", { key: quote(word), weight }));
    const n = this.others[query] ?? 0;
    const given = { query: asks, keys: keys.join(this.lang === "zh" ? "、" : ", "), n, rest: this.texts.rest[query] ?? "", sum: this.texts.sum[query] ?? "" };
    return this.say(n > 0 ? "row.spoken" : "row.spoken.all", given);
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
