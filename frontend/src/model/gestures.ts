/** Mouse, fingers and wheel on the map. */
import type { Point } from "./view";

export interface Gestures {
  /** By CSS pixels, as the hand moves; false where there is nothing further. */
  pan: (dx: number, dy: number) => boolean;
  /** By doublings, about a point. */
  zoom: (by: number, at: Point) => void;
  press: (at: Point) => void;
  point: (at: Point | null) => void;
}

/** A hand that moves no further than this has pressed, not dragged. */
const STILL = 5;
const WHEEL = 1 / 240;
const LINE = 20;

/** Listens on an element until the signal; `origin` says where its area begins. */
export function gestures(element: HTMLElement, origin: () => Point, does: Gestures, signal: AbortSignal): void {
  const hands = new Map<number, Point>();
  let moved = 0;
  let most = 0;

  const at = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    const { x, y } = origin();
    return { x: event.clientX - box.left - x, y: event.clientY - box.top - y };
  };

  const down = (event: PointerEvent): void => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (hands.size === 0) moved = most = 0;
    hands.set(event.pointerId, at(event));
    most = Math.max(most, hands.size);
    element.setPointerCapture(event.pointerId);
  };

  const move = (event: PointerEvent): void => {
    const now = at(event);
    const before = hands.get(event.pointerId);
    if (before === undefined) {
      does.point(now);
      return;
    }
    const other = [...hands].find(([id]) => id !== event.pointerId)?.[1];
    hands.set(event.pointerId, now);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (other !== undefined) pinch(before, now, other);
    else if (moved > STILL) does.pan(before.x - now.x, before.y - now.y);
  };

  const pinch = (before: Point, now: Point, other: Point): void => {
    const [from, to] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    if (from > 0 && to > 0) does.zoom(Math.log2(to / from), middle);
    does.pan((before.x - now.x) / 2, (before.y - now.y) / 2);
  };

  const up = (event: PointerEvent): void => {
    if (!hands.delete(event.pointerId)) return;
    if (event.type === "pointerup" && hands.size === 0 && most === 1 && moved <= STILL) does.press(at(event));
  };

  const wheel = (event: WheelEvent): void => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
    if (event.ctrlKey || event.metaKey) does.zoom(-event.deltaY * unit * WHEEL * (event.ctrlKey ? 2 : 1), at(event));
    else if (!does.pan(turned(event) * unit, event.shiftKey ? 0 : event.deltaY * unit)) return;
    event.preventDefault();
  };

  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", up, { signal });
  element.addEventListener("pointercancel", up, { signal });
  element.addEventListener("pointerleave", () => does.point(null), { signal });
  element.addEventListener("wheel", wheel, { signal, passive: false });
}

/** How far a wheel goes to the side: a wheel of one axis does so with Shift. */
function turned(event: WheelEvent): number {
  return event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
}
