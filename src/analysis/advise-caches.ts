import { percent } from "../replay/table.ts";
import type { CacheFigures } from "./cache-figures.ts";

/** Savings below this share of the input's cost are not worth a setting. */
const WORTH_A_SETTING = 0.01;

/** Advises on the cheaper cache lifetime, and the client's setting for it. Empty if no request had the choice. */
export function adviseLife({ requests, wantLong, short, long }: CacheFigures["lives"]): string {
  if (requests === 0) return "";
  const saved = Math.abs(short - long) / Math.max(short, long);
  if (saved < WORTH_A_SETTING) return "That is about the same.";
  const isLongBetter = long < short;
  const isSet = isLongBetter ? wantLong > requests / 2 : wantLong <= requests / 2;
  const better = `${isLongBetter ? "An hour" : "5 minutes"} would cost ${percent(saved)} less for these pauses`;
  if (isSet) return `${better}, and most requests ask for it.`;
  const setting = `"promptCacheTtl": "${isLongBetter ? "1h" : "5m"}"`;
  return `${better}. In Claude Code, ${setting} in settings.json asks for it. See docs/caches.md.`;
}

/** Advises how to keep a prefix if a request may name a key for it. Empty if no loss would be prevented. */
export function adviseKey(keyed: CacheFigures["keyed"]): string {
  if (keyed === 0) return "";
  return 'With OpenAI\'s models, "prompt_cache_key" and "prompt_cache_retention": "24h" keep a prefix. See docs/caches.md.';
}
