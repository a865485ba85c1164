import type { PartialConfig } from "../config/config.ts";
import { parseConfig } from "../config/parse.ts";
import { applyLedger } from "../edits/apply.ts";
import type { LedgerEntry } from "../edits/ledger.ts";
import { formatByName } from "../formats/detect.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import { createPruner, type PrunerOptions } from "../pruner.ts";
import type { Recording, Segment } from "../recordings/recording.ts";
import type { Report } from "../reports/report.ts";
import type { RequestTerms } from "../transcript/message.ts";
import { completeOptions, toReplayCuts } from "./coppice-policy.ts";
import type { RecordingInfo, ReplayPolicy } from "./replay-policy.ts";
import { listKnown, listRequests, type RecordedRequest } from "./requests.ts";

/**
 * Runs Coppice from a cold start: one call over a whole segment, whose ledger says which edits each request made.
 * By the first law, the result equals live calls, and it takes a fraction of the time.
 */
export function coldCoppice(name: string, options: PrunerOptions, recording: Recording): ReplayPolicy {
  return {
    name,
    overheadTokens: options.overheadTokens ?? 0,
    start: (info) => {
      let folded: FoldedSegment | undefined;
      return (messages, { segment: number, index, note, mark }) => {
        const segment = recording.segments[number];
        if (!segment) return messages;
        if (folded?.segment !== segment) folded = new FoldedSegment(segment, index, options, info);
        const entries = folded.entriesOf(index);
        if (entries.length > 0) note(toReplayCuts(entries, folded.entries, "cold"));
        const view = folded.view(messages, entries);
        const own = folded.markOf(index);
        if (own !== undefined) mark(own);
        return view;
      };
    },
  };
}

class FoldedSegment {
  readonly segment: Segment;
  readonly entries: readonly LedgerEntry[];
  readonly #firstIndex: number;
  readonly #info: RecordingInfo;
  readonly #textProtocols: PartialConfig["textProtocols"];
  readonly #byRequest = new Map<number, LedgerEntry[]>();
  readonly #applied: LedgerEntry[] = [];
  #view: readonly unknown[] = [];
  #sources: readonly number[] = [];
  readonly #marks: readonly (number | undefined)[];
  #seen = 0;

  /** `firstIndex`: the index of the segment's first request. */
  constructor(segment: Segment, firstIndex: number, options: PrunerOptions, info: RecordingInfo) {
    this.segment = segment;
    this.#firstIndex = firstIndex;
    this.#info = info;
    this.#textProtocols = parseConfig(options.config ?? {}, "options").config.textProtocols;
    const { edits, marks } = foldWhole(segment, options, info);
    this.entries = edits;
    this.#marks = marks;
    for (const entry of this.entries) {
      const own = this.#byRequest.get(entry.request);
      if (own) own.push(entry);
      else this.#byRequest.set(entry.request, [entry]);
    }
  }

  entriesOf(index: number): readonly LedgerEntry[] {
    return this.#byRequest.get(index - this.#firstIndex) ?? [];
  }

  /** In the newest view. */
  markOf(index: number): number | undefined {
    const message = this.#marks[index - this.#firstIndex];
    const at = message === undefined ? -1 : this.#sources.lastIndexOf(message);
    return at < 0 ? undefined : at;
  }

  /** The last view and the new messages, with the new edits applied. */
  view(messages: readonly unknown[], entries: readonly LedgerEntry[]): readonly unknown[] {
    this.#applied.push(...entries);
    const added = messages.slice(this.#seen);
    const { messages: view, sources } =
      entries.length > 0
        ? applyLedger(formatByName(this.#info.format), messages, this.#applied, this.#textProtocols)
        : {
            messages: [...this.#view, ...added],
            sources: [...this.#sources, ...added.map((_, i) => this.#seen + i)],
          };
    this.#view = view;
    this.#sources = sources;
    this.#seen = messages.length;
    return this.#view;
  }
}

function foldWhole(
  segment: Segment,
  options: PrunerOptions,
  info: RecordingInfo,
): Pick<Report, "edits" | "marks"> {
  const format = formatByName(info.format);
  const decoded = segment.messages.map((message) => format.decode(message));
  const requests = listRequests(segment, decoded, info);
  const last = requests.at(-1);
  if (!last) return { edits: [], marks: [] };
  // Live, every request names its model; here the responses do.
  const meta = [...listKnown(segment)];
  for (const request of requests) {
    const { end, model } = request;
    const terms = termsOf(request, info);
    meta[end] = { ...meta[end], ...(model !== undefined && { model }), terms };
  }
  const { report } = createPruner(completeOptions(options, info)).prune(segment.messages.slice(0, last.end), {
    meta,
    carried: segment.carried,
    ...termsOf(last, info),
    ...(last.time !== undefined && { at: last.time }),
  });
  const failed = report.issues.find(({ code }) => code === "fold-failed" || code === "unknown-format");
  if (failed) throw new Error(failed.message);
  return report;
}

/** The data that a host passes with a request, other than its messages. */
function termsOf(
  { model, isLong }: RecordedRequest,
  { prices, pricedAs, window, mayMark }: RecordingInfo,
): RequestTerms {
  const ttl = isLong ? profilePricedAs(model, pricedAs ?? null, prices).longCache?.ttl : undefined;
  return {
    ...(model !== undefined && { model }),
    ...(ttl !== undefined && { ttl }),
    ...(mayMark && { mayMark }),
    ...(window !== undefined && { window }),
  };
}
