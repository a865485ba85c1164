import type { Issue } from "../basics/issue.ts";
import { keepMessage } from "../formats/intake/recognise.ts";
import { requestEnds } from "../formats/intake/request-ends.ts";
import { extendPrefixes, hashPrefixes } from "../transcript/hash-prefixes.ts";
import type { DecodedMessage, Usage } from "../transcript/message.ts";
import { sameMessage, sameUsage } from "../transcript/same-part.ts";
import { sameValue } from "../transcript/same-value.ts";
import type { Advance } from "./advance.ts";
import type { Fold } from "./fold.ts";
import type { RequestMemory, RequestRow } from "./request-memory.ts";
import { findTerms, hadTerms, listLeftOut, type PruneArguments } from "./terms.ts";

/** The requests that sent these messages, and how many of them a fold knows. */
interface Requests {
  /** The end of each request, as a count of messages. The last request is the one to make now. */
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
 * A client's own question may follow the input of an earlier request. That input stays a request of its own, and its
 * cuts stay.
 *
 *   user | assistant result question     ->  1, 3, 4 if a request ended with the result
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

/** The hash of the first messages, by their number. The fold has the hashes of the messages that it knows. */
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
 * Advances the fold to these messages: keeps the requests that it shares with them, and advances over the rest.
 * Returns the fold, or a new one if it had to go far back, and the issues with the terms (model, window, time) of the
 * requests.
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
  const isUnchanged = (advance: Advance, i: number) =>
    isShared(advance, rows[i], rows[i - 1], args) && (i < ends.length - 1 || advance.input.quiet === quiet);
  let kept = 0;
  while (kept < shared && isUnchanged(known.advances[kept] as Advance, kept)) kept++;
  const changedAnswer = kept < shared && kept < ends.length - 1;
  const wasSent = changedAnswer ? listSent(known, kept, ends.length) : undefined;
  const earlier = known.advances.slice(kept, shared).map(({ input }) => input);
  const fold = known.rewind(kept);
  fold.prefixes = keys;
  for (let i = kept; i < ends.length; i++) {
    const end = ends[i] as number;
    const noted = { row: rows[i], input: earlier[i - kept] };
    const resolved = findTerms(args, [ends[i - 1] ?? 0, end], noted);
    const input = messages.slice(fold.messages.length, end).map(keepMessage);
    const isNewest = i === ends.length - 1;
    fold.advance({
      messages: input,
      ...resolved,
      usage: findUsage(messages, [ends[i - 1] ?? 0, end], rows[i - 1]),
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

/** The edits that the requests from `from` on were the first to show, without those of the newest request. */
function listSent({ ledger }: Fold, from: number, requests: number): string {
  return JSON.stringify(ledger.entries.filter(({ request }) => request >= from && request < requests - 1));
}

/**
 * Is the advance still valid? The messages may now go to another model or window, the response may name another model, or
 * its usage may have arrived.
 *
 * @param own the row of the request
 * @param before the row of the previous request
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
  const resolved = findTerms(args, [from, end], { row: own, input });
  const usage = findUsage(args.messages, [from, end], before);
  const isSame = hadTerms(input, resolved) && sameUsage(usage, input.usage);
  if (isSame && answer) checked.set(advance, { model: answer.model, terms: answer.terms, own, before });
  return isSame;
}

/** Advances that were valid when they were checked with a response. Most are never checked again. */
const checked = new WeakMap<Advance, Checked>();

interface Checked {
  readonly model: DecodedMessage["model"] | undefined;
  readonly terms: DecodedMessage["terms"] | undefined;
  readonly own: RequestRow | undefined;
  readonly before: RequestRow | undefined;
}

/** Does the response report the same terms? Nothing else in it matters here. */
function saysNothingNew(answer: DecodedMessage, before: Checked): boolean {
  return answer.model === before.model && sameValue(answer.terms, before.terms);
}

/** The usage of the previous request, from its response or else from its row. */
function findUsage(
  messages: readonly DecodedMessage[],
  [from, end]: readonly [from: number, end: number],
  before: RequestRow | undefined,
): Usage | undefined {
  for (let i = from; i < end; i++) if (messages[i]?.usage) return messages[i]?.usage;
  return before?.usage;
}

function historyChanged(): Issue {
  const message =
    "a response reports different terms (for example, another model) than its request was sent with. The cuts since then were decided again, so this request does not begin like the previous one. Return `report.terms` in the `meta` of every response";
  return { code: "history-changed", message, severity: "warning" };
}

function termsLeftOut(names: readonly string[]): Issue {
  const message = `earlier requests had ${names.join(" and ")}, this one does not. After a restart, different messages may be sent. Pass it with every request, or return \`report.terms\` in \`meta\``;
  return { code: "history-assumed", message, severity: "info" };
}
