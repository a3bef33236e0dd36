/** The heads of a recording: their order, and small pictures of them as they come into sight. */
import { isSuperseded } from "../lib/api";
import { bytesOf } from "./paint";
import type { RecordingPage, Thumbs } from "./types";

export interface Thumb {
  codes: Uint8Array;
  rows: number;
  columns: number;
}

export type AskThumbs = (heads: string[], signal: AbortSignal) => Promise<Thumbs>;

const AT_ONCE = 16;

export class Heads {
  thumbs = $state.raw<Readonly<Record<string, Thumb>>>({});
  private readonly wanted = new Set<string>();
  private asking: AbortController | null = null;
  private isSoon = false;

  constructor(
    private readonly ask: AskThumbs,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** A head is in sight, or no longer. */
  see(head: string, isSeen: boolean): void {
    if (!isSeen) this.wanted.delete(head);
    else if (!(head in this.thumbs)) this.wanted.add(head);
    if (this.isSoon || this.asking !== null) return;
    this.isSoon = true;
    queueMicrotask(() => {
      this.isSoon = false;
      void this.next();
    });
  }

  forget(): void {
    this.asking?.abort();
    this.wanted.clear();
    this.thumbs = {};
  }

  private async next(): Promise<void> {
    const heads = [...this.wanted].slice(0, AT_ONCE);
    if (heads.length === 0 || this.asking !== null) return;
    const asking = (this.asking = new AbortController());
    for (const head of heads) this.wanted.delete(head);
    try {
      const { thumbs, shape } = await this.ask(heads, asking.signal);
      if (asking.signal.aborted) return;
      const came: Record<string, Thumb> = {};
      for (const head of heads) {
        const [codes, size] = [thumbs[head], shape[head]];
        if (codes === undefined || size === undefined) this.wanted.add(head); // left to the next request
        else came[head] = { codes: bytesOf(codes), rows: size[0], columns: size[1] };
      }
      this.thumbs = { ...this.thumbs, ...came };
    } catch (error) {
      if (!isSuperseded(error)) this.fail(error);
      return;
    } finally {
      if (this.asking === asking) this.asking = null;
    }
    void this.next();
  }
}

/** All heads, layer by layer. */
export function headsOf(page: RecordingPage): string[] {
  return page.layers.flatMap((layer) => layer.heads);
}

/** All heads, the highest score first; those without one at the end. */
export function sorted(page: RecordingPage, score: string | null): string[] {
  const heads = headsOf(page);
  if (score === null) return heads;
  const of = (head: string) => page.heads[head]?.sort[score] ?? Number.NEGATIVE_INFINITY;
  return heads.toSorted((one, other) => (of(other) === of(one) ? 0 : of(other) - of(one)));
}
