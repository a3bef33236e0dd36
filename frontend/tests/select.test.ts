import { describe, expect, it } from "vitest";
import { around, arrayOf, marksOf, moved, termsOf } from "../src/lib/select";
import { stepOf } from "../src/lib/steps";
import type { CellView, Step } from "../src/lib/types";

const CELL: CellView = {
  address: "H0.score[2,0]",
  value: "0.92",
  digits: "0.92",
  exact: "23/25",
  html: "",
  hint: "",
  spoken: "",
  holds: "exact",
  uses: ["H0.Q[2,0]", "H0.Q[2,1]", "H0.K[0,0]", "H0.K[0,1]"],
  used_by: ["H0.scaled[2,0]"],
  pairs: [
    ["H0.Q[2,0]", "H0.K[0,0]"],
    ["H0.Q[2,1]", "H0.K[0,1]"],
  ],
  written: null,
};

describe("what is marked", () => {
  it("is the cell, what it uses and what uses it", () => {
    expect(Object.fromEntries(marksOf(CELL))).toEqual({
      "H0.score[2,0]": "cell",
      "H0.Q[2,0]": "uses",
      "H0.Q[2,1]": "uses",
      "H0.K[0,0]": "uses",
      "H0.K[0,1]": "uses",
      "H0.scaled[2,0]": "used-by",
    });
  });

  it("is the cell itself where it uses itself", () => {
    expect(marksOf({ ...CELL, uses: [CELL.address] }).get(CELL.address)).toBe("cell");
  });

  it("is nothing where nothing is looked at", () => {
    expect(marksOf(null).size).toBe(0);
    expect(termsOf(null).size).toBe(0);
  });

  it("numbers the factors of each term once", () => {
    expect(termsOf(CELL).get("H0.K[0,1]")).toEqual([2]);
    const square = termsOf({ ...CELL, pairs: [["a[0]", "a[0]"], ["a[0]", "b[0]"]] });
    expect(square.get("a[0]")).toEqual([1, 2]);
  });
});

describe("an address", () => {
  it.each([
    ["score[2,0]", "score"],
    ["L0.H1.exp_sum[3]", "L0.H1.exp_sum"],
    ["scale", "scale"],
  ])("%s stands in %s", (address, array) => {
    expect(arrayOf(address)).toBe(array);
  });

  it("leads to its step", () => {
    const step = (address: string, html = ""): Step => ({ address, given: false, made_from: [], title: "", html });
    const steps = [step("Q"), step("score", '<td data-cell="extra[0]">'), step("")];
    expect(stepOf(steps, "score[1,1]")).toBe(1);
    expect(stepOf(steps, "extra[0]")).toBe(1);
    expect(stepOf(steps, "nowhere[0]")).toBe(-1);
  });
});

describe("the arrows", () => {
  const ragged = [3, 3, 2];
  it.each([
    ["ArrowRight", false, [0, 0], [0, 1]],
    ["ArrowRight", false, [0, 2], [0, 2]],
    ["ArrowLeft", false, [1, 0], [1, 0]],
    ["ArrowDown", false, [1, 2], [2, 1]],
    ["ArrowDown", false, [2, 0], [2, 0]],
    ["ArrowUp", false, [0, 1], [0, 1]],
    ["Home", false, [1, 2], [1, 0]],
    ["End", false, [1, 0], [1, 2]],
    ["Home", true, [2, 1], [0, 0]],
    ["End", true, [0, 0], [2, 1]],
  ])("%s (control: %s) leads from %j to %j", (key, control, from, to) => {
    expect(moved(key, control, from as [number, number], ragged)).toEqual(to);
  });

  it("leave other keys alone", () => {
    expect(moved("Tab", false, [0, 0], ragged)).toBeNull();
  });
});

it("goes round a list", () => {
  expect([around(2, 1, 3), around(0, -1, 3), around(-1, 1, 3), around(0, 1, 0)]).toEqual([0, 2, 0, -1]);
});
