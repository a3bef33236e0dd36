/** What the page and the server say to each other; the server's side stands in src/workings/web. */

export type Lang = "en" | "zh";
export type Source = { name: string } | { data: string };
export interface View {
  lang: Lang;
  /** "auto", "exact" or a number of digits. */
  precision: string;
  carry: number | null;
}

export interface Option {
  name: string;
  value: string;
  /** null: free text. */
  choices: string[] | null;
  label: string;
}

export interface Step {
  /** The array that it is about; empty for a part of the page that is about none. */
  address: string;
  given: boolean;
  /** The arrays that its formula reads, in order. */
  made_from: string[];
  title: string;
  html: string;
}

export interface ExamplePage {
  schema: string;
  title: string;
  name: string;
  data: string;
  tokens: string[];
  options: Option[];
  html: string;
  steps: Step[];
  closing?: string;
}

export type Edit =
  | { set: string; to: string }
  | { add_token: string }
  | { rename_token: number; to: string }
  | { remove_token: number }
  | { option: string; to: string };

export interface Changed {
  address: string;
  before: string;
  after: string;
}

export type EditedPage = ExamplePage & { changed: Changed[] };

export interface CellView {
  address: string;
  value: string;
  digits: string;
  exact: string | null;
  html: string;
  hint: string;
  spoken: string;
  holds: "exact" | "rounded";
  uses: string[];
  used_by: string[];
  pairs: [string, string][];
  written: string | null;
}

export interface Proof {
  equalities: number;
  hold: number;
  /** Addresses of the numbers that do not hold. */
  failures?: string[];
  message: string;
}

export interface Blank {
  number: number;
  address: string;
}

export interface Worksheet {
  seed: number;
  blanks: Blank[];
}

export interface Answer {
  right: boolean;
  verdict: string;
  html: string;
}

export type Target = "text" | "md" | "tex" | "html" | "json" | "svg" | "csv" | "xlsx";

export interface Claim {
  id: string;
  line: number;
  printed: string;
  verdict: string;
  first: boolean;
  message: string;
}

export interface CheckPage {
  counts: Record<string, number>;
  html: string;
  /** Each verdict in words, with its sign. */
  verdicts?: Record<string, string>;
  claims: Claim[];
  /** A unified diff; may be empty. */
  fix: string;
}

/** How one number of a document is worked; markup drawn by the server. */
export interface Working {
  title: string;
  html: string;
}

export interface ExampleName {
  name: string;
  title: string;
}

export interface Opened {
  kind: "example" | "recording" | "model" | null;
  name: string;
  /** The JSON text of an example that has no built-in name. */
  data?: string;
  /** What the server calls the recording that it opened. */
  recording?: string;
  /** The name of the dump that the recording may be held against. */
  dump?: string;
}

export interface ErrorPlace {
  file?: string;
  line?: number;
  field?: string;
}
