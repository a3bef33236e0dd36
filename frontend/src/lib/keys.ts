/** The keys of the page: one table, which the page obeys and the help shows. */

export type Action =
  | "next-step"
  | "previous-step"
  | "next-blank"
  | "previous-blank"
  | "hint"
  | "reveal"
  | "play"
  | "cover"
  | "layout"
  | "quiz"
  | "edit"
  | "undo"
  | "redo"
  | "stop"
  | "share"
  | "up"
  | "down"
  | "left"
  | "right"
  | "peak-up"
  | "peak-down"
  | "peak-left"
  | "peak-right"
  | "next-layer"
  | "previous-layer"
  | "next-head"
  | "previous-head"
  | "zoom-in"
  | "zoom-out"
  | "zoom-fit"
  | "zoom-cell"
  | "goto"
  | "find"
  | "worst"
  | "stages"
  | "table"
  | "theme"
  | "language"
  | "help";

export interface Key {
  /** As `KeyboardEvent.key` has it; "Control+" stands for Command as well. */
  keys: string[];
  action: Action;
  /** The key of the sentence that says what it does. */
  word: string;
  /** A key of one character, which the reader may turn off. */
  single: boolean;
}

function key(action: Action, ...keys: string[]): Key {
  return { keys, action, word: `web.key.${action}`, single: keys.every((name) => name.length === 1 && name !== " ") };
}

export const EXAMPLE_KEYS: readonly Key[] = [
  key("next-step", "ArrowRight", "."),
  key("previous-step", "ArrowLeft", ","),
  key("play", " "),
  key("hint", "h"),
  key("reveal", "Enter"),
  key("cover", "c"),
  key("layout", "a"),
  key("edit", "e"),
  key("undo", "Control+z", "u"),
  key("redo", "Control+Shift+z", "Control+y", "r"),
  key("quiz", "q"),
  key("next-blank", "n"),
  key("previous-blank", "p"),
  key("stop", "Escape"),
  key("share", "s"),
  key("theme", "t"),
  key("language", "l"),
  key("help", "?"),
];

/** Actions that need somebody who works things out. */
const NEED_SERVER: ReadonlySet<Action> = new Set(["edit", "undo", "redo", "quiz", "next-blank", "previous-blank", "share", "language"]);

/** The keys of a page that stands alone, in a file. */
export const ALONE_KEYS: readonly Key[] = EXAMPLE_KEYS.filter((one) => !NEED_SERVER.has(one.action));

export const CHECK_KEYS: readonly Key[] = [
  { ...key("next-blank", "n"), word: "web.key.next-claim" },
  { ...key("previous-blank", "p"), word: "web.key.previous-claim" },
  { ...key("next-step", "."), word: "web.key.next-number" },
  { ...key("previous-step", ","), word: "web.key.previous-number" },
  { ...key("reveal", "w", "Enter"), word: "web.key.working" },
  key("stop", "Escape"),
  key("theme", "t"),
  key("language", "l"),
  key("help", "?"),
];

const PEAK = "web.key.peak";
const MOVE = "web.key.move-cell";

export const MODEL_KEYS: readonly Key[] = [
  { ...key("up", "ArrowUp"), word: MOVE },
  { ...key("down", "ArrowDown"), word: MOVE },
  { ...key("left", "ArrowLeft"), word: MOVE },
  { ...key("right", "ArrowRight"), word: MOVE },
  { ...key("peak-up", "Control+ArrowUp"), word: PEAK },
  { ...key("peak-down", "Control+ArrowDown"), word: PEAK },
  { ...key("peak-left", "Control+ArrowLeft"), word: PEAK },
  { ...key("peak-right", "Control+ArrowRight"), word: PEAK },
  key("previous-layer", "["),
  key("next-layer", "]"),
  key("previous-head", "{"),
  key("next-head", "}"),
  key("zoom-in", "+", "="),
  key("zoom-out", "-"),
  key("zoom-fit", "0"),
  key("zoom-cell", "Enter"),
  key("goto", "g"),
  key("find", "/"),
  key("worst", "n"),
  key("table", "v"),
  key("stages", "p"),
  { ...key("stop", "Escape"), word: "web.key.close" },
  key("share", "s"),
  key("theme", "t"),
  key("language", "l"),
  key("help", "?"),
];

const MODEL_NEED_SERVER: ReadonlySet<Action> = new Set(["worst", "stages", "share", "language"]);

/** The keys of a recording's page that stands alone, in a file. */
export const MODEL_ALONE_KEYS: readonly Key[] = MODEL_KEYS.filter((one) => !MODEL_NEED_SERVER.has(one.action));

/** Keys as the help lists them: those that do the same in other directions stand in one line. */
export function listed(keys: readonly Key[]): { keys: string[]; word: string }[] {
  const lines: { keys: string[]; word: string }[] = [];
  for (const { keys: names, word } of keys) {
    const line = lines.find((one) => one.word === word);
    if (line === undefined) lines.push({ keys: [...names], word });
    else line.keys.push(...names);
  }
  return lines;
}

/** Keys within a matrix; they are the matrix's own (see `select.ts`) and stand here for the help. */
export const GRID_KEYS: readonly { keys: string[]; word: string }[] = [
  { keys: ["↑", "↓", "←", "→"], word: "web.key.grid.move" },
  { keys: ["Home", "End"], word: "web.key.grid.ends" },
  { keys: ["Enter", "F2"], word: "web.key.grid.edit" },
  { keys: ["Tab"], word: "web.key.grid.leave" },
];

export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Where the focus is, as far as it decides what a key means. */
export interface Focus {
  /** In something that takes text or has keys of its own: only keys with Control count, and Escape. */
  typing: boolean;
  /** In a matrix: arrows and Enter are the matrix's own. */
  grid: boolean;
  /** On a button or a link: Enter and space are its own. */
  control: boolean;
}

export function named(pressed: Pressed): string {
  const name = pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key;
  const control = pressed.ctrlKey || pressed.metaKey;
  return (control ? "Control+" : "") + (control && pressed.shiftKey ? "Shift+" : "") + name;
}

const OF_GRID = new Set(["ArrowLeft", "ArrowRight", "Enter"]);
const OF_CONTROL = new Set(["Enter", " "]);

/** The action that a key asks for here; null for a key that is not the page's. */
export function actionOf(pressed: Pressed, focus: Focus, keys: readonly Key[], singles = true): Action | null {
  if (pressed.altKey) return null;
  const name = named(pressed);
  if (focus.typing) return null;
  if (focus.grid && OF_GRID.has(name)) return null;
  if (focus.control && OF_CONTROL.has(name)) return null;
  if (!singles && name.length === 1 && name !== " " && name !== "?") return null;
  return keys.find((one) => one.keys.includes(name))?.action ?? null;
}

const TYPING = "input, textarea, select, [contenteditable=true], dialog[open] *";

/** What has the focus. */
export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return { typing: false, grid: false, control: false };
  return {
    typing: target.matches(TYPING),
    grid: target.closest("[role=grid]") !== null,
    control: target.closest("button, a, summary, [role=button]") !== null,
  };
}

const CAPS: Record<string, string> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Control: "Ctrl",
  Shift: "⇧",
  Escape: "Esc",
  Enter: "Enter",
};

/** The caps of a key as they are drawn: "Control+Shift+z" in three; `space` is the page's word for the bar. */
export function caps(name: string, space: string): string[] {
  return (name === "+" ? [name] : name.split("+")).map((part) => (part === " " ? space : (CAPS[part] ?? part)));
}
