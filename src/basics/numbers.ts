/** A short form of tokens: `840`, `12.4K`, `1.2M`. */
export function shortCount(tokens: number): string {
  const count = Math.round(tokens);
  if (count < 1_000) return String(count);
  return count < 999_950 ? `${(count / 1_000).toFixed(1)}K` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** `12,345`, independent of the machine's locale. */
export function formatNumber(value: number): string {
  return groupThousands(String(Math.round(value)));
}

/** `1234567` → `1,234,567`; a text that is not all digits stays unchanged. */
export function groupThousands(digits: string): string {
  if (!/^-?\d+$/.test(digits)) return digits;
  const first = digits.startsWith("-") ? 1 : 0;
  const groups: string[] = [];
  let end = digits.length;
  for (; end - first > 3; end -= 3) groups.unshift(digits.slice(end - 3, end));
  return [digits.slice(0, end), ...groups].join(",");
}

/** `1 step`, `2 steps`; `2 directories`. */
export function countOf(count: number, one: string, many: string = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** `$0.42`, `$1,234.50`; below a cent with one significant digit. */
export function formatDollars(dollars: number): string {
  if (dollars < 0) return `-${formatDollars(-dollars)}`;
  if (dollars > 0 && dollars < 0.01) return `$${dollars.toPrecision(1)}`;
  const [whole = "0", cents = "00"] = dollars.toFixed(2).split(".");
  return `$${groupThousands(whole)}.${cents}`;
}
