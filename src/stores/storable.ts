import { NO_WORK, WORK_FIELDS, type WorkCounts } from "../facts/work-counts.ts";
import { isCacheMarks } from "../transcript/cache-mark.ts";
import { isClearingRule } from "../transcript/clearing-rule.ts";
import { hashText } from "../transcript/hash.ts";
import type { RequestTerms, Usage } from "../transcript/message.ts";
import type { JournalRow, PingSums, RequestSums, StoredAnswer } from "./store.ts";

/** Converts rows to a form that every store can hold: the one place that shortens, cleans and leaves out values. */

const LONGEST_TEXT = 200;
const KEPT_OF_LONGER = 180;
const LATEST = Date.UTC(9999, 11, 31);

/** The text itself, or its beginning and a hash, so that different texts stay different. */
export function storableText(text: string): string {
  if (text.length <= LONGEST_TEXT && text.isWellFormed() && !text.includes("\0")) return text;
  const start = text.slice(0, KEPT_OF_LONGER).toWellFormed().replaceAll("\0", "\uFFFD");
  return `${start}…${hashText(text)}`;
}

export function storableRow({ key, terms, version, config, ...rest }: JournalRow): JournalRow {
  return {
    key: storableText(key),
    terms: storableTerms(terms),
    ...nameAnswer({ ...rest, ...(rest.answeredBy !== undefined && { model: rest.answeredBy }) }),
    version: storableText(version),
    config: storableText(config),
  };
}

/** Converts an answer to the fields of a row. */
export function nameAnswer({ usage, model }: StoredAnswer): Pick<JournalRow, "usage" | "answeredBy"> {
  const known = storableUsage(usage);
  return {
    ...(known && { usage: known }),
    ...(model !== undefined && { answeredBy: storableText(model) }),
  };
}

/** @throws if the time is invalid: there is no day to add it to. */
export function storableRequest(request: RequestSums): RequestSums & { readonly day: string } {
  const { session, time, client, model, folder, costWith, costWithout, cost, arm, work } = request;
  const usage = storableUsage(request.usage);
  return {
    session: storableText(session),
    time,
    day: dayOf(time),
    ...(client !== undefined && { client: storableText(client) }),
    ...(model !== undefined && { model: storableText(model) }),
    ...(folder !== undefined && { folder: storableText(lastName(folder)) }),
    tokensWith: finiteOrZero(request.tokensWith),
    tokensWithout: finiteOrZero(request.tokensWithout),
    ...(isFigure(costWith) && isFigure(costWithout) && { costWith, costWithout }),
    ...(usage && { usage }),
    ...(isFigure(cost) && { cost }),
    ...(arm !== undefined && { arm }),
    cuts: finiteOrZero(request.cuts),
    ...(work && { work: storableWork(work) }),
  };
}

/** @throws if the time is invalid. */
export function storablePing({ session, time, cost }: PingSums): PingSums & { readonly day: string } {
  return { session: storableText(session), time, day: dayOf(time), ...(isFigure(cost) && { cost }) };
}

function storableTerms(terms: RequestTerms): RequestTerms {
  const { time, model, window, prefixTokens, overheadTokens, ttl, warmedAt, clears, marks, mayMark } = terms;
  return {
    ...(isFigure(time) && { time }),
    ...(model !== undefined && { model: storableText(model) }),
    ...(isFigure(window) && { window }),
    ...(isFigure(prefixTokens) && { prefixTokens }),
    ...(isFigure(overheadTokens) && { overheadTokens }),
    ...(isFigure(ttl) && { ttl }),
    ...(isFigure(warmedAt) && { warmedAt }),
    ...(isClearingRule(clears) && { clears }),
    ...(isCacheMarks(marks) && { marks }),
    ...(mayMark === true && { mayMark }),
  };
}

function storableUsage(usage: Usage | undefined): Usage | undefined {
  if (!usage) return undefined;
  const { input, cacheRead, cacheWrite, output } = usage;
  const figures = [input, cacheRead, cacheWrite, output];
  const isKnown = figures.every(isFigure) && figures.some((figure) => figure > 0);
  return isKnown ? { input, cacheRead, cacheWrite, output } : undefined;
}

function storableWork(work: WorkCounts): WorkCounts {
  const entries = WORK_FIELDS.map((field) => [field, finiteOrZero(work[field])]);
  return { ...NO_WORK, ...Object.fromEntries(entries) };
}

/** `2026-11-17`; times before 1970 and after 9999 belong to the first and the last day. */
function dayOf(time: number): string {
  if (!Number.isFinite(time)) throw new TypeError(`A request's time must be a number, not ${time}.`);
  return new Date(Math.min(Math.max(time, 0), LATEST)).toISOString().slice(0, "2026-11-17".length);
}

function lastName(path: string): string {
  return path.split(/[\\/]/).findLast((name) => name !== "") ?? path;
}

function isFigure(value: number | undefined): value is number {
  return Number.isFinite(value);
}

function finiteOrZero(value: number): number {
  return isFigure(value) ? value : 0;
}
