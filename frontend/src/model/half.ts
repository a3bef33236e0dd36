/** Numbers of 16 bits (IEEE 754 binary16), as a file holds them. */

const FRACTION = 10;
const BIAS = 15;
const TOP = 31;

/** The value of a pattern of 16 bits. */
export function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> FRACTION) & TOP;
  const fraction = bits & 0x3ff;
  if (exponent === TOP) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - BIAS - FRACTION);
  return sign * (1 + fraction / 2 ** FRACTION) * 2 ** (exponent - BIAS);
}

let table: Float64Array | null = null;

/** All numbers of a run of little-endian bytes, each times 2 ** exponent. */
export function halves(bytes: Uint8Array, exponent: number): Float64Array {
  table ??= Float64Array.from({ length: 65_536 }, (_, bits) => half(bits));
  const scale = 2 ** exponent;
  const out = new Float64Array(bytes.length / 2);
  for (let at = 0; at < out.length; at++) {
    out[at] = (table[(bytes[2 * at] ?? 0) | ((bytes[2 * at + 1] ?? 0) << 8)] ?? 0) * scale;
  }
  return out;
}
