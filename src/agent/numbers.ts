/** Tokens in a few signs: `840`, `12.4K`, `1.2M`. */
export function shortCount(tokens: number): string {
  const count = Math.round(tokens);
  if (count < 1_000) return String(count);
  return count < 999_950 ? `${(count / 1_000).toFixed(1)}K` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** `12345` → `12,345`, the same everywhere. */
export function longCount(tokens: number): string {
  return String(Math.round(tokens)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
