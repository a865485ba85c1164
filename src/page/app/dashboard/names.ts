import type { LiveSession } from "../../dashboard-data.ts";
import { groupThousands, shortCount } from "../format.ts";
import { SOURCE_NAMES } from "../words.ts";
import { namesOf, type SessionListRow } from "./list-rows.ts";

/** Names that `wrap` and the clients themselves use. */
const CLIENT_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SOURCE_NAMES),
  ["qwen-code", "Qwen Code"],
  ["copilot", "Copilot CLI"],
]);

/** The usual name of the program. */
export function nameClient(client: string | undefined): string {
  return client === undefined ? "Unknown client" : (CLIENT_NAMES.get(client) ?? client);
}

/** `Claude Code in shop` */
export function nameSession(row: SessionListRow): string {
  const { client, folder } = namesOf(row);
  return folder === undefined ? nameClient(client) : `${nameClient(client)} in ${folder}`;
}

/** Text after the size of a context: `instead of 31.3K; window 6% full`. A line may end between the two parts. */
export function sayContext({ pruned, raw, window }: Pick<LiveSession, "pruned" | "raw" | "window">): string {
  const full = window > 0 ? `; window\u00a0${Math.round((100 * pruned) / window)}%\u00a0full` : "";
  return `instead\u00a0of\u00a0${shortCount(raw)}${full}`;
}

/** `now`, `4 min ago`, `2026-11-16` */
export function sayWhen(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(time).toISOString().slice(0, "2026-11-17".length);
}

/** `$1,204.50`, `$0.42`, `$0.0031`; negative if cuts have not paid for themselves yet. */
export function formatMoney(dollars: number): string {
  const isTiny = Math.abs(dollars) < 0.01 && Math.abs(dollars) >= 0.00005;
  return writeDollars(dollars, isTiny ? 4 : 2);
}

/** The cost of a single request: `$0.0421`. */
export function formatPrice(dollars: number): string {
  return writeDollars(dollars, 4);
}

function writeDollars(dollars: number, digits: number): string {
  const text = Math.abs(dollars).toFixed(digits);
  const [whole = "0", cents = ""] = text.split(".");
  return `${dollars < 0 && Number(text) > 0 ? "−" : ""}$${groupThousands(whole)}.${cents}`;
}
