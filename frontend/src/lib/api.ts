/** Requests to the server of this very page. */
import type {
  Answer,
  CellView,
  CheckPage,
  Edit,
  EditedPage,
  ErrorPlace,
  ExampleName,
  ExamplePage,
  Lang,
  Opened,
  Proof,
  Source,
  Target,
  View,
  Working,
  Worksheet,
} from "./types";
import {
  type Against,
  type CellAt,
  type FigureOf,
  type ModelServer,
  OFFERS,
  type Offer,
  type OverTime,
  type Pooled,
  type Progress,
  type RecordingId,
  type RecordingPage,
  type RowPage,
  type StagePage,
  type Table,
  type Thumbs,
  type TileAt,
  type Towards,
  type WeightView,
  type Window,
  type WorstPage,
} from "../model/types";
import { linesOf } from "./lines";

/** What the server said instead of an answer; `code` "Offline" where it said nothing. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly place: ErrorPlace | null = null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** Which worksheet: the same is drawn again from the same seed. */
export interface Sheet {
  seed: number;
  blanks: number | null;
  steps: string[];
}

export interface File {
  name: string;
  blob: Blob;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Whether a request was given up by the page itself, because a newer one took its place. */
export function isSuperseded(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export class Api implements ModelServer {
  readonly offers: ReadonlySet<Offer> = new Set(OFFERS);

  constructor(
    private readonly token: string,
    private readonly fetch: Fetch = (url, init) => window.fetch(url, init),
  ) {}

  words(lang: Lang): Promise<Record<string, string>> {
    return this.get(`/api/words/${lang}`);
  }

  examples(lang: Lang): Promise<ExampleName[]> {
    return this.get(`/api/examples/${lang}`);
  }

  opened(): Promise<Opened> {
    return this.get("/api/opened");
  }

  example(source: Source, view: View, signal?: AbortSignal): Promise<ExamplePage> {
    return this.post("/api/example", { source, view }, signal);
  }

  edit(source: Source, view: View, edits: Edit[], signal?: AbortSignal): Promise<EditedPage> {
    return this.post("/api/edit", { source, view, edits }, signal);
  }

  cell(source: Source, view: View, address: string, signal?: AbortSignal): Promise<CellView> {
    return this.post("/api/cell", { source, view, address }, signal);
  }

  proof(source: Source, view: View, signal?: AbortSignal): Promise<Proof> {
    return this.post("/api/proof", { source, view }, signal);
  }

  worksheet(source: Source, view: View, sheet: Sheet): Promise<Worksheet> {
    return this.post("/api/worksheet", { source, view, ...sheet });
  }

  answer(source: Source, view: View, sheet: Sheet, address: string, answer: string): Promise<Answer> {
    return this.post("/api/answer", { source, view, ...sheet, address, answer });
  }

  check(name: string, text: string, lang: Lang, lenient: boolean, signal?: AbortSignal): Promise<CheckPage> {
    return this.post("/api/check", { name, text, lang, lenient }, signal);
  }

  working(name: string, text: string, lang: Lang, lenient: boolean, place: string, signal?: AbortSignal): Promise<Working> {
    return this.post("/api/working", { name, text, lang, lenient, place }, signal);
  }

  export(source: Source, view: View, target: Target): Promise<File> {
    return this.file("/api/export", { source, view, target }, `workings.${target}`);
  }

  // --- of the model page ---

  async run(text: string, lang: Lang, told: (progress: Progress) => void, signal?: AbortSignal): Promise<RecordingId> {
    const response = await this.send("/api/run", this.written({ text, lang }, signal));
    for await (const line of linesOf(response)) {
      if ("error" in line) throw new ApiError(line.error.code, line.error.message, response.status);
      if ("recording" in line) return line.recording;
      told(line);
    }
    throw new ApiError("Offline", "", 0);
  }

  recording(recording: RecordingId, lang: Lang, signal?: AbortSignal): Promise<RecordingPage> {
    return this.post("/api/recording", { recording, lang }, signal);
  }

  table(recording: RecordingId, head: string, level: number, pooled: Pooled, against: Against, lang: Lang, signal?: AbortSignal): Promise<Table> {
    return this.post("/api/table", { recording, head, level, pooled, against, lang }, signal);
  }

  thumbs(recording: RecordingId, heads: string[], size: number, signal?: AbortSignal): Promise<Thumbs> {
    return this.post("/api/thumbs", { recording, heads, size }, signal);
  }

  async tile(recording: RecordingId, at: TileAt, signal?: AbortSignal): Promise<Uint8Array> {
    const response = await this.send("/api/tile", this.written({ recording, ...at }, signal));
    return new Uint8Array(await response.arrayBuffer());
  }

  async digits(recording: RecordingId, window: Window, signal?: AbortSignal): Promise<string[][]> {
    return (await this.post<{ digits: string[][] }>("/api/digits", { recording, ...window }, signal)).digits;
  }

  row(recording: RecordingId, head: string, query: number, top: number, lang: Lang, signal?: AbortSignal): Promise<RowPage> {
    return this.post("/api/row", { recording, head, query, top, lang }, signal);
  }

  weight(recording: RecordingId, address: string, lang: Lang, signal?: AbortSignal): Promise<WeightView> {
    return this.post("/api/weight", { recording, address, view: { lang, precision: "auto", carry: null } }, signal);
  }

  async peak(recording: RecordingId, head: string, from: CellAt, towards: Towards, signal?: AbortSignal): Promise<CellAt | null> {
    const found = await this.post<CellAt | { none: true }>("/api/peak", { recording, head, ...from, towards }, signal);
    return "none" in found ? null : found;
  }

  async pipeline(recording: RecordingId, head: string, query: number, lang: Lang, signal?: AbortSignal): Promise<StagePage[]> {
    return (await this.post<{ stages: StagePage[] }>("/api/pipeline", { recording, head, query, lang }, signal)).stages;
  }

  worst(recording: RecordingId, head: string, against: Against, count: number, lang: Lang, signal?: AbortSignal): Promise<WorstPage> {
    return this.post("/api/worst", { recording, head, against, count, lang }, signal);
  }

  overTime(recording: RecordingId, address: string, lang: Lang, signal?: AbortSignal): Promise<OverTime> {
    return this.post("/api/over-time", { recording, address, lang }, signal);
  }

  figure(recording: RecordingId, of: FigureOf, lang: Lang): Promise<File> {
    return this.file("/api/figure", { recording, ...of, lang }, `${of.head}.svg`);
  }

  private async file(url: string, body: unknown, otherwise: string): Promise<File> {
    const response = await this.send(url, this.written(body));
    const name = fileName(response.headers.get("Content-Disposition") ?? "") ?? otherwise;
    return { name, blob: await response.blob() };
  }

  private async get<T>(url: string): Promise<T> {
    return (await (await this.send(url, { method: "GET" })).json()) as T;
  }

  private async post<T>(url: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return (await (await this.send(url, this.written(body, signal))).json()) as T;
  }

  private written(body: unknown, signal?: AbortSignal): RequestInit {
    const headers = { "Content-Type": "application/json", "X-Workings": this.token };
    return { method: "POST", headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) };
  }

  private async send(url: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await this.fetch(url, init);
    } catch (error) {
      if (isSuperseded(error)) throw error;
      throw new ApiError("Offline", "", 0);
    }
    if (response.ok) return response;
    throw await told(response);
  }
}

async function told(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string; place?: ErrorPlace | null } };
    return new ApiError(error.code, error.message, response.status, error.place ?? null);
  } catch {
    return new ApiError("Offline", "", response.status);
  }
}

/** What the pages ask for, whoever answers. */
export type Server = Pick<Api, keyof Api>;

/** The name of a file in a header Content-Disposition. */
export function fileName(header: string): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return null;
    }
  }
  return /filename="([^"]*)"/i.exec(header)?.[1] ?? /filename=([^;\s]+)/i.exec(header)?.[1] ?? null;
}
