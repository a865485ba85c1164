/**
 * 64 bits of a string as 16 hex digits: two multiplicative 32-bit hashes with different primes, mixed at the end.
 * For naming and recognising text, not for security. Reads UTF-16 units, so lone surrogates are allowed.
 */
export function hashText(text: string): string {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return hex(finish(a ^ text.length)) + hex(finish(b ^ Math.imul(a, 31)));
}

function finish(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** In halves: 32-bit numbers are not small integers for the engine, and converting them is slow. */
function hex(x: number): string {
  return hexOfHalf(x >>> 16) + hexOfHalf(x & 0xffff);
}

function hexOfHalf(x: number): string {
  return x.toString(16).padStart(4, "0");
}
