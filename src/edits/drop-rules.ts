import type { DropRules } from "../models/profile.ts";
import type { Part, PartKey } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { Ledger } from "./ledger.ts";
import type { Refusal } from "./refusal.ts";

export interface DropContext extends DropRules {
  readonly transcript: Transcript;
  readonly ledger: Ledger;
}

/** Why a part can't be dropped with its members, or `undefined`. These are the providers' rules. */
export function findDropProblem(
  part: Part,
  index: number,
  members: readonly number[],
  context: DropContext,
): Refusal | undefined {
  const { transcript } = context;
  const parts = members.map((member) => transcript.part(member));
  const inCurrentLoop = transcript.turn[index] === transcript.lastTurn;
  if (inCurrentLoop && parts.some((member) => member.kind === "reasoning" && member.signed)) {
    return { code: "signed-in-loop" };
  }
  if (parts.some((member) => member.kind === "opaque" && member.unit)) return { code: "unit-with-unknown" };
  if (part.kind === "reasoning") return findReasoningProblem(index, context);
  if (holdsTextCall(members, transcript)) return { code: "call-in-text" };
  if (isBeforeSignedResponse(members, transcript)) return { code: "leads-its-turn" };
  if (isNewestBehindSigned(members, transcript)) return { code: "newest-behind-signed" };
  if (leadsCall(members, context)) return { code: "leads-a-call" };
  if (separatesUser(members, context)) return { code: "behind-a-result" };
  if (part.kind === "result") {
    return isAnswer(index, transcript) ? { code: "result-of-group" } : undefined;
  }
  return part.kind === "call" && !part.server
    ? findGroupProblem(parts)
    : findUtteranceProblem(parts, part, inCurrentLoop);
}

function findReasoningProblem(index: number, { transcript, reasoning }: DropContext): Refusal | undefined {
  if (transcript.part(index).unit) return { code: "unit-with-answer" };
  const [from, to] = transcript.stepRange(transcript.step[index] ?? 0);
  const withCalls = transcript.parts.slice(from, to).some((part) => part.kind === "call" && !part.inText);
  return reasoning === "field" && withCalls ? { code: "field-required" } : undefined;
}

function findGroupProblem(parts: readonly Part[]): Refusal | undefined {
  if (parts.some((member) => member.kind === "call" && member.server))
    return { code: "server-call-in-group" };
  const calls = parts.filter((member) => member.kind === "call").length;
  const results = parts.filter((member) => member.kind === "result" && member.status !== "pending").length;
  return calls === results ? undefined : { code: "unanswered-call" };
}

function findUtteranceProblem(parts: readonly Part[], part: Part, isCurrent: boolean): Refusal | undefined {
  if (part.role === "system" || part.role === "developer") return { code: "system-text" };
  if (part.role === "user" && isCurrent) return { code: "newest-prompt" };
  if (parts.some((member) => member.kind === "call" && !member.server)) return { code: "calls-remain" };
  return undefined;
}

/** Does this step make a call in its text? That text and its output belong together. */
function holdsTextCall(members: readonly number[], transcript: Transcript): boolean {
  const [first = 0] = members;
  const [from, to] = transcript.stepRange(transcript.step[first] ?? 0);
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    if (part.kind === "call" && part.inText) return true;
  }
  return false;
}

/** Is the call that this result answers in the transcript? The n-th result answers the n-th call of that id. */
function isAnswer(index: number, transcript: Transcript): boolean {
  const call = `call${transcript.key(index).slice("result".length)}` as PartKey;
  return transcript.find(call) !== undefined;
}

/**
 * Providers join neighbouring messages of one role, and require that the newest response begins with its thinking. So
 * the input between a newest, signed response and the response before it must stay.
 */
function isBeforeSignedResponse(members: readonly number[], transcript: Transcript): boolean {
  return members.some(
    (member) =>
      isInput(transcript.part(member)) &&
      transcript.parts[member + 1]?.opensStep === true &&
      isNewestAndSigned(member + 1, transcript),
  );
}

/** If the newest response is dropped, an older signed one becomes the newest, and that rule applies to it. */
function isNewestBehindSigned(members: readonly number[], transcript: Transcript): boolean {
  const { lastStep, parts, step } = transcript;
  const isNewest = members.some((i) => step[i] === lastStep && !isInput(transcript.part(i)));
  const older = isNewest ? parts.slice(0, transcript.stepStart[lastStep]) : [];
  return older.some((part) => part.kind === "reasoning" && part.signed);
}

/** Must a call of this step directly follow an input? */
export function mustFollowInput(call: Part, { callAfterResponse }: DropRules): boolean {
  return call.kind === "call" && !call.server && (call.followsInput === true || !callAfterResponse);
}

/**
 * Is it a prompt whose calls must not directly follow the response before it? If results are dropped, the whole step
 * goes: see `findGroup`.
 */
function leadsCall(members: readonly number[], { transcript, ledger, ...rules }: DropContext): boolean {
  const last = members.at(-1);
  if (last === undefined || !isPrompt(transcript.part(last))) return false;
  for (let i = last + 1; i < transcript.length; i++) {
    const part = transcript.part(i);
    if (isPrompt(part)) return false;
    if (mustFollowInput(part, rules) && !ledger.isDropped(transcript.key(i))) return true;
  }
  return false;
}

/** Is it an answer between a result and a prompt, if a prompt must not directly follow a result? */
function separatesUser(
  members: readonly number[],
  { transcript, ledger, userAfterResult }: DropContext,
): boolean {
  const [first] = members;
  const next = transcript.parts[(members.at(-1) ?? transcript.length) + 1];
  if (userAfterResult || first === undefined || isInput(transcript.part(first)) || !next || !isPrompt(next))
    return false;
  for (let i = first - 1; i >= 0 && !isPrompt(transcript.part(i)); i--)
    if (!ledger.isDropped(transcript.key(i))) return transcript.part(i).kind === "result";
  return false;
}

function isPrompt({ kind, role }: Part): boolean {
  return kind !== "result" && role === "user";
}

/** Does the response that begins here (one step, or several in a row) have signed reasoning, and is it the newest? */
function isNewestAndSigned(from: number, transcript: Transcript): boolean {
  let isSigned = false;
  let i = from;
  for (; i < transcript.length && !isInput(transcript.part(i)); i++) {
    const part = transcript.part(i);
    if (part.kind === "reasoning" && part.signed) isSigned = true;
  }
  for (; isSigned && i < transcript.length; i++) if (transcript.part(i).opensStep) return false;
  return isSigned;
}

function isInput({ kind, role }: Part): boolean {
  return kind === "result" || role === "user" || role === "tool";
}
