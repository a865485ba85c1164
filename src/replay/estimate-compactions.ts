import { formatByName } from "../formats/detect.ts";
import type { ModelProfile } from "../models/profile.ts";
import type { PaidRequest, Recording, Segment } from "../recordings/recording.ts";
import { pricesUnder, type UsageFit } from "./fit-usage.ts";
import type { ReplayedRequest } from "./replay-segment.ts";
import { MessageReader } from "./sent-view.ts";

/** A compaction that the agent paid for without recording it. Its usage is an estimate. */
export type EstimatedRequest = PaidRequest & { readonly estimated: true };

/**
 * Estimates the cost of compactions without recorded usage. The request contains the same text as the last one
 * before it, mostly from the cache, and the answer is the summary.
 */
export function estimateCompactions(
  recording: Recording,
  requests: readonly ReplayedRequest[],
  profileOf: (model: string | undefined) => ModelProfile,
  countingFor: (profile: ModelProfile) => UsageFit,
): readonly EstimatedRequest[] {
  if (!recording.leavesOutCompactions) return [];
  const reader = new MessageReader(formatByName(recording.format));
  const lastOf = new Map(requests.map((request) => [request.segment, request]));
  return recording.segments.flatMap((segment, i): readonly EstimatedRequest[] => {
    const last = lastOf.get(i - 1);
    if (!last || segment.separate || segment.carried === 0) return [];
    const summary = findSummary(segment, reader);
    const time = segment.meta[summary]?.time ?? last.time;
    if (isRecorded(recording.asides, last.time, time)) return [];
    const { model, tokens } = last;
    const profile = profileOf(model);
    const counting = countingFor(profile);
    const { ttl } = pricesUnder(counting, profile);
    const isWarm = time === undefined || last.time === undefined || time - last.time <= ttl;
    const output = Math.round(counting.scale * reader.read(segment.messages[summary]).tokens);
    const usage = { input: 0, cacheRead: isWarm ? tokens : 0, cacheWrite: isWarm ? 0 : tokens, output };
    return [
      {
        kind: "compaction",
        ...(time !== undefined && { time }),
        ...(model !== undefined && { model }),
        usage,
        estimated: true,
      },
    ];
  });
}

function isRecorded(asides: Recording["asides"], from: number | undefined, to: number | undefined): boolean {
  return asides.some(
    ({ kind, time = from ?? 0 }) => kind === "compaction" && time >= (from ?? time) && time <= (to ?? time),
  );
}

/** The first message that was carried over, or the one after the compaction prompt. */
function findSummary({ messages, carried }: Segment, reader: MessageReader): number {
  const brought = messages.slice(0, carried).map((message) => reader.read(message).decoded);
  const first = Math.max(
    0,
    brought.findIndex(({ role }) => role !== "system"),
  );
  return brought[first]?.isCompaction && first + 1 < carried ? first + 1 : first;
}
