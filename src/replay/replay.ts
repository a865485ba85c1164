import type { Issue } from "../basics/issue.ts";
import { formatByName } from "../formats/detect.ts";
import type { ModelOverrides, ModelProfile } from "../models/profile.ts";
import { profileFor } from "../models/profile-for.ts";
import type { Recording } from "../recordings/recording.ts";
import { createToolKinds } from "../tool-kinds/tool-kinds.ts";
import { noPruning, type RecordingInfo, type ReplayPolicy } from "./replay-policy.ts";
import { type ReplayedRequest, SegmentReplay } from "./replay-segment.ts";
import { addUp, type ReplayTotals } from "./totals.ts";

export interface ReplayOptions {
  /** Overrides the price library, as in the configuration: `{ "*": { read: 0.1 } }`. */
  readonly prices?: ModelOverrides;
  /**
   * System prompt and tool schemas, in tokens, as recordings do not have them. `recorded`: what the usage of the first
   * request counts beyond its messages, where usage was recorded.
   */
  readonly prefixTokens?: number | "recorded";
}

/** A session under a policy, request by request. */
export interface Replay extends ReplayTotals {
  readonly requests: readonly ReplayedRequest[];
}

/** A recording that any number of policies can be replayed on. */
export interface ReplayBench {
  readonly unpruned: Replay;
  run(policy: ReplayPolicy): Replay;
}

/** What a policy would have sent at each recorded request, and what that would have cost and lost (spec/9). */
export function replayRecording(
  recording: Recording,
  policy: ReplayPolicy,
  options: ReplayOptions = {},
): Replay {
  return prepareReplay(recording, options).run(policy);
}

/** Makes once what all policies share: the decoded session, its anchors and the unpruned replay. */
export function prepareReplay(recording: Recording, options: ReplayOptions = {}): ReplayBench {
  const segments = openSegments(recording);
  const info = describeRecording(recording, options, segments);
  const profileOf = (model: string | undefined) => profileFor(model, info.prices);

  function replay(policy: ReplayPolicy, unpruned?: Replay): Replay {
    const issues: Issue[] = [];
    const terms = {
      decide: policy.start(info),
      profileFor: profileOf,
      prefixTokens: info.prefixTokens + (policy.overheadTokens ?? 0),
      pingBudget: policy.pingBudget ?? 0,
      report: (issue: Issue) => issues.push(issue),
    };
    const requests = segments.flatMap((segment, i) => {
      const later = segments.slice(i + 1).find((each) => each.requests.length > 0);
      return segment.run({ ...terms, nextTime: later ? later.requests[0]?.time : Number.POSITIVE_INFINITY });
    });
    const totals = addUp(requests, unpruned?.requests ?? requests);
    return {
      policy: policy.name,
      requests,
      ...totals,
      share: requests.length === 0 ? 1 : totals.bill / (unpruned?.bill ?? totals.bill),
      issues: [...describeTimes(requests), ...describeModels(requests, profileOf), ...issues],
    };
  }

  const unpruned = replay(noPruning);
  return { unpruned, run: (policy) => replay(policy, unpruned) };
}

const PREFIX_TOKENS = 8_000;

function describeRecording(
  recording: Recording,
  { prices = {}, prefixTokens }: ReplayOptions,
  segments: readonly SegmentReplay[],
): RecordingInfo {
  const { source, format, session } = recording;
  return {
    source,
    format,
    ...(session !== undefined && { session }),
    prices,
    prefixTokens:
      (prefixTokens === "recorded" ? segments[0]?.recordedPrefix() : prefixTokens) ?? PREFIX_TOKENS,
  };
}

function openSegments(recording: Recording): readonly SegmentReplay[] {
  const format = formatByName(recording.format);
  const kinds = createToolKinds();
  const segments: SegmentReplay[] = [];
  let requests = 0;
  for (const segment of recording.segments) {
    const opened = new SegmentReplay(segment, { segment: segments.length, requests }, format, kinds);
    segments.push(opened);
    requests += opened.requests.length;
  }
  return segments;
}

function describeTimes(requests: readonly ReplayedRequest[]): readonly Issue[] {
  const missing = requests.filter(({ time }) => time === undefined).length;
  if (missing === 0) return [];
  const message = `${missing} of ${requests.length} requests have no time: the cache is taken to be warm there`;
  return [{ code: "no-times", message, severity: "info" }];
}

function describeModels(
  requests: readonly ReplayedRequest[],
  profileOf: (model: string | undefined) => ModelProfile,
): readonly Issue[] {
  const models = [...new Set(requests.map(({ model }) => model))];
  return models.flatMap((model): readonly Issue[] => {
    if (profileOf(model).known) return [];
    const message = `the model ${model ?? "(none recorded)"} is not known: its prices are those of a standard Claude model`;
    return [{ code: "unknown-model", message, severity: "info" }];
  });
}
