/** Requests that go over a notebook's channel to Python, answered by the very functions that answer a server's. */

/** What a notebook gives a widget, as far as it is used. */
export interface Channel {
  send(content: unknown): void;
  on(event: "msg:custom", then: (content: unknown, buffers: readonly (ArrayBuffer | DataView)[]) => void): void;
  off(event: "msg:custom", then: (content: unknown, buffers: readonly (ArrayBuffer | DataView)[]) => void): void;
}

interface Reply {
  id: number;
  status: number;
  media: string;
  filename: string;
}

interface Waiting {
  done: (response: Response) => void;
  fail: (error: unknown) => void;
}

/** As `fetch`, for addresses of this app: `/api/NAME` is the request NAME, `/api/words/en` is `words` with "en". */
export function overChannel(channel: Channel): { fetch: (url: string, init: RequestInit) => Promise<Response>; stop: () => void } {
  const waiting = new Map<number, Waiting>();
  let count = Math.floor(Math.random() * 2 ** 48); // another view of the widget hears these replies as well

  const heard = (content: unknown, buffers: readonly (ArrayBuffer | DataView)[]): void => {
    const { id, status, media, filename } = content as Reply;
    const one = waiting.get(id);
    if (one === undefined) return;
    waiting.delete(id);
    const headers = new Headers({ "Content-Type": media });
    if (filename !== "") headers.set("Content-Disposition", `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`);
    one.done(new Response(bytesOf(buffers[0]), { status, headers }));
  };
  channel.on("msg:custom", heard);

  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    new Promise((done, fail) => {
      const id = ++count;
      const [name = "", more = ""] = url.replace(/^\/api\//, "").split("/");
      const leave = (): void => {
        waiting.delete(id);
        fail(new DOMException("", "AbortError"));
      };
      if (init.signal?.aborted) return leave();
      init.signal?.addEventListener("abort", leave);
      waiting.set(id, { done, fail });
      channel.send({ id, name, body: typeof init.body === "string" ? init.body : JSON.stringify({ lang: more }) });
    });

  const stop = (): void => {
    channel.off("msg:custom", heard);
    for (const { fail } of waiting.values()) fail(new DOMException("", "AbortError"));
    waiting.clear();
  };
  return { fetch, stop };
}

function bytesOf(buffer: ArrayBuffer | DataView | undefined): Uint8Array<ArrayBuffer> {
  if (buffer instanceof DataView) return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength).slice();
  return buffer === undefined ? new Uint8Array() : new Uint8Array(buffer).slice();
}
