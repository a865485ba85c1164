import type { Issue } from "../basics/issue.ts";
import { boundaryEnds } from "../intake/boundaries.ts";
import { keepMessage } from "../intake/recognise.ts";
import type { Asked, DecodedMessage } from "../transcript/message.ts";
import { sameMessage } from "../transcript/same-part.ts";
import { sameValue } from "../transcript/same-value.ts";
import type { Advance, Fold } from "./fold.ts";
import type { RequestMemory } from "./request-memory.ts";
import { findTerms, type Given, listLeftOut } from "./terms.ts";

/**
 * Brings the fold to this transcript: keeps the boundaries that it shares with the last one, and advances over the
 * rest. Gives the issues with the terms (model, window, time) of the requests.
 */
export function advanceOver(fold: Fold, given: Given, memory: RequestMemory): readonly Issue[] {
  const { messages, request } = given;
  const { session = "", carried, subagent = false, standing } = request;
  const ends = boundaryEnds(messages, carried);
  const isNew = fold.advances.length === 0;
  const known = isNew ? memory.find(session, messages, ends) : listKnown(fold, messages, ends);
  const shared = fold.advances.findIndex((advance, i) => !isShared(advance, known[i], given));
  const isAnswered = shared >= 0 && shared < ends.length - 1;
  const wasSent = isAnswered && known[shared] ? listSent(fold, shared, ends.length) : undefined;
  fold.rewind(shared < 0 ? fold.advances.length : shared);
  for (const [i, end] of ends.entries()) {
    if (i < fold.advances.length) continue;
    const terms = findTerms(given, [ends[i - 1] ?? 0, end], known[i]);
    const input = messages.slice(fold.messages.length, end).map(keepMessage);
    fold.advance({ messages: input, ...terms, subagent, standing });
  }
  const before = fold.advances.at(-2)?.boundary;
  const leftOut = before && !before.assumed ? listLeftOut(given, before.asked) : [];
  return [
    ...(wasSent !== undefined && wasSent !== listSent(fold, shared, ends.length) ? [historyChanged()] : []),
    ...(leftOut.length > 0 ? [termsLeftOut(leftOut)] : []),
  ];
}

/** The edits that were first shown by the requests from `from` on, without those of the newest request. */
function listSent({ ledger }: Fold, from: number, requests: number): string {
  return JSON.stringify(ledger.entries.filter(({ boundary }) => boundary >= from && boundary < requests - 1));
}

/**
 * Is the boundary still valid? The messages may now go to another model or window, or an answer names another model.
 */
function isShared(advance: Advance, known: Asked | undefined, given: Given): boolean {
  const { boundary, messages: end } = advance;
  if (known !== boundary.asked) return false;
  const answer = given.messages[end];
  if (answer && saysNothingNew(answer, answers.get(advance))) return true;
  const { profile, window, time } = findTerms(given, [end - boundary.messages.length, end], known);
  const isSame = profile.id === boundary.profile.id && window === boundary.window && time === boundary.time;
  if (isSame && answer) answers.set(advance, answer);
  return isSame;
}

/** By advance, the answer that its terms were last found to agree with, so that most answers are checked only once. */
const answers = new WeakMap<Advance, DecodedMessage>();

/** Does the answer say nothing new of its request? The terms depend only on its `asked` and `model`. */
function saysNothingNew(answer: DecodedMessage, before: DecodedMessage | undefined): boolean {
  if (answer.asked === undefined && answer.model === undefined) return true;
  return before !== undefined && answer.model === before.model && sameValue(answer.asked, before.asked);
}

/** What the fold was told of its requests, for those that this transcript has too. */
function listKnown(
  { messages: before, advances }: Fold,
  messages: readonly DecodedMessage[],
  ends: readonly number[],
): readonly (Asked | undefined)[] {
  let same = 0;
  while (same < before.length && same < messages.length && sameMessage(before[same], messages[same])) same++;
  return advances.map(({ messages: end, boundary }, i) =>
    end <= same && end === ends[i] ? boundary.asked : undefined,
  );
}

function historyChanged(): Issue {
  const message =
    "an answer tells otherwise of its request than was told when that was made (another model, say): what was cut since then is reckoned again, so this request begins otherwise than the last; give `report.asked` back in `meta` of every answer";
  return { code: "history-changed", message, severity: "warning" };
}

function termsLeftOut(terms: readonly string[]): Issue {
  const message = `${terms.join(" and ")}: the requests before this one came with it and this one does not; after a restart what is sent may differ from what was sent before, so give it with every request, or \`report.asked\` in \`meta\``;
  return { code: "history-assumed", message, severity: "info" };
}
