import { describe, expect, it } from "vitest";
import { kindOf } from "../src/check/diff";
import { Api, ApiError, fileName, isSuperseded } from "../src/lib/api";
import type { View } from "../src/lib/types";

const VIEW: View = { lang: "en", precision: "auto", carry: null };

function server(status: number, body: unknown, headers: Record<string, string> = {}) {
  const sent: { url: string; init: RequestInit }[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const api = new Api("token", (url, init) => {
    sent.push({ url, init });
    return Promise.resolve(new Response(text, { status, headers }));
  });
  return { api, sent };
}

describe("a request", () => {
  it("that takes work brings the token, as JSON", async () => {
    const { api, sent } = server(200, { address: "Q[0,0]" });
    await api.cell({ name: "kitten" }, VIEW, "Q[0,0]");
    expect(sent[0]?.url).toBe("/api/cell");
    expect(sent[0]?.init.headers).toEqual({ "Content-Type": "application/json", "X-Workings": "token" });
    expect(JSON.parse(String(sent[0]?.init.body))).toEqual({ source: { name: "kitten" }, view: VIEW, address: "Q[0,0]" });
  });

  it("gives the server's own sentence where it is refused", async () => {
    const { api } = server(422, { error: { code: "BadNumber", message: "1/3x is no number." } });
    const error = await api.edit({ name: "kitten" }, VIEW, []).catch((found: unknown) => found);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "BadNumber", message: "1/3x is no number.", status: 422 });
  });

  it.each([[502, "<html>"], [500, "{}"]])("without an answer is offline (%s)", async (status, body) => {
    await expect(server(status, body).api.opened()).rejects.toMatchObject({ code: "Offline", status });
  });

  it("that the page gave up stays told apart", async () => {
    const api = new Api("", () => Promise.reject(new DOMException("", "AbortError")));
    const error = await api.opened().catch((found: unknown) => found);
    expect(isSuperseded(error)).toBe(true);
    const offline = new Api("", () => Promise.reject(new TypeError("network")));
    await expect(offline.opened()).rejects.toMatchObject({ code: "Offline" });
  });

  it("for a file names it as the server does", async () => {
    const { api } = server(200, "x", { "Content-Disposition": "attachment; filename*=UTF-8''%E5%B0%8F.tex" });
    expect((await api.export({ name: "kitten" }, VIEW, "tex")).name).toBe("小.tex");
    expect((await server(200, "x").api.export({ name: "kitten" }, VIEW, "csv")).name).toBe("workings.csv");
  });
});

it.each([
  ['attachment; filename="a b.html"', "a b.html"],
  ["attachment; filename=a.csv", "a.csv"],
  ["attachment; filename*=UTF-8''%E0%A4%A", null],
  ["attachment", null],
])("the name in %s", (header, name) => {
  expect(fileName(header)).toBe(name);
});

it.each([
  ["--- a/x.md", "file"],
  ["@@ -1 +1 @@", "hunk"],
  ["+2 + 2 = 4", "added"],
  ["-2 + 2 = 5", "removed"],
  [" same", "same"],
] as const)("the line %s of a diff is %s", (line, kind) => {
  expect(kindOf(line)).toBe(kind);
});
