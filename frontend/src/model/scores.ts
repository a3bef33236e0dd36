/** The weights of one head, worked from its queries and keys: as logarithms to draw and to compare, never to print. */
import { halves } from "./half";
import { bytesOf } from "./paint";
import type { Extent } from "./view";

/** What the file says of a head; arrays are base64 of little-endian bytes, row by row. */
export interface HeadFile {
  queries: number;
  keys: number;
  d_k: number;
  scale: number;
  softcap: number | null;
  window: { left: number | null; right: number | null; offset: number };
  bias: { kind: "by-key" | "by-distance"; values: string } | null;
  q: { exponent: number; values: string };
  k: { exponent: number; values: string };
  lse: string;
  low: number;
  high: number;
}

const LAST_CODE = 255;

export class Scores {
  readonly extent: Extent;
  private readonly q: Float64Array;
  private readonly k: Float64Array;
  private readonly lse: Float32Array;
  private readonly bias: Float32Array | null;

  constructor(private readonly head: HeadFile) {
    this.extent = { queries: head.queries, keys: head.keys };
    this.q = halves(bytesOf(head.q.values), head.q.exponent);
    this.k = halves(bytesOf(head.k.values), head.k.exponent);
    this.lse = floats(head.lse);
    this.bias = head.bias === null ? null : floats(head.bias.values);
  }

  /** The logarithm of a weight; minus infinity where the query may not look. */
  log(query: number, key: number): number {
    const { head, q, k } = this;
    const lse = this.lse[query] ?? Number.NEGATIVE_INFINITY;
    if (lse === Number.NEGATIVE_INFINITY || !this.allows(query, key)) return Number.NEGATIVE_INFINITY;
    let sum = 0;
    const [from, beside] = [query * head.d_k, key * head.d_k];
    for (let at = 0; at < head.d_k; at++) sum += (q[from + at] ?? 0) * (k[beside + at] ?? 0);
    let logit = sum * head.scale;
    if (head.softcap !== null) logit = head.softcap * Math.tanh(logit / head.softcap);
    return logit + this.biasOf(query, key) - lse;
  }

  /** The codes of some queries and keys, row by row. */
  codes(queries: readonly [number, number], keys: readonly [number, number]): Uint8Array {
    const wide = keys[1] - keys[0];
    const out = new Uint8Array((queries[1] - queries[0]) * wide);
    for (let query = queries[0]; query < queries[1]; query++) {
      for (let key = keys[0]; key < keys[1]; key++) out[(query - queries[0]) * wide + key - keys[0]] = this.code(this.log(query, key));
    }
    return out;
  }

  private code(log: number): number {
    if (log === Number.NEGATIVE_INFINITY) return 0;
    const share = (log - this.head.low) / (this.head.high - this.head.low);
    return 1 + Math.round((LAST_CODE - 1) * Math.min(Math.max(share, 0), 1));
  }

  allows(query: number, key: number): boolean {
    const { left, right, offset } = this.head.window;
    const own = query + offset;
    if ((left !== null && key < own - left) || (right !== null && key > own + right)) return false;
    return this.biasOf(query, key) !== Number.NEGATIVE_INFINITY;
  }

  private biasOf(query: number, key: number): number {
    if (this.bias === null) return 0;
    return this.bias[this.head.bias?.kind === "by-key" ? key : key - query + this.head.queries - 1] ?? 0;
  }
}

/** The next place of a line, in a direction, that is larger than those before and behind it; of equal ones the first. */
export function nextPeak(line: readonly number[], place: number, step: 1 | -1): number | null {
  const at = (number: number) => line[number] ?? Number.NEGATIVE_INFINITY;
  let here = place + step;
  while (here >= 0 && here < line.length) {
    let behind = here + step;
    while (behind >= 0 && behind < line.length && at(behind) === at(here)) behind += step;
    if (at(here) > at(here - step) && at(here) > at(behind)) return here;
    here = behind;
  }
  return null;
}

function floats(base64: string): Float32Array {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(4 * at, true));
}

export function wholes(base64: string): Int32Array {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer);
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => view.getInt32(4 * at, true));
}
