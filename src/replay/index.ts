export type { AuthorTotals } from "./author-totals.ts";
export type { BookEntry } from "./book-entry.ts";
export type { Compactions } from "./compactions.ts";
export { compareUsage, type UsageComparison } from "./compare-usage.ts";
export { coppicePolicy } from "./coppice-policy.ts";
export type { Evidence, LostEdits } from "./evidence.ts";
export type { Book, Left, Paid, RequestLeft } from "./open-book.ts";
export {
  clearAtThreshold,
  clearToolUses,
  keepLastResults,
  type RewriteMessages,
  rewriteAtThreshold,
} from "./peers.ts";
export type { Pings } from "./pings.ts";
export {
  prepareReplay,
  type Replay,
  type ReplayBench,
  type ReplayOptions,
  replayRecording,
} from "./replay.ts";
export {
  keepWarm,
  noPruning,
  type RecordingInfo,
  type ReplayCut,
  type ReplayPolicy,
  type ReplayRequest,
} from "./replay-policy.ts";
export type { RecordedUsage, ReplayedRequest } from "./replay-segment.ts";
export { type ReplayRow, type Spread, spread, summarizeReplays } from "./summarize.ts";
export {
  formatDetailsTable,
  formatLimitsTable,
  formatReplayTable,
  formatTable,
  type ReplayColumn,
} from "./table.ts";
export type { ReplayTotals } from "./totals.ts";
