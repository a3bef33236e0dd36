/** The matrices within an element: one grid each for the keyboard, marked where cells belong to each other. */
import { focusedIn } from "./focus";
import { type Mark, moved } from "./select";

export interface Painted {
  marks: ReadonlyMap<string, Mark>;
  terms: ReadonlyMap<string, readonly number[]>;
  /** The term that is looked at; its factors stand out. */
  term: number | null;
  changed: ReadonlySet<string>;
  /** Cells whose numbers are not to be seen yet. */
  covered: (address: string) => boolean;
}

export interface Handlers {
  over(address: string): void;
  out(): void;
  /** A cell was clicked, tapped or reached by a key. */
  choose(address: string): void;
  /** A given number is to be changed; `first`: what was typed already. */
  edit(cell: HTMLTableCellElement, first: string | null): void;
  /** Whether a single click on a given number is enough. */
  editing(): boolean;
  /** Called after new markup was dressed, for what else belongs in the cells. */
  dressed(root: Linked): void;
}

type Td = HTMLTableCellElement;
const CELL = "td[data-cell]";
const COVER = "?";
const STARTS_NUMBER = /^[0-9.\-−]$/;

export class Linked {
  private index = new Map<string, Td[]>();
  private painted: Painted | null = null;
  private marked: Td[] = [];
  private readonly observer = new MutationObserver(() => this.refresh());
  private readonly stop = new AbortController();

  constructor(
    readonly root: HTMLElement,
    private readonly on: Handlers,
  ) {
    const options = { signal: this.stop.signal };
    root.addEventListener("pointerover", (event) => this.pointer(event), options);
    root.addEventListener("pointerleave", () => on.out(), options);
    root.addEventListener("focusin", (event) => this.entered(event), options);
    root.addEventListener("click", (event) => this.clicked(event), options);
    root.addEventListener("dblclick", (event) => this.start(cellAt(event), null), options);
    root.addEventListener("keydown", (event) => this.pressed(event), options);
    this.refresh();
  }

  destroy(): void {
    this.stop.abort();
    this.observer.disconnect();
  }

  /** Every place where a cell stands. */
  at(address: string): readonly Td[] {
    return this.index.get(address) ?? [];
  }

  /** Brings the focus to a cell, or to the input in it. */
  focus(address: string): boolean {
    const cell = this.at(address).find((one) => one.offsetParent !== null);
    if (cell === undefined) return false;
    focusOn(cell);
    return true;
  }

  paint(painted: Painted): void {
    this.painted = painted;
    for (const cell of this.marked) bare(cell);
    this.marked = [];
    for (const [address, cells] of this.index) {
      if (cells.some((cell) => "covered" in cell.dataset) || painted.covered(address)) this.cover(address, cells, painted);
    }
    const touched = new Set([...painted.marks.keys(), ...painted.terms.keys(), ...painted.changed]);
    for (const address of touched) {
      for (const cell of this.at(address)) {
        dressCell(cell, address, painted);
        this.marked.push(cell);
      }
    }
  }

  /** Dresses what is new; the observer calls it whenever markup was put in. */
  private refresh(): void {
    this.observer.disconnect();
    this.index = new Map();
    for (const table of this.root.querySelectorAll<HTMLTableElement>("table[data-array]")) this.dress(table);
    this.on.dressed(this);
    if (this.painted !== null) this.paint(this.painted);
    this.observer.observe(this.root, { childList: true, subtree: true });
  }

  private dress(table: HTMLTableElement): void {
    const isNew = table.getAttribute("role") !== "grid";
    if (isNew) {
      table.setAttribute("role", "grid");
      table.closest(".wide")?.removeAttribute("tabindex");
      nameByCaption(table);
    }
    for (const cell of table.querySelectorAll<Td>(CELL)) {
      const address = cell.dataset["cell"] ?? "";
      const cells = this.index.get(address);
      if (cells === undefined) this.index.set(address, [cell]);
      else cells.push(cell);
      if (!isNew) continue;
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-readonly", String(!("written" in cell.dataset)));
      cell.tabIndex = -1;
    }
    if (isNew) enter(table);
  }

  private cover(address: string, cells: readonly Td[], painted: Painted): void {
    const isCovered = painted.covered(address);
    for (const cell of cells) {
      if (cell.querySelector("input") !== null) continue;
      if (isCovered && !("covered" in cell.dataset)) {
        cell.dataset["covered"] = cell.textContent ?? "";
        cell.textContent = COVER;
      } else if (!isCovered && "covered" in cell.dataset) {
        cell.textContent = cell.dataset["covered"] ?? "";
        delete cell.dataset["covered"];
      }
    }
    this.observer.takeRecords();
  }

  private pointer(event: PointerEvent): void {
    if (event.pointerType !== "mouse") return;
    const cell = cellAt(event);
    if (cell === null) this.on.out();
    else this.on.over(addressOf(cell));
  }

  private entered(event: FocusEvent): void {
    const cell = cellAt(event);
    if (cell === null) return;
    const table = cell.closest("table");
    if (table !== null) enter(table, cell);
    this.on.choose(addressOf(cell));
  }

  private clicked(event: MouseEvent): void {
    const cell = cellAt(event);
    if (cell === null || isInput(event.target)) return;
    if (this.on.editing()) this.start(cell, null);
    else if (focusedIn(cell) !== cell) focusOn(cell);
    else this.on.choose(addressOf(cell));
  }

  private start(cell: Td | null, first: string | null): boolean {
    if (cell === null || !("written" in cell.dataset) || cell.querySelector("input") !== null) return false;
    this.on.edit(cell, first);
    return true;
  }

  private pressed(event: KeyboardEvent): void {
    const cell = cellAt(event);
    if (cell === null || event.altKey || event.metaKey) return;
    const isVertical = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (isInput(event.target) && !(isVertical && "blank" in cell.dataset)) return;
    if (event.key === "Enter" || event.key === "F2") {
      if (this.start(cell, null)) event.preventDefault();
    } else if (STARTS_NUMBER.test(event.key) && !event.ctrlKey) {
      if (this.start(cell, event.key)) event.preventDefault();
    } else this.move(cell, event);
  }

  private move(cell: Td, event: KeyboardEvent): void {
    const rows = rowsOf(cell);
    const row = rows.findIndex((one) => one.includes(cell));
    const column = rows[row]?.indexOf(cell) ?? 0;
    const lengths = rows.map((one) => one.length);
    const to = moved(event.key, event.ctrlKey, [row, column], lengths);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    const next = rows[to[0]]?.[to[1]];
    if (next !== undefined && next !== cell) focusOn(next);
  }
}

/** A grid may own rows only, so its caption becomes its name. */
function nameByCaption(table: HTMLTableElement): void {
  const { caption } = table;
  if (caption === null) return;
  table.setAttribute("aria-label", (caption.textContent ?? "").trim().replace(/[:：]$/, ""));
  caption.setAttribute("aria-hidden", "true");
}

function dressCell(cell: Td, address: string, painted: Painted): void {
  const mark = painted.marks.get(address);
  const terms = painted.terms.get(address);
  if (mark !== undefined) cell.dataset["mark"] = mark;
  if (mark === "cell") select(cell);
  if (painted.changed.has(address)) cell.dataset["changed"] = "";
  if (terms === undefined) return;
  cell.dataset["term"] = terms.length > 3 ? `${terms.slice(0, 2).join(",")}…` : terms.join(",");
  if (painted.term !== null && terms.includes(painted.term)) cell.dataset["pulse"] = "";
}

function select(cell: Td): void {
  cell.setAttribute("aria-selected", "true");
  const table = cell.closest("table");
  if (table !== null && !table.contains(focusedIn(table))) enter(table, cell);
}

function bare(cell: Td): void {
  for (const name of ["mark", "term", "changed", "pulse"]) delete cell.dataset[name];
  cell.removeAttribute("aria-selected");
}

/** Makes one cell of a matrix the one that Tab leads to. */
function enter(table: HTMLTableElement, cell: Td | null = table.querySelector<Td>(CELL)): void {
  for (const other of table.querySelectorAll<Td>(`${CELL}[tabindex="0"]`)) other.tabIndex = -1;
  if (cell !== null) cell.tabIndex = 0;
}

function focusOn(cell: Td): void {
  (cell.querySelector("input") ?? cell).focus();
}

function rowsOf(cell: Td): Td[][] {
  const rows = [...(cell.closest("table")?.tBodies[0]?.rows ?? [])];
  return rows.map((row) => [...row.cells].filter((one): one is Td => one.matches(CELL))).filter((row) => row.length > 0);
}

function cellAt(event: Event): Td | null {
  return event.target instanceof Element ? event.target.closest<Td>(CELL) : null;
}

function addressOf(cell: Td): string {
  return cell.dataset["cell"] ?? "";
}

function isInput(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement;
}
