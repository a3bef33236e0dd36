/** The steps of a page, and which of them an address belongs to. */
import { arrayOf } from "./select";
import type { ExamplePage, Step } from "./types";

export interface Arranged {
  /** What stands before the first step, and after the last. */
  opening: string;
  steps: Step[];
  closing: string;
}

/** A page's parts: those with matrices are its steps, the others stand before or after them. */
export function arranged(page: ExamplePage | null): Arranged {
  const found: Arranged = { opening: page?.html ?? "", steps: [], closing: "" };
  for (const part of page?.steps ?? []) {
    if (part.address !== "" && !found.steps.some((one) => one.address === part.address)) found.steps.push(part);
    else if (part.html !== "" && found.steps.length === 0) found.opening += part.html;
    else if (part.html !== "") found.closing += `<h2>${part.title}</h2>${part.html}`;
  }
  found.closing += page?.closing ?? "";
  return found;
}

/** The step in whose matrices an address stands; -1 where there is none. */
export function stepOf(steps: readonly Step[], address: string): number {
  const array = arrayOf(address);
  const exact = steps.findIndex((step) => step.address === array);
  if (exact !== -1) return exact;
  const needle = `data-cell="${address}"`;
  return steps.findIndex((step) => step.html.includes(needle));
}
