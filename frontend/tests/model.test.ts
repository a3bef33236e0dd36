import { describe, expect, it } from "vitest";
import { MODEL_KEYS, actionOf, listed } from "../src/lib/keys";
import { linesOf } from "../src/lib/lines";
import { Digits } from "../src/model/digits";
import { cellIn, nextOf, placesOf } from "../src/model/find";
import { type ModelPlace, NOWHERE, fromModelHash, toModelHash } from "../src/model/hash";
import { sorted } from "../src/model/heads.svelte";
import type { RecordingPage } from "../src/model/types";

describe("the address", () => {
  it("holds the whole state, and can be read", () => {
    const place: ModelPlace = {
      lang: "zh", recording: "r1", head: "L5.H3", cell: { query: 39_999, key: 39_993 }, address: "L5.H3.Q[3,4]", middle: { y: 39_990.5, x: 12 }, z: -2.25,
      sort: "sink", pooled: "sum", against: "L4.H1", stages: true, table: true,
    };
    const hash = toModelHash(place);
    expect(hash).toContain("head=L5.H3&cell=39999,39993&address=L5.H3.Q[3,4]&z=-2.25&at=39990.5,12&sort=sink&pooled=sum&against=L4.H1");
    expect(fromModelHash(hash)).toEqual(place);
    expect(fromModelHash(toModelHash(NOWHERE))).toEqual(NOWHERE);
  });

  it("of another hand is taken as far as it can be", () => {
    expect(fromModelHash("#head=L5.H3&cell=39999,39993&z=8&lang=zh")).toEqual({
      ...NOWHERE, head: "L5.H3", cell: { query: 39_999, key: 39_993 }, z: 8, middle: { y: 39_999.5, x: 39_993.5 }, lang: "zh",
    });
    expect(fromModelHash("#cell=-1,x&z=nine&pooled=mean&lang=fr&at=1")).toEqual(NOWHERE);
  });
});

describe("words", () => {
  const words = ["The", " cat", " sat", " CAT", "s"];
  it("are found whatever their case, and gone round", () => {
    const places = placesOf(words, "cat");
    expect(places).toEqual([1, 3]);
    expect([nextOf(places, 1, 1), nextOf(places, 3, 1), nextOf(places, 1, -1), nextOf([], 0, 1)]).toEqual([3, 1, 3, null]);
    expect(placesOf(words, " ")).toEqual([]);
    expect(placesOf(null, "cat")).toEqual([]);
  });

  it("of a cell are two numbers", () => {
    expect([cellIn("12, 5"), cellIn("[12,5]"), cellIn("12，5")]).toEqual(Array(3).fill({ query: 12, key: 5 }));
    expect([cellIn("12"), cellIn("L0.H0.Q[1,2]"), cellIn("-1,2")]).toEqual([null, null, null]);
  });
});

it("heads are sorted by a score, those without it last", () => {
  const of = (sink: number | null) => ({ shown: {}, sort: { sink } });
  const page = { layers: [{ heads: ["a", "b"] }, { heads: ["c", "d"] }], heads: { a: of(0.1), b: of(null), c: of(0.7), d: of(0.1) } } as unknown as RecordingPage;
  expect(sorted(page, null)).toEqual(["a", "b", "c", "d"]);
  expect(sorted(page, "sink")).toEqual(["c", "a", "d", "b"]);
});

describe("digits", () => {
  it("are asked for in squares, each once, and no more than 1,600 at a time", async () => {
    const asked: [number, number, number, number][] = [];
    let given = 0;
    const digits = new Digits({ queries: 100, keys: 100 }, (queries, keys) => {
      asked.push([...queries, ...keys]);
      return Promise.resolve(Array.from({ length: queries[1] - queries[0] }, (_, down) =>
        Array.from({ length: keys[1] - keys[0] }, (_, along) => `${queries[0] + down},${keys[0] + along}`)));
    }, () => given++, (error) => { throw error; });
    digits.want("map", [3, 60], [5, 100]);
    await new Promise((done) => setTimeout(done, 20));
    for (let query = 3; query < 60; query++) for (let key = 5; key < 100; key++) expect(digits.get(query, key)).toBe(`${query},${key}`);
    expect(asked.every(([top, bottom, left, right]) => (bottom - top) * (right - left) <= 1600 && bottom <= 100 && right <= 100)).toBe(true);
    const cells = asked.reduce((sum, [top, bottom, left, right]) => sum + (bottom - top) * (right - left), 0);
    expect(cells).toBe(64 * 100);
    expect(given).toBe(asked.length);
    const before = asked.length;
    digits.want("map", [10, 20], [10, 20]);
    expect(asked.length).toBe(before);
  });
});

it("lines are read however they are cut", async () => {
  const pieces = ['{"stage":"run","label":"a","done":1,"of":2}\n{"rec', 'ording":"r7"}\n'];
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const found: unknown[] = [];
  for await (const line of linesOf(new Response(body))) found.push(line);
  expect(found).toEqual([{ stage: "run", label: "a", done: 1, of: 2 }, { recording: "r7" }]);
});

it("the keys of the map have one line each in the help, and arrows with Control another meaning", () => {
  const held = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const free = { typing: false, grid: false, control: false };
  expect(actionOf({ ...held, key: "ArrowUp" }, free, MODEL_KEYS)).toBe("up");
  expect(actionOf({ ...held, key: "ArrowUp", ctrlKey: true }, free, MODEL_KEYS)).toBe("peak-up");
  expect(actionOf({ ...held, key: "+" }, free, MODEL_KEYS)).toBe("zoom-in");
  expect(actionOf({ ...held, key: "{", shiftKey: true }, free, MODEL_KEYS)).toBe("previous-head");
  const lines = listed(MODEL_KEYS);
  expect(lines.find((line) => line.word === "web.key.move-cell")?.keys).toEqual(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
  expect(new Set(lines.map((line) => line.word)).size).toBe(lines.length);
});
