import type { LiveSession, Trend } from "../../../page/dashboard-data.ts";
import type { WithAndWithout } from "../../../page/data.ts";
import { addLosses, type LossSum } from "../../../prefix/cache-loss.ts";
import { storableText } from "../../../stores/storable.ts";
import { isOwnQuestion } from "../../../wires/index.ts";
import { measureDollars } from "../measure-request.ts";
import type { SentRequest, WatchedAnswer } from "../watcher.ts";
import {
  answerRequest,
  type FigureSettings,
  failRequest,
  type KeptRequest,
  keepRequest,
  listWaiting,
  type PartSubject,
  toSubject,
} from "./live-request.ts";

/**
 * A conversation of a session. The same session gets a new one if the client compacted, or if a subagent has no id
 * of its own.
 */
export interface LiveSegment {
  readonly root: string;
  readonly hasTools: boolean;
  /** The number of messages in its first request. */
  readonly first: number;
}

/** A session's figures, computed request by request. */
export interface SessionState {
  readonly id: string;
  readonly client?: string;
  readonly model?: string;
  readonly folder?: string;
  readonly parent?: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly isHeldOut: boolean;
  readonly segments: readonly LiveSegment[];
  /** The newest requests; very long sessions lose the oldest. */
  readonly requests: readonly KeptRequest[];
  readonly count: number;
  readonly cuts: number;
  readonly hits: number;
  readonly misses: number;
  readonly losses: readonly LossSum[];
  readonly waiting: readonly PartSubject[];
  readonly questions: Questions;
  /** Serials of requests whose answer has not ended. */
  readonly underWay: readonly number[];
  readonly dollars?: WithAndWithout;
}

/** The client's own requests: their number, and the message counts of the newest ones by conversation. */
interface Questions {
  readonly count: number;
  readonly sizes: Readonly<Record<string, number>>;
}

const REQUESTS_KEPT = 1_000;
const SEGMENTS_KEPT = 200;
const QUESTIONS_KEPT = 20;
const TREND_LENGTH = 32;

export function openSession(id: string, sent: SentRequest, folder: string | undefined): SessionState {
  const parent = sent.ids.find(({ isShared }) => !isShared)?.parent;
  return {
    id,
    ...(sent.client !== undefined && { client: sent.client }),
    ...(folder !== undefined && { folder }),
    ...(parent !== undefined && { parent: storableText(parent) }),
    startedAt: sent.time,
    lastAt: sent.time,
    isHeldOut: sent.isHeldOut,
    segments: [],
    requests: [],
    count: 0,
    cuts: 0,
    hits: 0,
    misses: 0,
    losses: [],
    waiting: [],
    questions: { count: 0, sizes: {} },
    underWay: [],
  };
}

/** Records a request that was sent. The client's own requests are only counted. */
export function noteSent(session: SessionState, sent: SentRequest, settings: FigureSettings): SessionState {
  const { request, root, serial, time } = sent;
  const touched = { ...session, lastAt: time, underWay: [...session.underWay, serial] };
  if (isQuestion(session, sent)) return { ...touched, questions: addQuestion(session.questions, sent) };
  const known = session.segments.findLastIndex((segment) => segment.root === root);
  const opened = { root, hasTools: request.hasTools, first: request.messages.length };
  const segments =
    known >= 0 || session.segments.length >= SEGMENTS_KEPT ? session.segments : [...session.segments, opened];
  const segment = known >= 0 ? known : segments.length - 1;
  const kept = keepRequest(sent, { number: session.count + 1, segment }, known < 0, settings);
  return {
    ...touched,
    ...(request.model !== undefined && { model: storableText(request.model) }),
    isHeldOut: sent.isHeldOut,
    segments,
    requests: [...session.requests, kept].slice(-REQUESTS_KEPT),
    count: session.count + 1,
    cuts: session.cuts + (kept.shown.cut ? 1 : 0),
    waiting: listWaiting(sent, session.waiting),
  };
}

/**
 * A request without tools is a side question, such as a title or a summary. But if its conversation continues
 * without tools, it is a chat.
 */
function isQuestion({ segments, questions }: SessionState, { request, root }: SentRequest): boolean {
  if (!isOwnQuestion(request)) return false;
  const segment = segments.findLast((each) => each.root === root);
  if (segment) return segment.hasTools;
  const before = Object.hasOwn(questions.sizes, root) ? questions.sizes[root] : undefined;
  return before === undefined || request.messages.length <= before;
}

function addQuestion({ count, sizes }: Questions, { root, request }: SentRequest): Questions {
  const newest = Object.entries(sizes).slice(1 - QUESTIONS_KEPT);
  return { count: count + 1, sizes: { ...Object.fromEntries(newest), [root]: request.messages.length } };
}

/** Records the end of an answer. Only answered requests cost anything. */
export function noteAnswered(
  session: SessionState,
  sent: SentRequest,
  answered: WatchedAnswer,
): SessionState {
  const rest = endRequest(session, sent.serial);
  const { answer, loss } = answered;
  const own = measureDollars(sent, answered);
  const changed = changeRequest(rest, sent.serial, (kept) => answerRequest(kept, answered, own));
  if (!answer) return changed;
  const { cache } = findRequest(changed, sent.serial)?.shown ?? {};
  const dollars = addDollars(session.dollars, own);
  return {
    ...changed,
    lastAt: Math.max(session.lastAt, answered.time),
    hits: session.hits + (cache === "hit" ? 1 : 0),
    misses: session.misses + (cache === "miss" ? 1 : 0),
    ...(loss && { losses: addLosses(session.losses, [loss]) }),
    ...(dollars && { dollars }),
  };
}

/** Records that no answer came. */
export function noteFailed(session: SessionState, serial: number): SessionState {
  return changeRequest(endRequest(session, serial), serial, failRequest);
}

export function findRequest({ requests }: SessionState, serial: number): KeptRequest | undefined {
  return requests.findLast((kept) => kept.serial === serial);
}

export function describeLive(session: SessionState, isOpen: boolean): LiveSession {
  const { id, client, model, folder, parent, startedAt, lastAt, dollars } = session;
  const { raw = 0, pruned = 0, window = 0, waits = 0 } = session.requests.at(-1)?.shown ?? {};
  return {
    id,
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(folder !== undefined && { folder }),
    ...(parent !== undefined && { parent }),
    startedAt,
    lastAt,
    requests: session.count,
    questions: session.questions.count,
    underWay: session.underWay.length,
    segments: session.segments.length,
    cuts: session.cuts,
    raw,
    pruned,
    window,
    waits,
    waiting: session.waiting.map(toSubject),
    ...(dollars && { dollars }),
    hits: session.hits,
    misses: session.misses,
    ...(session.losses.length > 0 && { losses: session.losses }),
    isHeldOut: session.isHeldOut,
    isOpen,
  };
}

export function listTrend({ requests }: SessionState): Trend {
  return requests.slice(-TREND_LENGTH).map(({ shown }) => [shown.raw, shown.pruned]);
}

function endRequest(session: SessionState, serial: number): SessionState {
  return { ...session, underWay: session.underWay.filter((each) => each !== serial) };
}

function changeRequest(
  session: SessionState,
  serial: number,
  change: (kept: KeptRequest) => KeptRequest,
): SessionState {
  const at = session.requests.findLastIndex((kept) => kept.serial === serial);
  const kept = session.requests[at];
  return kept ? { ...session, requests: session.requests.with(at, change(kept)) } : session;
}

function addDollars(
  a: WithAndWithout | undefined,
  b: WithAndWithout | undefined,
): WithAndWithout | undefined {
  return a && b ? { with: a.with + b.with, without: a.without + b.without } : (b ?? a);
}
