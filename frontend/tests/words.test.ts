import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECK_KEYS, EXAMPLE_KEYS, GRID_KEYS } from "../src/lib/keys";
import { Words, filled } from "../src/lib/words";

const SOURCE = join(import.meta.dirname, "../src");
const CATALOGUE = join(import.meta.dirname, "../../src/workings/render");

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf-8" })
    .filter((name) => /\.(ts|svelte)$/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf-8"));
}

/** The keys that the source names, and the beginnings of those that it puts together. */
function asked(): { keys: Set<string>; beginnings: Set<string> } {
  const text = files(SOURCE).join("\n");
  const keys = [...text.matchAll(/"(web\.[a-z.-]+)"/g)].map((found) => found[1] ?? "");
  const beginnings = [...text.matchAll(/`(web\.[a-z.-]+)\$\{/g)].map((found) => found[1] ?? "");
  const listed = [...EXAMPLE_KEYS, ...CHECK_KEYS, ...GRID_KEYS].map((key) => key.word);
  return { keys: new Set([...keys, ...listed]), beginnings: new Set(beginnings) };
}

function known(lang: string): Set<string> {
  const text = readFileSync(join(CATALOGUE, `web_${lang}.py`), "utf-8");
  return new Set([...text.matchAll(/^ {4}"(web\.[a-z_.-]+)":/gm)].map((found) => found[1] ?? ""));
}

describe.each(["en", "zh"])("the catalogue in %s", (lang) => {
  const sentences = known(lang);
  const { keys, beginnings } = asked();

  it("has every sentence that the page asks for", () => {
    expect(keys.size).toBeGreaterThan(100);
    expect([...keys].filter((key) => !sentences.has(key))).toEqual([]);
    expect([...beginnings].filter((start) => ![...sentences].some((key) => key.startsWith(start)))).toEqual([]);
  });

  it("has no sentence of the page that nobody asks for", () => {
    const server = ["web.error.", "web.proof.", "web.option.", "web.serving", "web.exposed"];
    const isAsked = (key: string) => keys.has(key) || [...beginnings, ...server].some((start) => key.startsWith(start));
    expect([...sentences].filter((key) => !isAsked(key))).toEqual([]);
  });
});

describe("the source", () => {
  it("has no Chinese of its own", () => {
    expect(files(SOURCE).filter((text) => /[\u4e00-\u9fff]/.test(text))).toEqual([]);
  });

  it("has no style in its markup, which the policy would refuse", () => {
    expect(files(SOURCE).filter((text) => /<[a-z][^>]*\sstyle[=:]/.test(text))).toEqual([]);
  });
});

describe("a sentence", () => {
  it.each([
    ["{n} of {of}", { n: 1, of: 9 }, "1 of 9"],
    ["{n} and {n}", { n: "{n}" }, "{n} and {n}"],
    ["{left}", {}, "{left}"],
    ["{constructor}", {}, "{constructor}"],
  ])("%s", (sentence, given, said) => {
    expect(filled(sentence, given)).toBe(said);
  });

  it("is its key where there is none", () => {
    const words = new Words({ "web.undo": "Undo" });
    expect(words.say("web.undo")).toBe("Undo");
    expect(words.say("web.nothing")).toBe("web.nothing");
    expect(new Words().isEmpty).toBe(true);
  });
});
