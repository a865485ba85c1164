import type { Edit } from "../../../edits/edit.ts";
import type { ModelOverrides } from "../../../models/profile.ts";
import { profileCachedFor, profileFor } from "../../../models/profile-for.ts";
import type { CutSubject, LiveCut, LiveRequest } from "../../../page/dashboard-data.ts";
import type { WithAndWithout } from "../../../page/data.ts";
import type { Report } from "../../../reports/report.ts";
import type { RequestTerms, Usage } from "../../../transcript/message.ts";
import type { PartKey } from "../../../transcript/part.ts";
import type { WireRequest } from "../../../wires/index.ts";
import { measureTokens } from "../measure-request.ts";
import type { SentRequest, WatchedAnswer } from "../watcher.ts";
import { cachedShare, expectedShare, judgeCache } from "./judge-cache.ts";
import { nameCalls } from "./name-calls.ts";

/** The settings that the figures depend on. */
export interface FigureSettings {
  readonly prices: ModelOverrides;
  /** The share of the window at which pressure begins. */
  readonly compactThreshold: number;
}

/**
 * The data shown for a request, and the data that its session's report page needs. No text except short subjects.
 */
export interface KeptRequest {
  readonly serial: number;
  readonly shown: LiveRequest;
  /** The number of its messages. */
  readonly messages: number;
  readonly root: string;
  readonly terms: RequestTerms;
  readonly answer?: { readonly time: number; readonly usage?: Usage; readonly model?: string };
  /** The share of it that should have been cached. */
  readonly expected: number;
}

const SUBJECTS_KEPT = 4;
const LONGEST_REASON = 160;

/** @param isFirst its conversation is new, so its last request is unknown */
export function keepRequest(
  sent: SentRequest,
  place: Pick<LiveRequest, "number" | "segment">,
  isFirst: boolean,
  { prices, compactThreshold }: FigureSettings,
): KeptRequest {
  const { report, isHeldOut, request } = sent;
  const tokens = measureTokens(sent);
  const { window } = report.pressure;
  const profile = profileCachedFor(profileFor(request.model, prices), report.terms.ttl);
  const { newest } = report.bill;
  const cut = isHeldOut ? undefined : describeCut(sent);
  return {
    serial: sent.serial,
    shown: {
      ...place,
      time: sent.time,
      state: "sent",
      raw: tokens.without,
      pruned: tokens.with,
      window,
      threshold: window * compactThreshold,
      ...(cut && { cut }),
      waits: sumSaves(report),
    },
    messages: request.messages.length,
    root: sent.root,
    terms: report.terms,
    expected: isFirst
      ? 0
      : // A cut of ours that breaks the cache is a miss too.
        expectedShare(newest.without, tokens.without, profile.cache),
  };
}

/** Adds the answer's data to a request. */
export function answerRequest(
  kept: KeptRequest,
  { time, status, answer, loss }: WatchedAnswer,
  dollars: WithAndWithout | undefined,
): KeptRequest {
  if (!answer) return failRequest(kept, status);
  const { usage } = answer;
  const model = answer.model ?? kept.terms.model;
  const share = cachedShare(usage);
  return {
    ...kept,
    shown: {
      ...kept.shown,
      state: "answered",
      status,
      ...(share !== undefined && {
        cached: Math.round(share * kept.shown.pruned),
        cache: judgeCache(kept.expected, share),
      }),
      ...(loss && { loss }),
      ...(dollars && { dollars }),
    },
    answer: { time, ...(usage && { usage }), ...(model !== undefined && { model }) },
  };
}

export function failRequest(kept: KeptRequest, status?: number): KeptRequest {
  return { ...kept, shown: { ...kept.shown, state: "failed", ...(status !== undefined && { status }) } };
}

/** @param before the list of the previous request: subjects keep their names */
export function listWaiting(
  { report, request }: SentRequest,
  before: readonly PartSubject[],
): readonly PartSubject[] {
  const known = new Map(before.map((subject) => [subject.part, subject.what]));
  const waiting = report.waiting.map(({ part, reason, saves }): PartSubject => {
    const what = known.get(part);
    return { part, reason, saved: saves, ...(what !== undefined && { what }) };
  });
  return keepLargest(waiting, request);
}

function sumSaves({ waiting }: Report): number {
  return waiting.reduce((sum, { saves }) => sum + saves, 0);
}

function describeCut({ report: { cut }, request }: SentRequest): LiveCut | undefined {
  if (!cut) return undefined;
  return {
    reason: cut.reason,
    edits: cut.edits.length,
    saved: cut.edits.reduce((sum, { saved }) => sum + saved, 0),
    largest: keepLargest(cut.edits.map(describeEdit), request).map(toSubject),
  };
}

/** With the part that it describes. */
export interface PartSubject extends CutSubject {
  readonly part?: PartKey;
}

function describeEdit(edit: Edit): PartSubject {
  const { reason, saved } = edit;
  if (edit.type === "undo") return { reason, saved };
  const { part, mechanism } = edit;
  return { part, ...(mechanism !== undefined && { mechanism }), reason, saved };
}

function keepLargest(subjects: readonly PartSubject[], request: WireRequest): readonly PartSubject[] {
  const largest = subjects.toSorted((a, b) => b.saved - a.saved).slice(0, SUBJECTS_KEPT);
  const unnamed = largest.flatMap(({ part, what }) => (part !== undefined && what === undefined ? part : []));
  const names = nameCalls(unnamed, request);
  return largest.map((subject) => {
    const what = subject.what ?? (subject.part && names.get(subject.part));
    return { ...subject, reason: clip(subject.reason), ...(what !== undefined && { what: clip(what) }) };
  });
}

/** Removes the part. */
export function toSubject({ part: _, ...subject }: PartSubject): CutSubject {
  return subject;
}

function clip(text: string): string {
  return text.slice(0, LONGEST_REASON).toWellFormed();
}
