/** Tiles of one way of looking at one head: asked for when they come into sight, kept, and given up when they leave it. */
import { isSuperseded } from "../lib/api";
import { type Codes, together, tileLength } from "./paint";
import { BASE, type Extent, type Grain, SIDE, blocksOf } from "./view";

export type AskTile = (level: number, row: number, column: number, signal: AbortSignal) => Promise<Uint8Array>;

interface Wanted {
  level: number;
  row: number;
  column: number;
}

/** Bytes of codes that are kept; the tiles in sight are kept in any case. */
const MOST_KEPT = 48 * 2 ** 20;
const AT_ONCE = 4;

export class Tiles {
  private readonly kept = new Map<string, Uint8Array>();
  private readonly pooled = new Map<string, { codes: Uint8Array; width: number }>();
  private readonly asked = new Map<string, AbortController>();
  private wanted: Wanted[] = [];
  private size = 0;
  private isOver = false;

  constructor(
    readonly extent: Extent,
    private readonly ask: AskTile,
    private readonly came: () => void,
    private readonly fail: (error: unknown) => void,
    /** Whether codes of all levels are of one table, so that a coarse tile may stand in for fine ones. */
    private readonly isOneTable: boolean,
  ) {}

  /** Those in sight, the nearest to the middle first; whatever else was asked for is given up. */
  want(tiles: Wanted[]): void {
    const keys = new Set(tiles.map(nameOf));
    for (const [key, giveUp] of this.asked) if (!keys.has(key)) giveUp.abort();
    this.wanted = tiles.filter((tile) => !this.kept.has(nameOf(tile)) && !this.asked.has(nameOf(tile)));
    for (const tile of tiles) this.touch(nameOf(tile));
    this.shed(keys);
    this.next();
  }

  get isWaiting(): boolean {
    return this.asked.size > 0 || this.wanted.length > 0;
  }

  stop(): void {
    this.isOver = true;
    this.wanted = [];
    for (const giveUp of this.asked.values()) giveUp.abort();
  }

  /** The codes of a tile of this grain, or of a coarser one that stands in for it. */
  get(grain: Grain, row: number, column: number): Codes | null {
    const found = this.own(grain, row, column);
    if (found !== null || !this.isOneTable) return found;
    const side = SIDE / grain.factor;
    for (let up = 1; BASE ** (grain.level + up - 1) <= Math.max(this.extent.queries, this.extent.keys); up++) {
      const step = BASE ** up / grain.factor;
      const [above, beside] = [Math.floor((row * side) / (step * SIDE)), Math.floor((column * side) / (step * SIDE))];
      const level = grain.level + up;
      const codes = this.kept.get(nameOf({ level, row: above, column: beside }));
      if (codes === undefined) continue;
      return { codes, width: this.widthOf(level, beside), top: above * SIDE * step, left: beside * SIDE * step, step };
    }
    return null;
  }

  private own({ level, factor }: Grain, row: number, column: number): Codes | null {
    const key = nameOf({ level, row, column });
    const codes = this.kept.get(key);
    if (codes === undefined) return null;
    const side = SIDE / factor;
    let shown = this.pooled.get(`${key}/${factor}`);
    if (shown === undefined) {
      shown = together(codes, this.widthOf(level, column), factor);
      if (factor > 1) this.pooled.set(`${key}/${factor}`, shown);
    }
    return { ...shown, top: row * side, left: column * side, step: 1 };
  }

  /** A tile's codes as they came; null where it has not come. */
  codes(level: number, row: number, column: number): { codes: Uint8Array; width: number } | null {
    const codes = this.kept.get(nameOf({ level, row, column }));
    return codes === undefined ? null : { codes, width: this.widthOf(level, column) };
  }

  /** One tile, now, whether or not it is in sight. */
  async bring(level: number, row: number, column: number): Promise<{ codes: Uint8Array; width: number }> {
    const known = this.codes(level, row, column);
    if (known !== null) return known;
    const codes = await this.ask(level, row, column, new AbortController().signal);
    this.keep(nameOf({ level, row, column }), codes);
    return { codes, width: this.widthOf(level, column) };
  }

  private widthOf(level: number, column: number): number {
    return tileLength(blocksOf(this.extent.keys, { level, factor: 1 }), column);
  }

  private next(): void {
    while (!this.isOver && this.asked.size < AT_ONCE) {
      const tile = this.wanted.shift();
      if (tile === undefined) return;
      void this.fetch(tile);
    }
  }

  private async fetch(tile: Wanted): Promise<void> {
    const key = nameOf(tile);
    const giveUp = new AbortController();
    this.asked.set(key, giveUp);
    try {
      this.keep(key, await this.ask(tile.level, tile.row, tile.column, giveUp.signal));
    } catch (error) {
      if (!isSuperseded(error) && !this.isOver) this.fail(error);
    } finally {
      this.asked.delete(key);
      if (!this.isOver) {
        this.next();
        this.came();
      }
    }
  }

  private keep(key: string, codes: Uint8Array): void {
    if (this.kept.has(key)) return;
    this.kept.set(key, codes);
    this.size += codes.length;
  }

  private touch(key: string): void {
    const codes = this.kept.get(key);
    if (codes === undefined) return;
    this.kept.delete(key);
    this.kept.set(key, codes);
  }

  private shed(needed: ReadonlySet<string>): void {
    for (const [key, codes] of this.kept) {
      if (this.size <= MOST_KEPT) return;
      if (needed.has(key)) continue;
      this.kept.delete(key);
      for (const name of [...this.pooled.keys()]) if (name.startsWith(`${key}/`)) this.pooled.delete(name);
      this.size -= codes.length;
    }
  }
}

const MOST_TURNS = 60;
const TURN_MS = 50;

/** Waits, for a while, until the tiles in sight are there: the map comes first, small pictures after it. */
export async function quiet(tiles: () => Tiles | null): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS && (tiles() === null || tiles()?.isWaiting === true); turn++) {
    await new Promise((done) => setTimeout(done, TURN_MS));
  }
}

function nameOf({ level, row, column }: Wanted): string {
  return `${level}:${row}:${column}`;
}
