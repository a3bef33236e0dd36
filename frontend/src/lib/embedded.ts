/** A page that stands alone: everything that it can be asked was worked out before, and lies in the file. */
import { ApiError, type Server } from "./api";
import { NO_MODEL } from "../model/nobody";
import type { CellView, ExamplePage, Lang, Proof } from "./types";

export interface Embedded {
  lang: Lang;
  words: Record<string, string>;
  page: ExamplePage;
  /** The hints, each once. */
  hints: string[];
  /** Every cell; its hint is the number of one. */
  cells: Record<string, Omit<CellView, "hint"> & { hint: number }>;
  proof: Proof;
}

/** The data of an element: JSON, compressed, in base64. */
export async function embeddedIn(element: Element): Promise<Embedded> {
  const bytes = Uint8Array.from(atob((element.textContent ?? "").trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return (await new Response(stream).json()) as Embedded;
}

const nobody = (): Promise<never> => Promise.reject(new ApiError("Offline", "", 0));

export function serverOf(data: Embedded): Server {
  return {
    ...NO_MODEL,
    words: () => Promise.resolve(data.words),
    examples: () => Promise.resolve([]),
    opened: () => Promise.resolve({ kind: "example", name: data.page.name, data: data.page.data }),
    example: () => Promise.resolve(data.page),
    cell: (_source, _view, address) => {
      const cell = Object.hasOwn(data.cells, address) ? data.cells[address] : undefined;
      return cell === undefined ? nobody() : Promise.resolve({ ...cell, hint: data.hints[cell.hint] ?? "" });
    },
    proof: () => Promise.resolve(data.proof),
    edit: nobody,
    worksheet: nobody,
    answer: nobody,
    export: nobody,
    check: nobody,
  };
}
