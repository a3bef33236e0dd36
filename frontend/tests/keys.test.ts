import { describe, expect, it } from "vitest";
import { CHECK_KEYS, EXAMPLE_KEYS, type Focus, type Pressed, actionOf, caps, named } from "../src/lib/keys";

const FREE: Focus = { typing: false, grid: false, control: false };

function press(key: string, held: Partial<Pressed> = {}): Pressed {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
}

describe("a key", () => {
  it.each([
    [press("ArrowRight"), "next-step"],
    [press(","), "previous-step"],
    [press("H"), "hint"],
    [press(" "), "play"],
    [press("?", { shiftKey: true }), "help"],
    [press("z", { ctrlKey: true }), "undo"],
    [press("Z", { metaKey: true, shiftKey: true }), "redo"],
    [press("x"), null],
    [press("h", { altKey: true }), null],
    [press("c", { ctrlKey: true }), null],
  ])("%j does %s", (pressed, action) => {
    expect(actionOf(pressed, FREE, EXAMPLE_KEYS)).toBe(action);
  });

  it("is the input's own where one types", () => {
    for (const key of ["h", "Enter", " ", "?"]) expect(actionOf(press(key), { ...FREE, typing: true }, EXAMPLE_KEYS)).toBeNull();
  });

  it("moves within the matrix that has the focus, and leaves the others to the page", () => {
    const focus = { ...FREE, grid: true };
    expect(actionOf(press("ArrowRight"), focus, EXAMPLE_KEYS)).toBeNull();
    expect(actionOf(press("Enter"), focus, EXAMPLE_KEYS)).toBeNull();
    expect(actionOf(press("."), focus, EXAMPLE_KEYS)).toBe("next-step");
  });

  it("presses the button that has the focus", () => {
    const focus = { ...FREE, control: true };
    expect(actionOf(press(" "), focus, EXAMPLE_KEYS)).toBeNull();
    expect(actionOf(press("h"), focus, EXAMPLE_KEYS)).toBe("hint");
  });

  it("of one character can be turned off, except for the help", () => {
    expect(actionOf(press("h"), FREE, EXAMPLE_KEYS, false)).toBeNull();
    expect(actionOf(press("ArrowLeft"), FREE, EXAMPLE_KEYS, false)).toBe("previous-step");
    expect(actionOf(press("?"), FREE, EXAMPLE_KEYS, false)).toBe("help");
  });
});

describe("the table of keys", () => {
  it.each([EXAMPLE_KEYS, CHECK_KEYS])("gives each key one meaning", (...keys) => {
    const names = keys.flatMap((key) => key.keys);
    expect(new Set(names).size).toBe(names.length);
  });

  it("draws caps", () => {
    expect(caps("Control+Shift+z", "Space")).toEqual(["Ctrl", "⇧", "z"]);
    expect(caps(" ", "Space")).toEqual(["Space"]);
    expect(named(press("A", { ctrlKey: true }))).toBe("Control+a");
  });
});
