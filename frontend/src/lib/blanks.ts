/** The inputs of a quiz, in the cells of the matrices. */
import { focusedIn } from "./focus";
import type { Linked } from "./linked";
import type { Quiz } from "./quiz.svelte";

export interface Said {
  /** The name of a blank, for a screen reader. */
  label: (number: number) => string;
  right: string;
  wrong: string;
}

/** Puts an input into every blank cell, or brings what stands there up to date. */
export function fillBlanks(linked: Linked, quiz: Quiz, said: Said): void {
  for (const { address, number } of quiz.blanks) {
    for (const cell of linked.at(address)) {
      const input = cell.querySelector("input") ?? put(cell, number, address, quiz, said);
      mark(cell, input, address, quiz, said);
    }
  }
}

function put(cell: HTMLTableCellElement, number: number, address: string, quiz: Quiz, said: Said): HTMLInputElement {
  const input = document.createElement("input");
  input.className = "blank-input";
  input.placeholder = `(${number})`;
  input.size = 6;
  input.spellcheck = false;
  input.autocomplete = "off";
  input.setAttribute("aria-label", said.label(number));
  const judge = () => void quiz.answer(address, input.value.trim());
  input.addEventListener("change", judge);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    if (quiz.isRight(address, input.value.trim())) void quiz.move(1);
    else judge();
  });
  cell.dataset["blank"] = String(number);
  cell.replaceChildren(input);
  return input;
}

function mark(cell: HTMLTableCellElement, input: HTMLInputElement, address: string, quiz: Quiz, said: Said): void {
  const given = quiz.given.get(address);
  if (given !== undefined && focusedIn(input) !== input) input.value = given.answer;
  if (given?.isRevealed) input.value = given.answer;
  const judged = given?.judged ?? null;
  const verdict = judged === null ? "" : given?.isRevealed ? "revealed" : judged.right ? "right" : "wrong";
  cell.dataset["verdict"] = verdict;
  input.readOnly = given?.isRevealed ?? false;
  if (verdict === "wrong") input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
  if (verdict === "right" || verdict === "wrong") input.title = said[verdict];
  else input.removeAttribute("title");
}
