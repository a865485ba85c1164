import type { IssueCode } from "../basics/issue.ts";
import type { LedgerEntry } from "../edits/ledger.ts";
import { createPruner, type Pruner, type PrunerOptions } from "../pruner.ts";
import type { Report } from "../reports/report.ts";
import type { RecordingInfo, ReplayCut, ReplayPolicy, ReplayRequest } from "./replay-policy.ts";

/**
 * Coppice itself, with the prices and the prefix of the replay unless the options set others. `watch` is called
 * with the report of each request.
 */
export function coppicePolicy(
  options: PrunerOptions = {},
  name = "coppice",
  watch?: (report: Report, request: ReplayRequest) => void,
): ReplayPolicy {
  return prunerPolicy(createPruner, options, name, watch);
}

/** The same with other pruners, such as another version. */
export function prunerPolicy(
  create: (options: PrunerOptions) => Pick<Pruner, "prune">,
  options: PrunerOptions,
  name: string,
  watch?: (report: Report, request: ReplayRequest) => void,
): ReplayPolicy {
  return {
    name,
    overheadTokens: options.overheadTokens ?? 0,
    start: (recording) => {
      const pruner = create(completeOptions(options, recording));
      return (messages, request) => {
        const { model, time, warmedAt, ttl, meta, carried, note, mark, addNote, report } = request;
        const pruned = pruner.prune(messages, {
          meta,
          carried,
          ...(model !== undefined && { model }),
          ...(time !== undefined && { at: time }),
          ...(warmedAt !== undefined && { warmedAt }),
          ...(ttl !== undefined && { ttl }),
          ...(recording.mayMark && { mayMark: true }),
          ...(recording.window !== undefined && { window: recording.window }),
        });
        note(listCuts(pruned.report));
        if (pruned.note) addNote();
        const own = pruned.report.mark;
        if (own !== undefined) mark(pruned.sources.lastIndexOf(own));
        for (const issue of pruned.report.issues) if (FAILURES.has(issue.code)) report(issue);
        watch?.(pruned.report, request);
        return pruned.messages;
      };
    },
  };
}

/** The cuts that this request made. */
function listCuts({ cut, edits }: Report): readonly ReplayCut[] {
  if (!cut) return [];
  return toReplayCuts(
    cut.edits.map((edit) => ({ edit })),
    edits,
    cut.reason,
  );
}

/** An undo counts against the author of the cut that it undoes, which is looked up in `all`. */
export function toReplayCuts(
  entries: readonly Pick<LedgerEntry, "edit">[],
  all: readonly LedgerEntry[],
  timing: string,
): readonly ReplayCut[] {
  return entries.flatMap(({ edit }): readonly ReplayCut[] => {
    if (edit.type !== "undo")
      return [{ author: edit.author, reason: edit.reason, timing, saved: edit.saved }];
    const target = all.find(({ edit: each }) => each.type !== "undo" && each.id === edit.target)?.edit;
    if (!target || target.type === "undo") return [];
    return [{ author: target.author, reason: edit.reason, timing, saved: edit.saved }];
  });
}

/**
 * Coppice continues after these failures, but the replay then no longer measures Coppice, so they are reported as
 * issues.
 */
const FAILURES: ReadonlySet<IssueCode> = new Set([
  "unknown-format",
  "strategy-failed",
  "fold-failed",
  "format-failed",
]);

/** Prices and prefix come from the replay unless the options set them. */
export function completeOptions(
  options: PrunerOptions,
  { format, prices, pricedAs, prefixTokens }: RecordingInfo,
): PrunerOptions {
  const { config } = options;
  const schedule = { prices, ...(pricedAs !== undefined && { model: pricedAs }), ...config?.schedule };
  return { format, prefixTokens, ...options, config: { ...config, schedule } };
}
