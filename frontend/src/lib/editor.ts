/** An input in the place of a given number. */

export interface Editing {
  cell: HTMLTableCellElement;
  value: string;
  /** What was typed already, in place of the value. */
  first: string | null;
  label: string;
  /** Takes what was typed; gives what is wrong with it, or null. */
  commit: (text: string) => Promise<string | null>;
  /** Called once, when the input is gone; `kept`: by Enter or Escape, so the focus stays in the matrix. */
  closed: (kept: boolean) => void;
}

let problems = 0;

/** Opens the input over the cell, whose width stays as it is. */
export function openEditor(editing: Editing): void {
  const { cell } = editing;
  const input = document.createElement("input");
  input.className = "editor";
  input.value = editing.first ?? editing.value;
  input.spellcheck = false;
  input.autocomplete = "off";
  input.setAttribute("aria-label", editing.label);
  const problem = bubble();
  let isBusy = false;
  let isClosed = false;

  const close = (kept: boolean): void => {
    if (isClosed) return;
    isClosed = true;
    problem.remove();
    input.remove();
    editing.closed(kept);
  };
  const commit = async (kept: boolean): Promise<void> => {
    if (isBusy || isClosed) return;
    const text = input.value.trim();
    if (text === editing.value || text === "") return close(kept);
    isBusy = true;
    const wrong = await editing.commit(text);
    isBusy = false;
    if (wrong === null) return close(kept);
    show(problem, wrong, input);
  };

  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") void commit(true);
    else if (event.key === "Escape") close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  input.addEventListener("input", () => hide(problem, input));
  input.addEventListener("blur", () => void (problem.isConnected ? close(false) : commit(false)));
  cell.append(input);
  input.focus();
  if (editing.first === null) input.select();
}

/** A note beside an input; it lies above all else, since matrices scroll within their frames. */
function bubble(): HTMLElement {
  const note = document.createElement("div");
  note.className = "problem bubble";
  note.id = `problem-${++problems}`;
  note.setAttribute("role", "alert");
  note.popover = "manual";
  return note;
}

function show(note: HTMLElement, text: string, input: HTMLInputElement): void {
  document.body.append(note);
  note.textContent = text;
  note.showPopover();
  const at = input.getBoundingClientRect();
  note.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - note.offsetWidth - 8))}px`;
  note.style.top = `${at.bottom + 6}px`;
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", note.id);
}

function hide(note: HTMLElement, input: HTMLInputElement): void {
  note.remove();
  input.removeAttribute("aria-invalid");
  input.removeAttribute("aria-describedby");
}
