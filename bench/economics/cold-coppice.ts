import { applyLedger } from "../../src/edits/apply.ts";
import type { LedgerEntry } from "../../src/edits/ledger.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { createPruner, type PrunerOptions } from "../../src/pruner.ts";
import type { Recording, Segment } from "../../src/recordings/index.ts";
import { completeOptions, toReplayCuts } from "../../src/replay/coppice-policy.ts";
import type { RecordingInfo, ReplayPolicy } from "../../src/replay/index.ts";
import { listKnown, listRequests } from "../../src/replay/requests.ts";

/**
 * Coppice from a cold start: one call over a whole segment, whose ledger tells what each request was the first to show.
 * By the first law that is what it does live, call by call, and it takes a fraction of the time.
 */
export function coldCoppice(name: string, options: PrunerOptions, recording: Recording): ReplayPolicy {
  return {
    name,
    overheadTokens: options.overheadTokens ?? 0,
    start: (info) => {
      let folded: FoldedSegment | undefined;
      return (messages, { segment: number, index, note }) => {
        const segment = recording.segments[number];
        if (!segment) return messages;
        if (folded?.segment !== segment) folded = new FoldedSegment(segment, index, options, info);
        const entries = folded.entriesOf(index);
        if (entries.length > 0) note(toReplayCuts(entries, folded.entries, "cold"));
        return folded.view(messages, entries);
      };
    },
  };
}

class FoldedSegment {
  readonly segment: Segment;
  readonly entries: readonly LedgerEntry[];
  readonly #firstIndex: number;
  readonly #info: RecordingInfo;
  readonly #byBoundary = new Map<number, LedgerEntry[]>();
  readonly #applied: LedgerEntry[] = [];
  #view: readonly unknown[] = [];
  #seen = 0;

  /** `firstIndex`: that of the segment's first request. */
  constructor(segment: Segment, firstIndex: number, options: PrunerOptions, info: RecordingInfo) {
    this.segment = segment;
    this.#firstIndex = firstIndex;
    this.#info = info;
    this.entries = foldWhole(segment, options, info);
    for (const entry of this.entries) {
      const own = this.#byBoundary.get(entry.boundary);
      if (own) own.push(entry);
      else this.#byBoundary.set(entry.boundary, [entry]);
    }
  }

  entriesOf(index: number): readonly LedgerEntry[] {
    return this.#byBoundary.get(index - this.#firstIndex) ?? [];
  }

  /** The last view and what is new, with the new edits in place. */
  view(messages: readonly unknown[], entries: readonly LedgerEntry[]): readonly unknown[] {
    this.#applied.push(...entries);
    this.#view =
      entries.length > 0
        ? applyLedger(formatByName(this.#info.format), messages, this.#applied).messages
        : [...this.#view, ...messages.slice(this.#seen)];
    this.#seen = messages.length;
    return this.#view;
  }
}

function foldWhole(segment: Segment, options: PrunerOptions, info: RecordingInfo): readonly LedgerEntry[] {
  const format = formatByName(info.format);
  const decoded = segment.messages.map((message) => format.decode(message));
  const requests = listRequests(segment, decoded);
  const last = requests.at(-1);
  if (!last) return [];
  // Live, every request names its model; here the responses have to.
  const meta = [...listKnown(segment)];
  for (const { end, model } of requests) if (model !== undefined) meta[end] = { ...meta[end], model };
  const { report } = createPruner(completeOptions(options, info)).prune(segment.messages.slice(0, last.end), {
    meta,
    carried: segment.carried,
    ...(last.model !== undefined && { model: last.model }),
    ...(last.time !== undefined && { at: last.time }),
  });
  const failed = report.issues.find(({ code }) => code === "fold-failed" || code === "unknown-format");
  if (failed) throw new Error(failed.message);
  return report.edits;
}
