import type { Issue } from "../basics/issue.ts";
import { keepMessage } from "../intake/recognise.ts";
import { requestEnds } from "../intake/request-ends.ts";
import { extendPrefixes, hashPrefixes } from "../transcript/hash-prefixes.ts";
import type { DecodedMessage, RequestTerms, Usage } from "../transcript/message.ts";
import { sameMessage, sameUsage } from "../transcript/same-part.ts";
import { sameValue } from "../transcript/same-value.ts";
import type { Advance, Fold, RequestInput } from "./fold.ts";
import type { RequestMemory, RequestRow } from "./request-memory.ts";
import { findTerms, listLeftOut, type PruneArguments } from "./terms.ts";

/** The requests that a list of messages tells of, and how far a fold knows them. */
interface Requests {
  /** Where each of them ends, as a count of messages; the last is the one to be made now. */
  readonly ends: readonly number[];
  /** Requests that the fold has advanced over, with the same messages. */
  readonly shared: number;
}

export function listRequests(
  fold: Fold,
  { messages, keys, request }: Pick<PruneArguments, "messages" | "keys" | "request">,
  memory: RequestMemory,
): Requests {
  const same = countSame(fold.messages, messages);
  const made = requestEnds(messages, request.carried);
  const ends = request.quiet ? splitNewest(made, (end) => memory.get(keys[end]) !== undefined) : made;
  let shared = 0;
  while (isAt(fold.advances[shared], ends[shared], same)) shared++;
  return { ends, shared };
}

/**
 * A client's own question may stand right behind the input of a request that was made: that one is a request of its own,
 * and what was cut for it shows.
 *
 *   user | assistant result question     ->  1, 3, 4 where a request ended with the result
 */
function splitNewest(ends: readonly number[], wasMade: (end: number) => boolean): readonly number[] {
  const last = ends.at(-1) ?? 0;
  for (let end = last - 1; end > (ends.at(-2) ?? 0); end--)
    if (wasMade(end)) return [...ends.slice(0, -1), end, last];
  return ends;
}

function isAt(advance: Advance | undefined, end: number | undefined, same: number): boolean {
  return advance !== undefined && advance.messages === end && end <= same;
}

/** By count of messages: a hash of that many, those that the fold knows taken from it. */
export function hashKnown(fold: Fold | undefined, messages: readonly DecodedMessage[]): readonly string[] {
  return fold
    ? extendPrefixes(fold.prefixes, countSame(fold.messages, messages), messages)
    : hashPrefixes(messages);
}

function countSame(before: readonly DecodedMessage[], now: readonly DecodedMessage[]): number {
  let same = 0;
  while (same < before.length && same < now.length && sameMessage(before[same], now[same])) same++;
  return same;
}

/**
 * Brings the fold to this transcript: keeps the boundaries that it shares with the last one, and advances over the
 * rest. Gives the fold, which is another one if it had to go far back, and the issues with the terms (model, window,
 * time) of the requests.
 */
export function advanceOver(
  known: Fold,
  args: PruneArguments,
  memory: RequestMemory,
): { readonly fold: Fold; readonly issues: readonly Issue[] } {
  const { messages, keys, request } = args;
  const { ends, shared } = listRequests(known, args, memory);
  const { subagent = false, status, quiet = false } = request;
  const rows = ends.map((end) => memory.get(keys[end]));
  const usageAt = (i: number): Usage | undefined =>
    findUsage(messages, ends[i - 1] ?? 0, ends[i] ?? 0) ?? rows[i - 1]?.usage;
  const isUnchanged = (advance: Advance, i: number) =>
    isShared(advance, rows[i], rows[i - 1], args) && (i < ends.length - 1 || advance.input.quiet === quiet);
  let kept = 0;
  while (kept < shared && isUnchanged(known.advances[kept] as Advance, kept)) kept++;
  const changedAnswer = kept < shared && kept < ends.length - 1;
  const wasSent = changedAnswer ? listSent(known, kept, ends.length) : undefined;
  const knownTerms = known.advances.slice(kept, shared).map(({ input }, i) => termsOf(input, rows[kept + i]));
  const fold = known.rewind(kept);
  fold.prefixes = keys;
  for (let i = kept; i < ends.length; i++) {
    const end = ends[i] as number;
    const ownTerms = knownTerms[i - kept];
    const row = ownTerms ? { ...rows[i], terms: ownTerms } : rows[i];
    const resolved = findTerms(args, [ends[i - 1] ?? 0, end], row);
    const input = messages.slice(fold.messages.length, end).map(keepMessage);
    const isNewest = i === ends.length - 1;
    fold.advance({
      messages: input,
      ...resolved,
      usage: usageAt(i),
      quiet: quiet && isNewest,
      subagent,
      status,
    });
    if (!resolved.isAssumed) memory.note(keys[end] as string, resolved.terms);
  }
  const before = fold.advances.at(-2)?.input;
  const leftOut = before && !before.isAssumed ? listLeftOut(args, before.terms) : [];
  const issues = [
    ...(wasSent !== undefined && wasSent !== listSent(fold, kept, ends.length) ? [historyChanged()] : []),
    ...(leftOut.length > 0 ? [termsLeftOut(leftOut)] : []),
  ];
  return { fold, issues };
}

/** The edits that were first shown by the requests from `from` on, without those of the newest request. */
function listSent({ ledger }: Fold, from: number, requests: number): string {
  return JSON.stringify(ledger.entries.filter(({ request }) => request >= from && request < requests - 1));
}

/**
 * Is the boundary still valid? The messages may now go to another model or window, or an answer names another model, or its
 * usage has come.
 *
 * @param own what a journal says of the request
 * @param before what it says of the one before
 */
function isShared(
  advance: Advance,
  own: RequestRow | undefined,
  before: RequestRow | undefined,
  args: PruneArguments,
): boolean {
  const { input, messages: end } = advance;
  const answer = args.messages[end];
  const last = checked.get(advance);
  if (answer && last && last.own === own && last.before === before && saysNothingNew(answer, last))
    return true;
  const from = end - input.messages.length;
  const resolved = findTerms(args, [from, end], { ...own, terms: termsOf(input, own) });
  const usage = findUsage(args.messages, from, end) ?? before?.usage;
  const isSame = hasTerms(input, resolved) && sameUsage(usage, input.usage);
  if (isSame && answer) checked.set(advance, { model: answer.model, terms: answer.terms, own, before });
  return isSame;
}

/** What a request was reckoned with; where that was only assumed, the word of a journal counts. */
function termsOf({ terms, isAssumed }: RequestInput, row: RequestRow | undefined): RequestTerms {
  return isAssumed && row ? row.terms : terms;
}

function hasTerms(
  input: RequestInput,
  { profile, window, time, terms }: ReturnType<typeof findTerms>,
): boolean {
  return (
    profile.id === input.profile.id &&
    window === input.window &&
    time === input.time &&
    terms.prefixTokens === input.terms.prefixTokens &&
    terms.overheadTokens === input.terms.overheadTokens &&
    terms.ttl === input.terms.ttl &&
    terms.mayMark === input.terms.mayMark &&
    sameValue(terms.marks, input.terms.marks) &&
    terms.warmedAt === input.terms.warmedAt &&
    sameValue(terms.clears, input.terms.clears)
  );
}

/** What the answers said that the terms of their requests were found to agree with: most are never looked at again. */
const checked = new WeakMap<Advance, Checked>();

interface Checked {
  readonly model: DecodedMessage["model"] | undefined;
  readonly terms: DecodedMessage["terms"] | undefined;
  readonly own: RequestRow | undefined;
  readonly before: RequestRow | undefined;
}

/** Of its request: that depends on nothing else of an answer. */
function saysNothingNew(answer: DecodedMessage, before: Checked): boolean {
  return answer.model === before.model && sameValue(answer.terms, before.terms);
}

function findUsage(messages: readonly DecodedMessage[], from: number, end: number): Usage | undefined {
  for (let i = from; i < end; i++) if (messages[i]?.usage) return messages[i]?.usage;
  return undefined;
}

function historyChanged(): Issue {
  const message =
    "an answer tells otherwise of its request than was told when that was made (another model, say): what was cut since then is reckoned again, so this request begins otherwise than the last; give `report.terms` back in `meta` of every answer";
  return { code: "history-changed", message, severity: "warning" };
}

function termsLeftOut(names: readonly string[]): Issue {
  const message = `${names.join(" and ")}: the requests before this one came with it and this one does not; after a restart what is sent may differ from what was sent before, so give it with every request, or \`report.terms\` in \`meta\``;
  return { code: "history-assumed", message, severity: "info" };
}
