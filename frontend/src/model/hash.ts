/** The whole state of the model page in the fragment of its address. */
import { escaped, unescaped } from "../lib/hash";
import type { Lang } from "../lib/types";
import type { CellAt, Pooled } from "./types";
import type { Point } from "./view";

export interface ModelPlace {
  lang: Lang | null;
  /** A recording of a text that was run here; null: what the server was opened with. */
  recording: string | null;
  head: string | null;
  cell: CellAt | null;
  /** Another number than the weight of the cell, whose working is shown. */
  address: string | null;
  /** Where the map looks; null: at the whole. */
  middle: Point | null;
  z: number | null;
  /** The score that heads are sorted by; null: by layer. */
  sort: string | null;
  pooled: Pooled;
  /** Another head, or "dump". */
  against: string | null;
  /** Whether the way of one token through the layer is shown. */
  stages: boolean;
  /** Whether the cells around the chosen one stand in a table. */
  table: boolean;
}

export const NOWHERE: ModelPlace = {
  lang: null, recording: null, head: null, cell: null, address: null, middle: null, z: null,
  sort: null, pooled: "max", against: null, stages: false, table: false,
};

export const DUMP = "dump";

/** The fragment, with its "#"; empty where all is as it is at first. */
export function toModelHash(place: ModelPlace): string {
  const { cell, middle } = place;
  const parts: [string, string | null][] = [
    ["recording", place.recording],
    ["head", place.head],
    ["cell", cell === null ? null : `${cell.query},${cell.key}`],
    ["address", place.address],
    ["z", place.z === null || middle === null ? null : rounded(place.z, 2)],
    ["at", place.z === null || middle === null ? null : `${rounded(middle.y, 1)},${rounded(middle.x, 1)}`],
    ["sort", place.sort],
    ["pooled", place.pooled === "max" ? null : place.pooled],
    ["against", place.against],
    ["stages", place.stages ? "1" : null],
    ["table", place.table ? "1" : null],
    ["lang", place.lang],
  ];
  const written = parts.filter((part): part is [string, string] => part[1] !== null);
  return written.length === 0 ? "" : `#${written.map(([name, value]) => `${name}=${escaped(value)}`).join("&")}`;
}

/** What a fragment says; whatever it does not say, or says wrongly, is as at first. */
export function fromModelHash(hash: string): ModelPlace {
  const said = new Map<string, string>();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name = "", value = ""] = part.split("=", 2);
    said.set(name, unescaped(value));
  }
  const text = (name: string): string | null => said.get(name) || null;
  const lang = text("lang");
  const cell = pair(text("cell"), /^(\d{1,9}),(\d{1,9})$/);
  const at = pair(text("at"), /^(\d{1,9}(?:\.\d+)?),(\d{1,9}(?:\.\d+)?)$/);
  const z = /^-?\d{1,2}(\.\d+)?$/.test(text("z") ?? "") ? Number(text("z")) : null;
  const middle = at ?? cell?.map((one) => one + 0.5) ?? null;
  return {
    lang: lang === "en" || lang === "zh" ? lang : null,
    recording: text("recording"),
    head: text("head"),
    cell: cell === null ? null : { query: cell[0] ?? 0, key: cell[1] ?? 0 },
    address: text("address"),
    middle: middle === null || z === null ? null : { y: middle[0] ?? 0, x: middle[1] ?? 0 },
    z: middle === null ? null : z,
    sort: text("sort"),
    pooled: text("pooled") === "sum" ? "sum" : "max",
    against: text("against"),
    stages: text("stages") === "1",
    table: text("table") === "1",
  };
}

function pair(text: string | null, form: RegExp): number[] | null {
  return form.exec(text ?? "")?.slice(1).map(Number) ?? null;
}

function rounded(value: number, places: number): string {
  return String(Number(value.toFixed(places)));
}
