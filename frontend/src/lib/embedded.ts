/** A page that stands alone: everything that it can be asked was worked out before, and lies in the file. */
import { ApiError, type Server } from "./api";
import { type MapFile, mapServerOf } from "../model/file";
import { NO_MODEL } from "../model/nobody";
import type { CellView, ExamplePage, Lang, Proof } from "./types";

interface Spoken {
  lang: Lang;
  words: Record<string, string>;
}

/** A worked example. */
export interface EmbeddedExample extends Spoken {
  page: ExamplePage;
  /** The hints, each once. */
  hints: string[];
  /** Every cell; its hint is the number of one. */
  cells: Record<string, Omit<CellView, "hint"> & { hint: number }>;
  proof: Proof;
}

/** The map of one head. */
export interface EmbeddedMap extends Spoken {
  map: MapFile;
}

export type Embedded = EmbeddedExample | EmbeddedMap;

/** The data of an element: JSON, compressed, in base64. */
export async function embeddedIn(element: Element): Promise<Embedded> {
  const bytes = Uint8Array.from(atob((element.textContent ?? "").trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return (await new Response(stream).json()) as Embedded;
}

const nobody = (): Promise<never> => Promise.reject(new ApiError("Offline", "", 0));

export function serverOf(data: Embedded): Server {
  const silent = { ...NO_MODEL, edit: nobody, worksheet: nobody, answer: nobody, export: nobody, check: nobody, working: nobody };
  const words = () => Promise.resolve(data.words);
  const examples = () => Promise.resolve([]);
  if ("map" in data) {
    const { recording, page } = data.map;
    return {
      ...silent,
      ...mapServerOf(data.map, data.words, data.lang),
      words,
      examples,
      opened: () => Promise.resolve({ kind: "recording", name: page.title, recording }),
      example: nobody,
      cell: nobody,
      proof: nobody,
    };
  }
  return {
    ...silent,
    words,
    examples,
    opened: () => Promise.resolve({ kind: "example", name: data.page.name, data: data.page.data }),
    example: () => Promise.resolve(data.page),
    cell: (_source, _view, address) => {
      const cell = Object.hasOwn(data.cells, address) ? data.cells[address] : undefined;
      return cell === undefined ? nobody() : Promise.resolve({ ...cell, hint: data.hints[cell.hint] ?? "" });
    },
    proof: () => Promise.resolve(data.proof),
  };
}
