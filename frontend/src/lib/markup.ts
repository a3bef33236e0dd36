/** A step's markup, taken apart: its matrices, and what stands before and after them. */
import type { Step } from "./types";

export interface Parts {
  before: string;
  /** The markup of each matrix, by its array. */
  matrices: ReadonlyMap<string, string>;
  after: string;
  /** The cells of the step's matrices, in reading order. */
  cells: readonly string[];
}

const kept = new WeakMap<Step, Parts>();

export function partsOf(step: Step): Parts {
  let parts = kept.get(step);
  if (parts === undefined) {
    parts = take(step.html);
    kept.set(step, parts);
  }
  return parts;
}

function take(html: string): Parts {
  const template = document.createElement("template");
  template.innerHTML = html;
  const matrices = new Map<string, string>();
  const before: string[] = [];
  const after: string[] = [];
  const cells = new Set<string>();
  for (const node of template.content.childNodes) {
    const tables = node instanceof Element ? matricesIn(node) : [];
    for (const table of tables) {
      const array = table.dataset["array"] ?? "";
      if (!matrices.has(array)) matrices.set(array, table.outerHTML);
      for (const cell of table.querySelectorAll<HTMLElement>("td[data-cell]")) cells.add(cell.dataset["cell"] ?? "");
    }
    if (tables.length === 0) (matrices.size === 0 ? before : after).push(markup(node));
  }
  return { before: before.join(""), matrices, after: after.join(""), cells: [...cells] };
}

function matricesIn(element: Element): HTMLTableElement[] {
  const inner = [...element.querySelectorAll<HTMLTableElement>("table[data-array]")];
  return element.matches("table[data-array]") ? [element as HTMLTableElement, ...inner] : inner;
}

function markup(node: Node): string {
  return node instanceof Element ? node.outerHTML : (node.textContent ?? "").replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const MATHML = "http://www.w3.org/1998/Math/MathML";
const SIGNS = new Set(["+", "−", "-"]);
const RELATIONS = new Set(["=", "≈"]);

/** Numbers each term of a written-out sum of products, so that it can be pointed at; false where there is none. */
export function numberTerms(root: ParentNode, count: number): boolean {
  for (const chain of root.querySelectorAll(".equation .chain")) {
    for (const side of sidesOf(chain)) {
      const terms = termsIn(side);
      if (terms === null || terms.length !== count) continue;
      terms.forEach((nodes, place) => group(nodes, place + 1));
      return true;
    }
  }
  return false;
}

function group(nodes: readonly Element[], number: number): void {
  const row = document.createElementNS(MATHML, "mrow");
  row.setAttribute("data-term", String(number));
  nodes[0]?.before(row);
  row.append(...nodes);
}

/** What stands between the relations of a chain; a long side goes on in the next formula. */
function sidesOf(chain: Element): Element[][] {
  const sides: Element[][] = [[]];
  for (const math of chain.querySelectorAll("math")) {
    for (const child of math.children) {
      if (child.localName === "mo" && RELATIONS.has(child.textContent ?? "")) sides.push([]);
      else sides.at(-1)?.push(...(child.localName === "mrow" && !isSum(child) ? [child] : flat(child)));
    }
  }
  return sides;
}

function isSum(row: Element): boolean {
  return [...row.children].some(isSign);
}

function flat(child: Element): Element[] {
  return child.localName === "mrow" ? [...child.children] : [child];
}

function isSign(element: Element): boolean {
  return element.localName === "mo" && SIGNS.has(element.textContent ?? "") && element.getAttribute("form") !== "prefix";
}

/** The terms between the signs of a sum, where each has a "×" of its own; null where one has none. */
function termsIn(side: readonly Element[]): Element[][] | null {
  const terms: Element[][] = [[]];
  for (const element of side) {
    const last = terms.at(-1);
    if (isSign(element)) {
      if (last !== undefined && last.length > 0) terms.push([]);
    } else last?.push(element);
  }
  const isProduct = (nodes: readonly Element[]) => nodes.some((node) => (node.textContent ?? "").includes("×"));
  return terms.every(isProduct) ? terms : null;
}

/** Makes all headings of one level, that of the place they stand in. */
export function levelHeadings(root: ParentNode, level: number): void {
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    if (heading.localName === `h${level}`) continue;
    const other = document.createElement(`h${level}`);
    other.append(...heading.childNodes);
    heading.replaceWith(other);
  }
}

/** Makes links of the addresses that stand in a text; gives those that it found. */
export function linkAddresses(root: ParentNode, addresses: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const code of root.querySelectorAll("code")) {
    const address = code.textContent ?? "";
    if (!addresses.has(address) || code.closest("button, a") !== null) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.dataset["to"] = address;
    code.replaceWith(button);
    button.append(code);
    code.replaceChildren(...breakable(address));
    found.add(address);
  }
  return found;
}

/** An address that breaks, where it must, between its parts: `L1.H0.` and `weight`, `[2,0]`. */
function breakable(address: string): (string | HTMLElement)[] {
  return address.split(/(?<=\.)|(?=\[)/).flatMap((part, place) => (place === 0 ? [part] : [document.createElement("wbr"), part]));
}
