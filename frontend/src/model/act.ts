/** What each key does on the model page. */
import { type Action, type Key, actionOf, focusOf } from "../lib/keys";
import { ONE_ZOOM } from "./map";
import type { Model } from "./model.svelte";

/** How far the arrows go with Shift. */
const FAR = 16;

/** Whether a key was one of this page's own; those that all pages share are left to them. */
export function pressedOn(event: KeyboardEvent, model: Model, keys: readonly Key[]): boolean {
  const { target } = event;
  const scrolls = target instanceof Element && event.key.startsWith("Arrow") && target.closest(".panel, .wide:not(.reader *)") !== null;
  if (model.page === null || scrolls) return false;
  const focus = { ...focusOf(target), grid: false };
  const action = actionOf(event, focus, keys, model.app.singles);
  if (action === null || !act(action, event.shiftKey, model)) return false;
  event.preventDefault();
  return true;
}

function act(action: Action, isShifted: boolean, model: Model): boolean {
  const far = isShifted ? FAR : 1;
  switch (action) {
    case "up":
      model.move(-far, 0);
      return true;
    case "down":
      model.move(far, 0);
      return true;
    case "left":
      model.move(0, -far);
      return true;
    case "right":
      model.move(0, far);
      return true;
    case "peak-up":
      void model.peak("up");
      return true;
    case "peak-down":
      void model.peak("down");
      return true;
    case "peak-left":
      void model.peak("left");
      return true;
    case "peak-right":
      void model.peak("right");
      return true;
    case "worst":
      return model.compare.move(isShifted ? -1 : 1);
    case "stop":
      if (model.asking === null) return false;
      model.asking = null;
      return true;
    default:
      return look(action, model);
  }
}

function look(action: Action, model: Model): boolean {
  switch (action) {
    case "next-layer":
      model.step("layer", 1);
      break;
    case "previous-layer":
      model.step("layer", -1);
      break;
    case "next-head":
      model.step("head", 1);
      break;
    case "previous-head":
      model.step("head", -1);
      break;
    case "zoom-in":
      model.map?.zoomAtCell(ONE_ZOOM);
      break;
    case "zoom-out":
      model.map?.zoomAtCell(-ONE_ZOOM);
      break;
    case "zoom-fit":
      model.map?.fit();
      break;
    case "zoom-cell":
      if (model.cell === null) return false;
      model.map?.dive(model.cell);
      break;
    case "goto":
    case "find":
      model.asking = action;
      break;
    case "table":
      model.setTabled(!model.isTabled);
      break;
    case "stages":
      void model.setStaged(!model.isStaged);
      break;
    default:
      return false;
  }
  return true;
}
