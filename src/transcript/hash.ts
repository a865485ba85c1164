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
  const x = finish(a ^ text.length);
  const y = finish(b ^ Math.imul(a, 31));
  // All at once: a string that is put together from pieces keeps them, and takes more than twice the room.
  return String.fromCharCode(
    digit(x >>> 28),
    digit(x >>> 24),
    digit(x >>> 20),
    digit(x >>> 16),
    digit(x >>> 12),
    digit(x >>> 8),
    digit(x >>> 4),
    digit(x),
    digit(y >>> 28),
    digit(y >>> 24),
    digit(y >>> 20),
    digit(y >>> 16),
    digit(y >>> 12),
    digit(y >>> 8),
    digit(y >>> 4),
    digit(y),
  );
}

function finish(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The character code of the lowest four bits as a hex digit. */
function digit(bits: number): number {
  const value = bits & 15;
  return value < 10 ? 48 + value : 87 + value;
}
