/** The whole state of the page in the fragment of its address: names as they are, edited data compressed. */
import type { Lang } from "./types";

export type Layout = "step" | "all";

export interface Place {
  lang: Lang | null;
  /** A built-in name; null where `data` holds what was edited, or nothing was chosen. */
  example: string | null;
  data: string | null;
  precision: string;
  carry: number | null;
  layout: Layout;
  step: string | null;
  cell: string | null;
  cover: boolean;
  seed: number | null;
  blanks: number | null;
}

export const NOWHERE: Place = {
  lang: null,
  example: null,
  data: null,
  precision: "auto",
  carry: null,
  layout: "step",
  step: null,
  cell: null,
  cover: false,
  seed: null,
  blanks: null,
};

/** No address holds more than this many characters of data, however well they were compressed. */
export const MOST_DATA = 2_000_000;

const PRECISION = /^(auto|exact|\d{1,4})$/;

/** The fragment, with its "#"; empty where all is as it is at first. */
export async function toHash(place: Place): Promise<string> {
  const data = place.data === null ? null : await packed(place.data);
  const parts: [string, string | null][] = [
    ["example", place.data === null ? place.example : null],
    ["data", data],
    ["layout", place.layout === "all" ? "all" : null],
    ["step", place.step],
    ["cell", place.cell],
    ["digits", place.precision === "auto" ? null : place.precision],
    ["carry", shown(place.carry)],
    ["cover", place.cover ? "1" : null],
    ["quiz", shown(place.seed)],
    ["blanks", place.seed === null ? null : shown(place.blanks)],
    ["lang", place.lang],
  ];
  const written = parts.filter((part): part is [string, string] => part[1] !== null);
  return written.length === 0 ? "" : `#${written.map(([name, value]) => `${name}=${escaped(value)}`).join("&")}`;
}

/** What a fragment says; whatever it does not say, or says wrongly, is as at first. */
export async function fromHash(hash: string): Promise<Place> {
  const said = new Map<string, string>();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name = "", value = ""] = part.split("=", 2);
    said.set(name, unescaped(value));
  }
  const text = (name: string): string | null => said.get(name) || null;
  const lang = text("lang");
  const digits = text("digits") ?? "auto";
  const packedData = text("data");
  return {
    lang: lang === "en" || lang === "zh" ? lang : null,
    example: text("example"),
    data: packedData === null ? null : await unpacked(packedData),
    precision: PRECISION.test(digits) ? digits : "auto",
    carry: whole(text("carry")),
    layout: text("layout") === "all" ? "all" : "step",
    step: text("step"),
    cell: text("cell"),
    cover: text("cover") === "1",
    seed: whole(text("quiz")),
    blanks: whole(text("blanks")),
  };
}

function shown(value: number | null): string | null {
  return value === null ? null : String(value);
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Brackets and commas stay as they are, so that `score[2,0]` can be read. */
export function escaped(text: string): string {
  return encodeURIComponent(text).replace(/%(5B|5D|2C|3A)/g, (found) => decodeURIComponent(found));
}

export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Text, deflated, in base64url. */
export async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text again; null where it is not one, or larger than any that the page wrote. */
export async function unpacked(base64url: string): Promise<string | null> {
  try {
    const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += value;
      if (text.length > MOST_DATA) {
        await reader.cancel();
        return null;
      }
    }
  } catch {
    return null;
  }
}
