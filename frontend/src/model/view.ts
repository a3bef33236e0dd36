/** Where the map looks: from cells to pixels and back. A query is a row, a key is a column. */

/** Of the drawing area, in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Extent {
  queries: number;
  keys: number;
}

/** `x`, `y`: the cell coordinates of the upper left corner; `z`: the binary logarithm of CSS pixels per cell. */
export interface View {
  x: number;
  y: number;
  z: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The side of a tile, in blocks, and of a block, in blocks of the level below. */
export const SIDE = 256;
export const BASE = 16;
/** Cells get no larger than this; digits stand in them from the other size on. */
export const LARGEST_CELL = 112;
export const CELL_OF_DIGITS = 44;
/** When the whole does not fill the area, its cells get no larger than this. */
export const LARGEST_FIT = 56;

export const scaleOf = (view: View): number => 2 ** view.z;

/** The z at which everything can be seen. */
export function fitZ(extent: Extent, size: Size): number {
  const scale = Math.min(size.width / extent.keys, size.height / extent.queries);
  return Math.log2(Math.min(Math.max(scale, Number.MIN_VALUE), LARGEST_FIT));
}

export function fitted(extent: Extent, size: Size): View {
  return clamped({ x: 0, y: 0, z: fitZ(extent, size) }, extent, size);
}

/** The nearest view that shows no more than there is: what is smaller than the area stands at its upper left. */
export function clamped(view: View, extent: Extent, size: Size): View {
  const most = Math.log2(LARGEST_CELL);
  const z = Math.min(Math.max(view.z, Math.min(fitZ(extent, size), most)), most);
  const scale = 2 ** z;
  return { x: held(view.x, extent.keys - size.width / scale), y: held(view.y, extent.queries - size.height / scale), z };
}

function held(at: number, most: number): number {
  return Math.min(Math.max(at, 0), Math.max(most, 0));
}

/** Looks closer by `by` doublings; what lies under a point stays there. */
export function zoomed(view: View, by: number, at: Point, extent: Extent, size: Size): View {
  const z = clamped({ ...view, z: view.z + by }, extent, size).z;
  const [before, after] = [scaleOf(view), 2 ** z];
  return clamped({ x: view.x + at.x / before - at.x / after, y: view.y + at.y / before - at.y / after, z }, extent, size);
}

/** Moves what is seen by CSS pixels. */
export function panned(view: View, dx: number, dy: number, extent: Extent, size: Size): View {
  const scale = scaleOf(view);
  return clamped({ ...view, x: view.x + dx / scale, y: view.y + dy / scale }, extent, size);
}

/** Puts the middle of a cell in the middle. */
export function centred(view: View, query: number, key: number, extent: Extent, size: Size): View {
  const scale = scaleOf(view);
  const [x, y] = [key + 0.5 - size.width / scale / 2, query + 0.5 - size.height / scale / 2];
  return clamped({ ...view, x, y }, extent, size);
}

/** The cell coordinates in the middle: a view on another screen can be made from them. */
export function middleOf(view: View, size: Size): Point {
  const scale = scaleOf(view);
  return { x: view.x + size.width / scale / 2, y: view.y + size.height / scale / 2 };
}

/** Moves as little as needed to bring a whole cell into sight; the very same view where it is seen already. */
export function revealing(view: View, query: number, key: number, extent: Extent, size: Size): View {
  const scale = scaleOf(view);
  const x = nearest(view.x, key, size.width / scale);
  const y = nearest(view.y, query, size.height / scale);
  return x === view.x && y === view.y ? view : clamped({ ...view, x, y }, extent, size);
}

function nearest(from: number, cell: number, length: number): number {
  if (length <= 1) return cell;
  return Math.min(Math.max(from, cell + 1 - length), cell);
}

/** The cell under a point; null beside the matrix. */
export function cellAt(view: View, at: Point, extent: Extent): { query: number; key: number } | null {
  const scale = scaleOf(view);
  const [query, key] = [Math.floor(view.y + at.y / scale), Math.floor(view.x + at.x / scale)];
  const isInside = query >= 0 && key >= 0 && query < extent.queries && key < extent.keys;
  return isInside ? { query, key } : null;
}

/** What is drawn as one: blocks of `BASE ** level` cells each way, `factor` of them each way taken together here. */
export interface Grain {
  level: number;
  factor: number;
}

export const cellsOf = ({ level, factor }: Grain): number => BASE ** level * factor;

/** No more tiles than this are asked for to draw one view. */
export const MOST_TILES = 64;
const FACTORS = [1, 2, 4, 8];

/**
 * The finest grain whose blocks are no smaller than a device pixel; blocks may be taken together by twos, where that is
 * allowed, rather than by sixteens, as long as few enough tiles are seen.
 */
export function grainOf(view: View, extent: Extent, size: Size, density: number, together: boolean): Grain {
  const pixels = scaleOf(view) * density;
  for (let level = 0; ; level++) {
    for (const factor of together ? FACTORS : [1]) {
      const grain = { level, factor };
      const isLast = cellsOf(grain) >= Math.max(extent.queries, extent.keys);
      const isFine = pixels * cellsOf(grain) >= 1 - 1e-9;
      if (isLast || (isFine && (factor === 1 || tilesSeen(view, extent, size, level) <= MOST_TILES))) return grain;
    }
  }
}

function tilesSeen(view: View, extent: Extent, size: Size, level: number): number {
  const cells = SIDE * BASE ** level;
  const scale = scaleOf(view);
  const along = (from: number, length: number, of: number) =>
    Math.floor(Math.min(from + length, of - 1) / cells) - Math.floor(from / cells) + 1;
  return along(view.x, size.width / scale, extent.keys) * along(view.y, size.height / scale, extent.queries);
}

/** No figure has more squares than this along a side. */
const MOST_SQUARES = 128;

/** The first level, from one on, at which so many cells make no more squares than a figure may have. */
export function levelOf(cells: number, from: number): number {
  let level = from;
  while (cells / BASE ** level + 1 > MOST_SQUARES) level++; // the first and the last block may be in sight in part
  return level;
}

/** How many blocks there are of so many cells. */
export const blocksOf = (cells: number, grain: Grain): number => Math.ceil(cells / cellsOf(grain));

/**
 * The block of each device pixel, by the pixel's middle; -1 beside the matrix.
 *
 * @param from the cell coordinate at the first pixel's edge
 * @param cellsPerPixel of the device
 */
export function blocksAlong(from: number, cellsPerPixel: number, length: number, cells: number, grain: Grain): Int32Array {
  const side = cellsOf(grain);
  const found = new Int32Array(length);
  for (let pixel = 0; pixel < length; pixel++) {
    const cell = from + (pixel + 0.5) * cellsPerPixel;
    found[pixel] = cell < 0 || cell >= cells ? -1 : Math.floor(cell / side);
  }
  return found;
}

/** The device pixel at which a cell begins: just where `blocksAlong` has its first. */
export function edgeOf(cell: number, from: number, cellsPerPixel: number): number {
  return Math.ceil((cell - from) / cellsPerPixel - 0.5);
}

/** Every how manieth place gets a label, so that labels are at least `room` CSS pixels apart. */
export function labelStep(view: View, room: number): number {
  const least = room / scaleOf(view);
  if (least <= 1) return 1;
  const ten = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * ten).find((step) => step >= least - 1e-9) ?? ten * 10;
}

/** The cells in sight, in part or whole. */
export function seen(view: View, extent: Extent, size: Size): { queries: [number, number]; keys: [number, number] } {
  const scale = scaleOf(view);
  const along = (from: number, length: number, of: number): [number, number] => [
    Math.max(Math.floor(from), 0),
    Math.min(Math.ceil(from + length / scale), of),
  ];
  return { queries: along(view.y, size.height, extent.queries), keys: along(view.x, size.width, extent.keys) };
}
