/** What the model page and the server say to each other; the server's side stands in src/workings/web. */
import type { CellView, Lang } from "../lib/types";

/** What the server calls a recording; it says nothing about where it lies. */
export type RecordingId = string;

/** Colours by code; code 0 is masked, and drawn hatched. */
export interface Table {
  /** 256 of them, "#rrggbb". */
  colours: string[];
  ticks: { code: number; text: string }[];
  label: string;
  /** What one pixel stands for: how it is pooled. */
  html?: string;
}

export interface LayerPage {
  place: string;
  title: string;
  heads: string[];
  queries: number;
  keys: number;
  /** Which list of words each side has; null: the sides have numbers only. */
  query_words: number | null;
  key_words: number | null;
}

export interface Score {
  name: string;
  label: string;
  /** What it says of a head. */
  about?: string;
}

export interface HeadScores {
  /** As printed. */
  shown: Record<string, string>;
  /** To sort by only. */
  sort: Record<string, number | null>;
}

export interface RecordingPage {
  schema: string;
  title: string;
  html: string;
  /** How the small pictures are pooled. */
  thumbnails?: string;
  words: string[][];
  layers: LayerPage[];
  scores: Score[];
  heads: Record<string, HeadScores>;
  table: Table;
  sides: number;
  /** Whether the model was trained by `workings learn`, and its snapshots are there. */
  learned?: boolean;
}

export type Pooled = "max" | "sum";

/** What a head is held against: another head, or the dump that the server was given. */
export type Against = { head: string } | { dump: true } | null;

export interface TileAt {
  head: string;
  level: number;
  row: number;
  column: number;
  pooled: Pooled;
  against: Against;
}

/** From the first of them up to, and without, the second. */
export type Span = [from: number, to: number];

export interface Window {
  head: string;
  queries: Span;
  keys: Span;
  against: Against;
}

export interface Thumbs {
  /** Codes row by row, in base64. */
  thumbs: Record<string, string>;
  shape: Record<string, [rows: number, columns: number]>;
}

export interface TopKey {
  key: number;
  word: string;
  weight: string;
  address: string;
}

export interface RowPage {
  query: number;
  word: string;
  top: TopKey[];
  rest: string;
  /** How many keys the rest stands for; of none, it is what rounding leaves. */
  others: number;
  sum: string;
  entropy: string;
  lse: string;
  html: string;
  spoken: string;
  /** Codes over all keys, in base64. */
  strip: string;
}

export interface WeightView extends CellView {
  rank?: string;
  python?: string;
  latex?: string;
  query?: number | null;
  key?: number | null;
  head?: string | null;
}

/** A number at every snapshot of a training. */
export interface OverTime {
  address: string;
  title: string;
  moments: { step: number; printed: string }[];
  html: string;
  /** An SVG file in base64. */
  picture: string;
}

export type Towards = "up" | "down" | "left" | "right";

export interface CellAt {
  query: number;
  key: number;
}

export interface StagePage {
  title: string;
  address: string;
  html: string;
}

export interface Worst extends CellAt {
  ours: string;
  theirs: string;
  difference: string;
}

export interface WorstPage {
  worst: Worst[];
  html: string;
}

export interface FigureOf extends Window {
  level: number;
  pooled: Pooled;
}

/** One line of a run that goes on. */
export interface Progress {
  stage: string;
  label: string;
  done: number;
  of: number;
  left?: string;
  note?: string;
}

/** What the model page asks for, whoever answers. */
export interface ModelServer {
  /** What it can be asked; a file on disk knows less than a server. */
  readonly offers: ReadonlySet<Offer>;
  run(text: string, lang: Lang, told: (progress: Progress) => void, signal?: AbortSignal): Promise<RecordingId>;
  recording(recording: RecordingId, lang: Lang, signal?: AbortSignal): Promise<RecordingPage>;
  table(recording: RecordingId, head: string, level: number, pooled: Pooled, against: Against, lang: Lang, signal?: AbortSignal): Promise<Table>;
  thumbs(recording: RecordingId, heads: string[], size: number, signal?: AbortSignal): Promise<Thumbs>;
  tile(recording: RecordingId, at: TileAt, signal?: AbortSignal): Promise<Uint8Array>;
  digits(recording: RecordingId, window: Window, signal?: AbortSignal): Promise<string[][]>;
  row(recording: RecordingId, head: string, query: number, top: number, lang: Lang, signal?: AbortSignal): Promise<RowPage>;
  weight(recording: RecordingId, address: string, lang: Lang, signal?: AbortSignal): Promise<WeightView>;
  peak(recording: RecordingId, head: string, from: CellAt, towards: Towards, signal?: AbortSignal): Promise<CellAt | null>;
  pipeline(recording: RecordingId, head: string, query: number, lang: Lang, signal?: AbortSignal): Promise<StagePage[]>;
  worst(recording: RecordingId, head: string, against: Against, count: number, lang: Lang, signal?: AbortSignal): Promise<WorstPage>;
  figure(recording: RecordingId, of: FigureOf, lang: Lang): Promise<{ name: string; blob: Blob }>;
  overTime(recording: RecordingId, address: string, lang: Lang, signal?: AbortSignal): Promise<OverTime>;
}

export type Offer = Exclude<keyof ModelServer, "offers" | "recording" | "table" | "tile">;
export const OFFERS: readonly Offer[] = ["run", "thumbs", "digits", "row", "weight", "peak", "pipeline", "worst", "figure", "overTime"];
