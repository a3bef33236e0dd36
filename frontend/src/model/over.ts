/** What is drawn over the cells: words on both edges, the cross of the chosen cell, and digits. */
import { isLight } from "./paint";
import { CELL_OF_DIGITS, type Extent, type Point, type Size, type View, labelStep, scaleOf, seen } from "./view";

export interface Inks {
  ink: string;
  soft: string;
  ground: string;
  mark: string;
  font: string;
}

export interface Shown {
  view: View;
  extent: Extent;
  /** Of the cells' area, and where it begins. */
  size: Size;
  origin: Point;
  queryWords: readonly string[] | null;
  keyWords: readonly string[] | null;
  cell: { query: number; key: number } | null;
  pointed: { query: number; key: number } | null;
  digits: ((query: number, key: number) => string | undefined) | null;
  /** The colour of a cell; null where it is masked or not there. */
  colour: (query: number, key: number) => string | null;
  /** A CSS pixel at which a cell begins, rounded to device pixels. */
  x: (key: number) => number;
  y: (query: number) => number;
  inks: Inks;
}

export function drawOver(context: CanvasRenderingContext2D, shown: Shown): void {
  const { size, origin } = shown;
  context.clearRect(0, 0, origin.x + size.width, origin.y + size.height);
  context.save();
  context.beginPath();
  context.rect(origin.x, origin.y, size.width, size.height);
  context.clip();
  if (shown.digits !== null && scaleOf(shown.view) >= CELL_OF_DIGITS) drawDigits(context, shown, shown.digits);
  if (shown.pointed !== null) drawCross(context, shown, shown.pointed, 0.3);
  if (shown.cell !== null) {
    drawCross(context, shown, shown.cell, 0.6);
    drawRing(context, shown, shown.cell);
  }
  context.restore();
  drawQueries(context, shown);
  drawKeys(context, shown);
}

function drawDigits(context: CanvasRenderingContext2D, shown: Shown, digits: NonNullable<Shown["digits"]>): void {
  const { queries, keys } = seen(shown.view, shown.extent, shown.size);
  const side = scaleOf(shown.view);
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let query = queries[0]; query < queries[1]; query++) {
    for (let key = keys[0]; key < keys[1]; key++) {
      const text = digits(query, key);
      const colour = shown.colour(query, key);
      if (!text || colour === null) continue;
      context.font = `${Math.min(15, (side * 1.55) / Math.max(text.length, 4))}px ${shown.inks.font}`;
      context.fillStyle = isLight(colour) ? "#000" : "#fff";
      context.fillText(text, shown.x(key) + side / 2, shown.y(query) + side / 2, side - 4);
    }
  }
}

/** Two lines, light in dark, so that they stand out from every colour. */
function drawCross(context: CanvasRenderingContext2D, shown: Shown, cell: { query: number; key: number }, strength: number): void {
  const { origin, extent } = shown;
  const size = { width: Math.min(shown.size.width, shown.x(extent.keys) - origin.x), height: Math.min(shown.size.height, shown.y(extent.queries) - origin.y) };
  const [left, right] = [shown.x(cell.key), shown.x(cell.key + 1)];
  const [top, bottom] = [shown.y(cell.query), shown.y(cell.query + 1)];
  const isWide = right - left > 6;
  context.globalAlpha = strength;
  const line = (along: number, isAcross: boolean, colour: string, thick: number) => {
    context.fillStyle = colour;
    if (isAcross) context.fillRect(origin.x, along - thick / 2, size.width, thick);
    else context.fillRect(along - thick / 2, origin.y, thick, size.height);
  };
  for (const [colour, thick] of [["#fff", 3], ["#000", 1]] as const) {
    for (const at of isWide ? [top, bottom] : [(top + bottom) / 2]) line(at, true, colour, thick);
    for (const at of isWide ? [left, right] : [(left + right) / 2]) line(at, false, colour, thick);
  }
  context.globalAlpha = 1;
}

function drawRing(context: CanvasRenderingContext2D, shown: Shown, cell: { query: number; key: number }): void {
  const [left, top] = [shown.x(cell.key), shown.y(cell.query)];
  const [width, height] = [shown.x(cell.key + 1) - left, shown.y(cell.query + 1) - top];
  const out = Math.max(0, (9 - Math.min(width, height)) / 2);
  for (const [colour, thick] of [["#fff", 6], [shown.inks.mark, 3]] as const) {
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.strokeRect(left - out, top - out, width + 2 * out, height + 2 * out);
  }
}

const ROOM = 15;
const PAD = 6;

function drawQueries(context: CanvasRenderingContext2D, shown: Shown): void {
  const { origin, size, view, extent, inks } = shown;
  const step = labelStep(view, ROOM);
  const [from, to] = seen(view, extent, size).queries;
  context.save();
  context.beginPath();
  context.rect(0, origin.y, origin.x, size.height);
  context.clip();
  context.textAlign = "right";
  context.textBaseline = "middle";
  const label = (query: number, isChosen: boolean) => {
    const y = held((shown.y(query) + shown.y(query + 1)) / 2, origin.y, size.height);
    written(context, inks, isChosen, labelOf(shown.queryWords, query, step), origin.x - PAD, y, origin.x - PAD - 2);
  };
  const chosen = shown.cell?.query ?? -1;
  for (let query = Math.ceil(from / step) * step; query < to; query += step) {
    const isHidden = chosen !== -1 && Math.abs(query - chosen) * scaleOf(view) < ROOM && query !== chosen;
    if (!isHidden) label(query, query === chosen);
  }
  if (chosen >= from && chosen < to && chosen % step !== 0) label(chosen, true);
  context.restore();
}

function drawKeys(context: CanvasRenderingContext2D, shown: Shown): void {
  const { origin, size, view, extent, inks } = shown;
  const step = labelStep(view, ROOM);
  const [from, to] = seen(view, extent, size).keys;
  context.save();
  context.beginPath();
  context.rect(origin.x, 0, size.width, origin.y);
  context.clip();
  context.textAlign = "left";
  context.textBaseline = "middle";
  const isFlat = scaleOf(view) >= 76;
  const label = (key: number, isChosen: boolean) => {
    const x = held((shown.x(key) + shown.x(key + 1)) / 2, origin.x, size.width);
    const text = labelOf(shown.keyWords, key, step);
    context.save();
    if (isFlat) {
      context.textAlign = "center";
      written(context, inks, isChosen, text, x, origin.y - 10, scaleOf(view) - 4);
    } else {
      context.translate(x, origin.y - PAD);
      context.rotate(-Math.PI / 2);
      written(context, inks, isChosen, text, 0, 0, origin.y - PAD - 2);
    }
    context.restore();
  };
  const chosen = shown.cell?.key ?? -1;
  for (let key = Math.ceil(from / step) * step; key < to; key += step) {
    const isHidden = chosen !== -1 && Math.abs(key - chosen) * scaleOf(view) < ROOM && key !== chosen;
    if (!isHidden) label(key, key === chosen);
  }
  if (chosen >= from && chosen < to && chosen % step !== 0) label(chosen, true);
  context.restore();
}

const HALF_LINE = 7;

/** The labels of the first and the last place are moved in, to be read whole. */
function held(at: number, from: number, length: number): number {
  const [first, last] = [from + HALF_LINE, from + length - HALF_LINE];
  if (at < first && at >= from) return first;
  return at > last && at <= from + length ? last : at;
}

/** The word alone where every word has room; else its place as well, or its place alone where there are no words. */
function labelOf(words: readonly string[] | null, at: number, step: number): string {
  const word = words?.[at];
  if (word === undefined) return String(at);
  return step === 1 ? visible(word) : `${at} ${visible(word)}`;
}

/** A word as it can be seen: its spaces and ends of lines have signs. */
export function visible(word: string): string {
  return word.replaceAll("\n", "⏎").replaceAll("\t", "⇥").replace(/^ +| +$/g, (spaces) => "·".repeat(spaces.length));
}

function written(context: CanvasRenderingContext2D, inks: Inks, isChosen: boolean, text: string, x: number, y: number, most: number): void {
  context.font = `${isChosen ? "700 " : ""}12px ${inks.font}`;
  context.fillStyle = isChosen ? inks.mark : inks.soft;
  context.fillText(fitting(context, text, most), x, y);
}

function fitting(context: CanvasRenderingContext2D, text: string, most: number): string {
  if (context.measureText(text).width <= most) return text;
  const signs = [...text];
  while (signs.length > 1 && context.measureText(`${signs.join("")}…`).width > most) signs.pop();
  return `${signs.join("")}…`;
}
