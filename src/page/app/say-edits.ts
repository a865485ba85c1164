import type { ReportData } from "../data.ts";
import { countOf } from "./format.ts";

/**
 * Summarises the edits in two figures: all text that was removed from the session, and the reduction of the last
 * request, which the chart shows at its end.
 */
export function sayEdits({ edits, requests, session }: ReportData): string {
  if (edits.length === 0) return "No cut would have paid for itself.";
  const left = edits.filter(({ undone }) => !undone);
  const saved = left.reduce((sum, edit) => sum + edit.saved, 0);
  const last = requests.at(-1);
  const smaller = (last?.raw ?? 0) - (last?.pruned ?? 0);
  const isCompacted = session.segments.some(({ continues }) => continues);
  const all = `${countOf(left.length, "edit")} took out ${countOf(saved, "token")} in all, by Coppice's estimate.`;
  if (smaller <= 0) return `${all} The last request is not smaller.`;
  const since = isCompacted ? ", by cuts since the last compaction" : "";
  return `${all} The last request is ${countOf(smaller, "token")} smaller${since}.`;
}
