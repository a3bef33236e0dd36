/** The map of one head: cells as colours, words on both edges, and a small map of the whole. Needs no framework. */
import type { Digits } from "./digits";
import { gestures } from "./gestures";
import { type Inks, drawOver } from "./over";
import { type Palette, paint, pixelOf, pixelsOf } from "./paint";
import type { Tiles } from "./tiles";
import type { Table } from "./types";
import {
  CELL_OF_DIGITS,
  type Extent,
  type Grain,
  LARGEST_FIT,
  type Point,
  SIDE,
  type Size,
  type View,
  blocksAlong,
  blocksOf,
  cellAt,
  centred,
  clamped,
  edgeOf,
  fitZ,
  fitted,
  grainOf,
  middleOf,
  panned,
  revealing,
  scaleOf,
  seen,
  zoomed,
} from "./view";

/** One way of looking at one head. */
export interface Scene {
  extent: Extent;
  queryWords: readonly string[] | null;
  keyWords: readonly string[] | null;
  tiles: Tiles;
  digits: Digits | null;
  /** Whether blocks may be taken together here: the largest code is then that of the largest weight. */
  isTogether: boolean;
}

export interface Cell {
  query: number;
  key: number;
}

export interface Does {
  /** The reader chose what is at a place: a cell, or a block of them. */
  choose: (cell: Cell, grain: Grain) => void;
  point: (cell: Cell | null) => void;
  /** What is seen changed. */
  looked: (view: View, grain: Grain) => void;
}

const MINI = 112;
/** Cells get this large when one is to be read. */
const CELL_TO_READ = 64;
/** How much closer one press of a key brings, in doublings. */
export const ONE_ZOOM = 0.5;

export class TileMap {
  readonly cells = document.createElement("canvas");
  readonly over = document.createElement("canvas");
  readonly mini = document.createElement("canvas");
  private readonly stop = new AbortController();
  private readonly watch: ResizeObserver;
  private scene: Scene | null = null;
  private palette: Palette = { colours: new Uint32Array(256), outside: 0, pending: 0 };
  private colours: readonly string[] = [];
  private inks: Inks = { ink: "#000", soft: "#555", ground: "#eee", mark: "#00f", font: "sans-serif" };
  private view: View = { x: 0, y: 0, z: 0 };
  private wish: { middle: Point; z: number } | null = null;
  private isFitted = true;
  private cell: Cell | null = null;
  private pointed: Cell | null = null;
  private grain: Grain = { level: 0, factor: 1 };
  private frame = 0;
  private size: Size = { width: 0, height: 0 };
  private origin: Point = { x: 0, y: 0 };

  constructor(
    private readonly root: HTMLElement,
    private readonly does: Does,
  ) {
    this.cells.className = "cells hatched";
    this.over.className = "over";
    this.mini.className = "mini hatched";
    for (const canvas of [this.cells, this.over, this.mini]) {
      canvas.setAttribute("aria-hidden", "true");
      canvas.width = canvas.height = 0; // until it is drawn upon
      root.append(canvas);
    }
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(root);
    const { signal } = this.stop;
    gestures(this.over, () => this.origin, this.hands(), signal);
    this.watchMini(signal);
    this.recolour();
  }

  destroy(): void {
    this.stop.abort();
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    for (const canvas of [this.cells, this.over, this.mini]) canvas.remove();
  }

  // --- what is shown ---

  show(scene: Scene): void {
    const isSame = this.scene?.extent.queries === scene.extent.queries && this.scene.extent.keys === scene.extent.keys;
    this.scene = scene;
    this.pointed = null;
    if (!isSame) this.cell = null;
    this.root.style.setProperty("--queries-per-key", String(scene.extent.queries / scene.extent.keys));
    this.root.style.setProperty("--most", `${scene.extent.queries * LARGEST_FIT}px`);
    this.settle(isSame);
  }

  setTable(table: Table): void {
    this.colours = table.colours;
    this.palette = { ...this.palette, colours: pixelsOf(table.colours) };
    this.redraw();
  }

  /** Chooses a cell; brings it into sight. */
  setCell(cell: Cell | null): void {
    this.cell = cell;
    if (cell !== null && this.scene !== null && this.size.width > 0) this.look(revealing(this.view, cell.query, cell.key, this.scene.extent, this.size));
    this.redraw();
  }

  /** Looks at a place; null: at the whole. */
  lookAt(place: { middle: Point; z: number } | null): void {
    this.wish = place;
    this.isFitted = place === null;
    this.settle(false);
  }

  /** What `lookAt` would show again on any screen; null where the whole is seen. */
  place(): { middle: Point; z: number } | null {
    if (this.scene === null || this.size.width === 0) return this.wish;
    return this.isFitted ? null : { middle: middleOf(this.view, this.size), z: this.view.z };
  }

  /** Colours of the page changed. */
  recolour(): void {
    const style = getComputedStyle(this.root);
    const of = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
    const probe = (name: string, otherwise: string) => resolved(this.root, of(name, otherwise));
    this.inks = { ink: probe("--ink", "#000"), soft: probe("--soft", "#555"), ground: probe("--ground", "#eee"), mark: probe("--link", "#00f"), font: style.fontFamily };
    this.palette = { ...this.palette, outside: pixelOf(this.inks.ground), pending: pixelOf(probe("--line", "#ddd")) };
    this.redraw();
  }

  zoom(by: number, at: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    if (this.scene !== null) this.look(zoomed(this.view, by, at, this.scene.extent, this.size));
  }

  /** Zooms about the chosen cell where it is seen. */
  zoomAtCell(by: number): void {
    const { cell, view, size } = this;
    const scale = scaleOf(view);
    const at = cell === null ? null : { x: (cell.key + 0.5 - view.x) * scale, y: (cell.query + 0.5 - view.y) * scale };
    const isSeen = at !== null && at.x >= 0 && at.y >= 0 && at.x <= size.width && at.y <= size.height;
    this.zoom(by, isSeen ? at : undefined);
  }

  fit(): void {
    if (this.scene === null) return;
    this.isFitted = true;
    this.put(fitted(this.scene.extent, this.size));
  }

  /** Brings a cell to the middle, its digits to be read. */
  dive(cell: Cell): void {
    if (this.scene === null) return;
    const z = Math.max(this.view.z, Math.log2(CELL_TO_READ));
    const view = clamped({ ...this.view, z }, this.scene.extent, this.size);
    this.look(centred(view, cell.query, cell.key, this.scene.extent, this.size));
  }

  /** The cells in sight, and how they are drawn. */
  sight(): { queries: [number, number]; keys: [number, number]; grain: Grain } | null {
    return this.scene === null ? null : { ...seen(this.view, this.scene.extent, this.size), grain: this.grain };
  }

  redraw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  // --- where it looks ---

  private resize(): void {
    const { clientWidth } = this.root;
    this.root.style.setProperty("--wide", `${clientWidth}px`);
    const isNarrow = clientWidth < 520;
    this.origin = { x: isNarrow ? 58 : 84, y: isNarrow ? 52 : 64 };
    this.root.style.setProperty("--beside", `${this.origin.x}px`);
    this.root.style.setProperty("--above", `${this.origin.y}px`);
    const { clientHeight } = this.root; // as these make it
    this.size = { width: Math.max(0, clientWidth - this.origin.x), height: Math.max(0, clientHeight - this.origin.y) };
    const { x, y } = this.origin;
    this.cells.style.left = `${x}px`;
    this.cells.style.top = `${y}px`;
    sized(this.cells, this.size);
    sized(this.over, { width: clientWidth, height: clientHeight });
    this.settle(true);
  }

  /** Finds the view again for another size or another head. */
  private settle(isKept: boolean): void {
    const { scene, size } = this;
    if (scene === null || size.width < 1 || size.height < 1) return;
    if (this.wish !== null) {
      const { middle, z } = this.wish;
      const scale = 2 ** z;
      this.wish = null;
      this.isFitted = false;
      this.put(clamped({ x: middle.x - size.width / scale / 2, y: middle.y - size.height / scale / 2, z }, scene.extent, size));
    } else if (this.isFitted || !isKept) this.fit();
    else this.put(clamped(this.view, scene.extent, size));
  }

  private look(view: View): void {
    if (this.scene === null || view === this.view) return;
    this.isFitted = view.z <= fitZ(this.scene.extent, this.size) + 1e-9;
    this.put(view);
  }

  private put(view: View): void {
    if (this.scene === null) return;
    this.view = view;
    this.grain = grainOf(view, this.scene.extent, this.size, density(), this.scene.isTogether);
    this.redraw();
    this.does.looked(view, this.grain);
  }

  private hands(): Parameters<typeof gestures>[2] {
    return {
      pan: (dx, dy) => {
        const { scene, view } = this;
        if (scene === null) return false;
        const to = panned(view, dx, dy, scene.extent, this.size);
        if (to.x === view.x && to.y === view.y) return false;
        this.look(to);
        return true;
      },
      zoom: (by, at) => this.zoom(by, at),
      press: (at) => {
        const cell = this.scene === null || at.x < 0 || at.y < 0 ? null : cellAt(this.view, at, this.scene.extent);
        if (cell !== null) this.does.choose(cell, this.grain);
      },
      point: (at) => {
        const cell = this.scene === null || at === null || at.x < 0 || at.y < 0 ? null : cellAt(this.view, at, this.scene.extent);
        if (cell?.query === this.pointed?.query && cell?.key === this.pointed?.key) return;
        this.pointed = cell;
        this.does.point(cell);
        this.redraw();
      },
    };
  }

  // --- drawing ---

  private draw(): void {
    this.frame = 0;
    const { scene, size, view, grain } = this;
    if (scene === null || size.width < 1 || size.height < 1) return;
    this.ask(scene);
    drawCells(this.cells, scene, view, grain, scaleOf(view) * density(), this.palette);
    const context = this.over.getContext("2d");
    if (context !== null) {
      context.setTransform(density(), 0, 0, density(), 0, 0);
      drawOver(context, {
        view, extent: scene.extent, size, origin: this.origin, inks: this.inks,
        queryWords: scene.queryWords, keyWords: scene.keyWords, cell: this.cell, pointed: this.pointed,
        digits: scene.digits === null ? null : (query, key) => scene.digits?.get(query, key),
        colour: (query, key) => this.colourOf(scene, query, key),
        x: (key) => this.origin.x + edgeOf(key, view.x, 1 / (scaleOf(view) * density())) / density(),
        y: (query) => this.origin.y + edgeOf(query, view.y, 1 / (scaleOf(view) * density())) / density(),
      });
    }
    this.drawMini(scene);
    this.root.setAttribute("aria-busy", String(scene.tiles.isWaiting));
  }

  /** Asks for what is seen, from the middle outwards, and for the small map. */
  private ask(scene: Scene): void {
    const { queries, keys } = seen(this.view, scene.extent, this.size);
    const cells = SIDE * 16 ** this.grain.level;
    const tiles: { level: number; row: number; column: number }[] = [];
    for (let row = Math.floor(queries[0] / cells); row * cells < queries[1]; row++) {
      for (let column = Math.floor(keys[0] / cells); column * cells < keys[1]; column++) tiles.push({ level: this.grain.level, row, column });
    }
    const far = (tile: { row: number; column: number }) =>
      Math.hypot((tile.row + 0.5) * cells - (queries[0] + queries[1]) / 2, (tile.column + 0.5) * cells - (keys[0] + keys[1]) / 2);
    tiles.sort((one, other) => far(one) - far(other));
    const mini = this.isWhole() ? null : this.miniGrain(scene).level;
    scene.tiles.want(mini === null || mini === this.grain.level ? tiles : [...wholeOf(scene.extent, mini), ...tiles]);
    if (scene.digits !== null && scaleOf(this.view) >= CELL_OF_DIGITS) scene.digits.want("map", queries, keys);
  }

  private colourOf(scene: Scene, query: number, key: number): string | null {
    const found = scene.tiles.codes(0, Math.floor(query / SIDE), Math.floor(key / SIDE));
    const code = found === null ? 0 : (found.codes[(query % SIDE) * found.width + (key % SIDE)] ?? 0);
    return code === 0 ? null : (this.colours[code] ?? null);
  }

  // --- the small map ---

  private isWhole(): boolean {
    return this.scene === null || this.view.z <= fitZ(this.scene.extent, this.size) + 1e-9;
  }

  private miniSize(extent: Extent): Size {
    const scale = Math.min(MINI / extent.keys, MINI / extent.queries);
    return { width: Math.max(8, Math.round(extent.keys * scale)), height: Math.max(8, Math.round(extent.queries * scale)) };
  }

  private miniGrain(scene: Scene): Grain {
    const size = this.miniSize(scene.extent);
    return grainOf({ x: 0, y: 0, z: Math.log2(size.width / scene.extent.keys) }, scene.extent, size, density(), scene.isTogether);
  }

  private drawMini(scene: Scene): void {
    this.mini.hidden = this.isWhole();
    if (this.mini.hidden) return;
    const size = this.miniSize(scene.extent);
    const scale = size.width / scene.extent.keys;
    sized(this.mini, size);
    const whole = { x: 0, y: 0, z: Math.log2(scale) };
    drawCells(this.mini, scene, whole, this.miniGrain(scene), scale * density(), this.palette);
    const context = this.mini.getContext("2d");
    if (context === null) return;
    context.setTransform(density(), 0, 0, density(), 0, 0);
    const { queries, keys } = seen(this.view, scene.extent, this.size);
    const [width, height] = [Math.max(4, (keys[1] - keys[0]) * scale), Math.max(4, (queries[1] - queries[0]) * scale)];
    for (const [colour, thick] of [["#fff", 4], [this.inks.mark, 2]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = thick;
      context.strokeRect(keys[0] * scale, queries[0] * scale, width, height);
    }
  }

  private watchMini(signal: AbortSignal): void {
    const to = (event: PointerEvent) => {
      if (this.scene === null || event.buttons === 0) return;
      const box = this.mini.getBoundingClientRect();
      const { queries, keys } = this.scene.extent;
      const [key, query] = [((event.clientX - box.left) / box.width) * keys, ((event.clientY - box.top) / box.height) * queries];
      this.look(centred(this.view, query - 0.5, key - 0.5, this.scene.extent, this.size));
    };
    this.mini.addEventListener("pointerdown", (event) => { this.mini.setPointerCapture(event.pointerId); to(event); }, { signal });
    this.mini.addEventListener("pointermove", to, { signal });
  }
}

const density = (): number => window.devicePixelRatio || 1;

function sized(canvas: HTMLCanvasElement, size: Size): void {
  const [width, height] = [Math.round(size.width * density()), Math.round(size.height * density())];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
}

function wholeOf(extent: Extent, level: number): { level: number; row: number; column: number }[] {
  const grain = { level, factor: 1 };
  const found: { level: number; row: number; column: number }[] = [];
  for (let row = 0; row * SIDE < blocksOf(extent.queries, grain); row++) {
    for (let column = 0; column * SIDE < blocksOf(extent.keys, grain); column++) found.push({ level, row, column });
  }
  return found;
}

/** Every device pixel has the colour of the block that its middle lies in: no gaps, and no blurred edges. */
function drawCells(canvas: HTMLCanvasElement, scene: Scene, view: View, grain: Grain, pixelsPerCell: number, palette: Palette): void {
  const context = canvas.getContext("2d");
  if (context === null || canvas.width === 0 || canvas.height === 0) return;
  const image = context.createImageData(canvas.width, canvas.height);
  const rows = blocksAlong(view.y, 1 / pixelsPerCell, canvas.height, scene.extent.queries, grain);
  const columns = blocksAlong(view.x, 1 / pixelsPerCell, canvas.width, scene.extent.keys, grain);
  const out = new Uint32Array(image.data.buffer);
  paint(out, rows, columns, SIDE / grain.factor, (row, column) => scene.tiles.get(grain, row, column), palette);
  context.putImageData(image, 0, 0);
}

/** A colour of the page, whatever it is written as, as "#rrggbb". */
function resolved(root: HTMLElement, colour: string): string {
  const probe = document.createElement("span");
  probe.style.color = colour;
  root.append(probe);
  const found = /rgba?\((\d+),\s*(\d+),\s*(\d+)/.exec(getComputedStyle(probe).color);
  probe.remove();
  if (found === null) return "#888888";
  return `#${found.slice(1, 4).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}
