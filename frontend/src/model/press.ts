/** What a press on a block of cells chooses. */
import { largestIn } from "./largest";
import { Tiles } from "./tiles";
import type { CellAt, ModelServer, Pooled } from "./types";
import type { Grain } from "./view";

export interface Pressed {
  recording: string;
  head: string;
  pooled: Pooled;
  tiles: Tiles;
}

const MOST_ASKED = 8;

/** The largest cell of the block that is drawn at a place. */
export function pressed(api: ModelServer, { recording, head, pooled, tiles }: Pressed, cell: CellAt, grain: Grain): Promise<CellAt> {
  const maxima = pooled === "max" ? tiles : maximaOf(api, recording, head, tiles);
  const digit = async ({ query, key }: CellAt) =>
    (await api.digits(recording, { head, queries: [query, query + 1], keys: [key, key + 1], against: null }))[0]?.[0] ?? "";
  const printed = api.offers.has("digits") ? (cells: readonly CellAt[]) => Promise.all(cells.slice(0, MOST_ASKED).map(digit)) : null;
  return largestIn(grain, cell, tiles.extent, (level, row, column) => maxima.bring(level, row, column), printed);
}

function maximaOf(api: ModelServer, recording: string, head: string, tiles: Tiles): Tiles {
  const ask = (level: number, row: number, column: number, signal: AbortSignal) =>
    api.tile(recording, { head, level, row, column, pooled: "max", against: null }, signal);
  return new Tiles(tiles.extent, ask, () => undefined, () => undefined, true);
}
