import { describe, expect, it } from "vitest";
import { Api, ApiError } from "../src/lib/api";
import { type Channel, overChannel } from "../src/lib/comm";

interface Sent {
  id: number;
  name: string;
  body: string;
}

type Heard = (content: unknown, buffers: readonly (ArrayBuffer | DataView)[]) => void;

function channel(): Channel & { sent: Sent[]; heard: Set<Heard>; reply: (content: object, text: string) => void } {
  const heard = new Set<Heard>();
  const sent: Sent[] = [];
  return {
    sent,
    heard,
    send: (content) => sent.push(content as Sent),
    on: (_event, then) => heard.add(then),
    off: (_event, then) => heard.delete(then),
    reply: (content, text) => {
      const bytes = new TextEncoder().encode(`--${text}`);
      for (const then of heard) then({ status: 200, media: "application/json", filename: "", ...content }, [new DataView(bytes.buffer, 2)]);
    },
  };
}

describe("a notebook's channel", () => {
  it("answers as a server does, in whatever order", async () => {
    const line = channel();
    const api = new Api("", overChannel(line).fetch);
    const words = api.words("zh");
    const tile = api.tile("r", { head: "L0.H0", level: 0, row: 0, column: 0, pooled: "max", against: null });
    expect(line.sent.map(({ name }) => name)).toEqual(["words", "tile"]);
    expect(line.sent.map(({ body }) => JSON.parse(body) as object)[0]).toEqual({ lang: "zh" });
    line.reply({ id: line.sent[1]?.id, media: "application/octet-stream" }, "abc");
    line.reply({ id: line.sent[0]?.id }, '{"web.undo":"撤销"}');
    expect([...(await tile)]).toEqual([97, 98, 99]);
    expect(await words).toEqual({ "web.undo": "撤销" });
  });

  it("tells of refusals and of files' names", async () => {
    const line = channel();
    const api = new Api("", overChannel(line).fetch);
    const view = { lang: "en", precision: "auto", carry: null } as const;
    const refused = api.cell({ name: "kitten" }, view, "x[0]");
    line.reply({ id: line.sent[0]?.id, status: 422 }, '{"error":{"code":"UnknownArray","message":"no x"}}');
    await expect(refused).rejects.toEqual(new ApiError("UnknownArray", "no x", 422));
    const file = api.export({ name: "kitten" }, view, "csv");
    line.reply({ id: line.sent[1]?.id, media: "text/csv", filename: "小猫.csv" }, "a,b");
    expect((await file).name).toBe("小猫.csv");
  });

  it("leaves the replies to another view of the widget alone", async () => {
    const line = channel();
    const [one, other] = [new Api("", overChannel(line).fetch), new Api("", overChannel(line).fetch)];
    const [first, second] = [one.words("en"), other.words("zh")];
    line.reply({ id: line.sent[1]?.id }, '{"web.undo":"撤销"}');
    line.reply({ id: line.sent[0]?.id }, '{"web.undo":"Undo"}');
    expect(await first).toEqual({ "web.undo": "Undo" });
    expect(await second).toEqual({ "web.undo": "撤销" });
  });

  it("forgets what nobody waits for, and ends", async () => {
    const line = channel();
    const over = overChannel(line);
    const api = new Api("", over.fetch);
    const stop = new AbortController();
    const row = api.row("r", "L0.H0", 0, 8, "en", stop.signal);
    stop.abort();
    await expect(row).rejects.toThrow();
    line.reply({ id: line.sent[0]?.id }, "{}");
    const last = api.words("en");
    over.stop();
    await expect(last).rejects.toThrow();
    expect(line.heard.size).toBe(0);
  });
});
