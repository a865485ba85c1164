export { coppicePolicy } from "./coppice-policy.ts";
export type { Evidence } from "./evidence.ts";
export { clearAtThreshold, keepLastResults } from "./peers.ts";
export {
  prepareReplay,
  type Replay,
  type ReplayBench,
  type ReplayOptions,
  type ReplayTotals,
  replayRecording,
} from "./replay.ts";
export { noPruning, type RecordingInfo, type ReplayPolicy, type ReplayRequest } from "./replay-policy.ts";
export type { ReplayedRequest } from "./replay-segment.ts";
export { formatReplayTable, type ReplayRow, summarizeReplays } from "./table.ts";
