import type { IssueCode } from "../issue.ts";
import { createPruner, type PrunerOptions } from "../pruner.ts";
import type { Report } from "../report.ts";
import type { RecordingInfo, ReplayPolicy, ReplayRequest } from "./replay-policy.ts";

/**
 * The engine itself. It reckons with the prices and the prefix that the replay bills, unless the options say otherwise.
 * `watch` is told what was done at each request.
 */
export function coppicePolicy(
  options: PrunerOptions = {},
  name = "coppice",
  watch?: (report: Report, request: ReplayRequest) => void,
): ReplayPolicy {
  return {
    name,
    overheadTokens: options.overheadTokens ?? 0,
    start: (recording) => {
      const pruner = createPruner(completeOptions(options, recording));
      return (messages, request) => {
        const { model, time, meta, carried, report } = request;
        const pruned = pruner.prune(messages, {
          meta,
          carried,
          ...(model !== undefined && { model }),
          ...(time !== undefined && { at: time }),
        });
        for (const issue of pruned.report.issues) if (FAILURES.has(issue.code)) report(issue);
        watch?.(pruned.report, request);
        return pruned.messages;
      };
    },
  };
}

/** The engine goes on without what failed, and then it is not the engine that is measured. */
const FAILURES: ReadonlySet<IssueCode> = new Set([
  "unknown-format",
  "strategy-failed",
  "fold-failed",
  "format-failed",
]);

function completeOptions(
  options: PrunerOptions,
  { format, prices, prefixTokens }: RecordingInfo,
): PrunerOptions {
  const { config } = options;
  const schedule = { prices, ...config?.schedule };
  return { format, prefixTokens, ...options, config: { ...config, schedule } };
}
