import { describe, expect, it } from "vitest";
import { MOST_DATA, NOWHERE, type Place, fromHash, packed, toHash, unpacked } from "../src/lib/hash";

const EDITED = JSON.stringify({ title: "它在看谁?", tokens: ["小猫", "<b>", "\u202e"], inputs: { Q: [["sqrt(2)", "1/3"]] } });

describe("the fragment of the address", () => {
  const places: Partial<Place>[] = [
    {},
    { example: "kitten", step: "score", cell: "score[2,0]" },
    { example: "two-heads", layout: "all", step: "H0.score", cell: "H0.score[1,1]", lang: "zh" },
    { data: EDITED, cell: "Q[0,1]", precision: "exact", cover: true },
    { example: "kitten", precision: "12", carry: 4, seed: 7, blanks: 5 },
    { example: "a&b=c#d%", step: "名", lang: "en" },
  ];

  it.each(places)("holds all of %j", async (some) => {
    const place = { ...NOWHERE, ...some };
    expect(await fromHash(await toHash(place))).toEqual(place);
  });

  it("is empty where nothing is said", async () => {
    expect(await toHash(NOWHERE)).toBe("");
  });

  it("can be read", async () => {
    const hash = await toHash({ ...NOWHERE, example: "kitten", cell: "score[2,0]" });
    expect(hash).toBe("#example=kitten&cell=score[2,0]");
  });

  it("names no example beside data", async () => {
    const hash = await toHash({ ...NOWHERE, example: "kitten", data: EDITED });
    expect(hash).not.toContain("example");
    expect(hash).toMatch(/^#data=[\w-]+$/);
  });

  it.each([
    ["#digits=-1", "precision", "auto"],
    ["#digits=99999", "precision", "auto"],
    ["#carry=1e9", "carry", null],
    ["#quiz=x", "seed", null],
    ["#lang=fr", "lang", null],
    ["#layout=sideways", "layout", "step"],
    ["#data=%%%", "data", null],
    ["#data=AAAA", "data", null],
    ["#cell=%E0%A4%A", "cell", null],
    ["#&&=&=x", "example", null],
  ])("%s says nothing about what it says wrongly", async (hash, name, value) => {
    expect((await fromHash(hash))[name as keyof Place]).toBe(value);
  });
});

describe("packed data", () => {
  it("is shorter than the text", async () => {
    const text = JSON.stringify(Array.from({ length: 100 }, (_, place) => ["0.5", String(place)]));
    expect((await packed(text)).length).toBeLessThan(text.length / 2);
  });

  it("is not unpacked beyond what a page writes", async () => {
    expect(await unpacked(await packed("0".repeat(MOST_DATA + 1)))).toBeNull();
    expect(await unpacked(await packed("0".repeat(1000)))).toHaveLength(1000);
  });
});
