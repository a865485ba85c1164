import type { Recording } from "../../src/recordings/index.ts";
import {
  compareUsage,
  prepareReplay,
  type ReplayBench,
  type ReplayedRequest,
  type ReplayOptions,
  type UsageComparison,
} from "../../src/replay/index.ts";

/** How well the model of the bill fits a session's recorded usage, without pruning. */
export interface SessionFit {
  readonly file: string;
  readonly models: readonly string[];
  /** With figures that were fitted to all of its usage; `undefined` without usage. */
  readonly usage: UsageComparison | undefined;
  /** Each fifth of its requests with figures that were fitted to the other four: what the model foretells. */
  readonly heldOut: UsageComparison | undefined;
}

const FOLDS = 5;

export function fitSession(
  file: string,
  recording: Recording,
  { unpruned }: ReplayBench,
  options: Pick<ReplayOptions, "prices" | "prefixTokens">,
): SessionFit {
  const { requests } = unpruned;
  return {
    file,
    models: recording.models,
    usage: compareUsage(requests),
    heldOut: compareUsage(
      Array.from({ length: FOLDS }, (_, fold) => foretell(recording, requests, fold, options)).flat(),
    ),
  };
}

/** The requests of one fifth as the model has them without their usage, and what was recorded of them. */
function foretell(
  recording: Recording,
  requests: readonly ReplayedRequest[],
  fold: number,
  { prices = {}, prefixTokens = "recorded" }: Pick<ReplayOptions, "prices" | "prefixTokens">,
): readonly ReplayedRequest[] {
  const counted = requests.filter(({ recorded }) => recorded).length;
  if (counted < FOLDS) return [];
  let seen = 0;
  const isHidden = () => Math.floor((FOLDS * seen++) / counted) === fold;
  const hidden = new Set<number>();
  for (const { index, recorded } of requests) if (recorded && isHidden()) hidden.add(index);
  const bench = prepareReplay(hideUsage(recording, hidden, requests), {
    prices,
    prefixTokens,
    evidence: false,
  });
  return bench.unpruned.requests.flatMap((request) => {
    const recorded = requests[request.index]?.recorded;
    return hidden.has(request.index) && recorded ? [{ ...request, recorded }] : [];
  });
}

/** A recording without the usage of these requests. The response to a request stands behind its view. */
function hideUsage(
  recording: Recording,
  hidden: ReadonlySet<number>,
  requests: readonly ReplayedRequest[],
): Recording {
  const segments = recording.segments.map((segment, number) => {
    const meta = [...segment.meta];
    for (const { index, segment: own, view } of requests) {
      if (own !== number || !hidden.has(index)) continue;
      const { usage: _, ...rest } = meta[view.length] ?? {};
      meta[view.length] = rest;
    }
    return { ...segment, meta };
  });
  return { ...recording, segments };
}
