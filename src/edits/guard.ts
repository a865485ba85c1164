import type { Issue, Result } from "../issue.ts";
import type { ReasoningRule } from "../models/profile.ts";
import { estimateMedia, estimateTokens } from "../transcript/estimate.ts";
import { estimateLeaf } from "../transcript/estimate-leaf.ts";
import { hashText } from "../transcript/hash.ts";
import { EMPTIED, type Leaf, type Part, type PartKey } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { Cut, DropEdit, ReplaceEdit } from "./edit.ts";
import { findGroup, findUtterance } from "./group.ts";
import { findPartialOverlap, renderLeaf } from "./leaf-edits.ts";
import type { Ledger } from "./ledger.ts";
import type { Refs } from "./refs.ts";

interface DraftBase {
  /** Index of the part in the transcript. */
  readonly part: number;
  readonly author: string;
  readonly reason: string;
  readonly needs?: readonly PartKey[];
}

export interface ReplaceDraft extends DraftBase {
  readonly type: "replace";
  readonly leaf: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface DropDraft extends DraftBase {
  readonly type: "drop";
}

export type Draft = ReplaceDraft | DropDraft;

export interface GuardContext {
  readonly transcript: Transcript;
  readonly ledger: Ledger;
  readonly refs: Refs;
  readonly reasoning: ReasoningRule;
  /** Why the part must not be cut by this author, or `undefined`. */
  protectedFrom(part: number, author: string): string | undefined;
}

/** Legal? Protected? Smaller? Gives the edit, ready for the ledger, or the reason why not. */
export function guard(draft: Draft, context: GuardContext): Result<Cut> {
  const part = context.transcript.parts[draft.part];
  if (!part) return refuse(draft, context, "there is no such part");
  return draft.type === "replace" ? guardReplace(draft, part, context) : guardDrop(draft, part, context);
}

/**
 * What `guard` would say of many spans of one leaf of which nothing is cut yet, in time linear in the leaf: each is counted
 * with the line that it stands in, so it has to save two tokens to be sure of one. The spans are in text order.
 */
export function guardSpans(
  drafts: readonly ReplaceDraft[],
  context: GuardContext,
): readonly Result<ReplaceEdit>[] {
  let end = 0;
  return drafts.map((draft) => {
    const part = context.transcript.parts[draft.part];
    const leaf = part?.leaves.find(({ id }) => id === draft.leaf);
    if (!part || !leaf) return refuse(draft, context, "there is no such leaf");
    const illegal = findProblem(draft, part, leaf, context);
    if (illegal) return refuse(draft, context, illegal);
    if (draft.from < end) return refuse(draft, context, "it overlaps the one before it");
    const saved = countSavedNearby(leaf.text, draft);
    if (saved < 2) return refuse(draft, context, "it would not get smaller");
    end = draft.to;
    return { ok: true, value: makeReplaceEdit(draft, leaf, context, saved) };
  });
}

function guardReplace(draft: ReplaceDraft, part: Part, context: GuardContext): Result<ReplaceEdit> {
  const { transcript, ledger } = context;
  const leaf = part.leaves.find(({ id }) => id === draft.leaf);
  if (!leaf) return refuse(draft, context, `it has no leaf ${draft.leaf}`);
  const illegal = findProblem(draft, part, leaf, context);
  if (illegal) return refuse(draft, context, illegal);

  const standing = ledger.replacements(transcript.key(draft.part)).filter((edit) => edit.leaf === leaf.id);
  const overlap = findPartialOverlap(standing, draft);
  if (overlap) return refuse(draft, context, `it overlaps ${overlap.ref} in part`);

  const saved = countShown(part, leaf, standing) - countEdited(leaf, standing, draft);
  if (saved <= 0) return refuse(draft, context, "it would not get smaller");
  return { ok: true, value: makeReplaceEdit(draft, leaf, context, saved) };
}

function makeReplaceEdit(
  draft: ReplaceDraft,
  leaf: Leaf,
  { transcript, ledger, refs }: GuardContext,
  saved: number,
): ReplaceEdit {
  const key = transcript.key(draft.part);
  const ref = refs.refOf({ part: key, leaf: leaf.id, from: draft.from, to: draft.to });
  return {
    type: "replace",
    id: ledger.nextId(ref),
    ref,
    part: key,
    leaf: leaf.id,
    from: draft.from,
    to: draft.to,
    text: draft.text,
    original: { length: draft.to - draft.from, hash: hashText(leaf.text.slice(draft.from, draft.to)) },
    author: draft.author,
    reason: draft.reason,
    needs: draft.needs ?? [],
    saved,
  };
}

function guardDrop(draft: DropDraft, part: Part, context: GuardContext): Result<DropEdit> {
  const { transcript, ledger, refs } = context;
  const members = listMembers(draft.part, part, context);
  const keys = members.map((index) => transcript.key(index));
  const illegal =
    findDropProblem(part, draft.part, members, context) ?? findStandingProblem(draft, keys, context);
  if (illegal) return refuse(draft, context, illegal);
  const key = transcript.key(draft.part);
  const ref = refs.refOf({ part: key, leaf: "", from: 0, to: 0 });
  const edit: DropEdit = {
    type: "drop",
    id: ledger.nextId(ref),
    ref,
    part: key,
    parts: keys,
    author: draft.author,
    reason: draft.reason,
    needs: draft.needs ?? [],
    saved: members.reduce((sum, index) => sum + countPartShown(index, context), 0),
  };
  return edit.saved > 0 ? { ok: true, value: edit } : refuse(draft, context, "it would not get smaller");
}

/** What leaves together. */
function listMembers(index: number, part: Part, { transcript, ledger }: GuardContext): readonly number[] {
  if (part.kind === "call" && !part.server) return findGroup(transcript, index);
  if (part.kind === "reasoning" || part.kind === "result") return [index];
  return findUtterance(transcript, index).filter((member) => !ledger.isDropped(transcript.key(member)));
}

function findProblem(draft: ReplaceDraft, part: Part, leaf: Leaf, context: GuardContext): string | undefined {
  const key = context.transcript.key(draft.part);
  return (
    findSpanProblem(draft, part, leaf) ?? findPartProblem(part) ?? findStandingProblem(draft, [key], context)
  );
}

function findSpanProblem(span: ReplaceDraft, part: Part, leaf: Leaf): string | undefined {
  const { from, to } = span;
  const { text } = leaf;
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || from >= to || to > text.length) {
    return `${from}–${to} is no span of its ${text.length} characters`;
  }
  if (part.kind === "file" && (from !== 0 || to !== text.length))
    return "a file is replaced whole or not at all";
  if (splitsPair(text, from) || splitsPair(text, to)) return "it would split a character";
  return undefined;
}

function findPartProblem(part: Part): string | undefined {
  if (part.kind === "reasoning" && part.signed) return "signed reasoning is dropped whole or left alone";
  if (part.kind === "call" && part.signed) return "the call carries a signature over its input";
  if (part.kind === "call" && part.server) return "the provider ran this call itself";
  if (part.kind === "result" && part.status === "pending") return "its result is not there yet";
  if (part.kind === "result" && part.status === "cleared") return "the host has cleared it already";
  return undefined;
}

function findStandingProblem(
  draft: Draft,
  keys: readonly PartKey[],
  context: GuardContext,
): string | undefined {
  const { transcript, ledger } = context;
  for (const key of keys) {
    const index = transcript.find(key) ?? -1;
    const protection = context.protectedFrom(index, draft.author);
    if (protection) return protection;
    const needed = ledger.neededBy(key);
    if (needed) return `${needed} refers to it`;
    if (ledger.isDropped(key)) return "it was dropped";
  }
  for (const need of draft.needs ?? []) {
    if (transcript.find(need) === undefined) return `it refers to ${need}, which is not there`;
    if (ledger.isCut(need) || keys.includes(need)) return `it refers to ${need}, which is cut itself`;
  }
  return undefined;
}

/**
 * Reasoning may leave where the provider lets it; a group only when all of it may; an utterance when nothing of it
 * is still asked for.
 */
function findDropProblem(
  part: Part,
  index: number,
  members: readonly number[],
  context: GuardContext,
): string | undefined {
  const { transcript } = context;
  const parts = members.map((member) => transcript.part(member));
  const inCurrentLoop = transcript.turn[index] === transcript.lastTurn;
  if (inCurrentLoop && parts.some((member) => member.kind === "reasoning" && member.signed)) {
    return "signed reasoning inside the current tool loop stays";
  }
  if (parts.some((member) => member.kind === "opaque" && member.unit))
    return "it makes one unit with something unknown";
  if (part.kind === "reasoning") return findReasoningProblem(index, context);
  if (isBeforeSignedResponse(members, transcript))
    return "the newest reasoning has to come first in its turn";
  if (isNewestBehindSigned(members, transcript)) return "the newest response stays while others are signed";
  if (part.kind === "result") {
    return isAnswer(index, transcript) ? "a result is dropped with its group or not at all" : undefined;
  }
  return part.kind === "call" && !part.server
    ? findGroupProblem(parts)
    : findUtteranceProblem(parts, part, inCurrentLoop);
}

function findReasoningProblem(index: number, { transcript, reasoning }: GuardContext): string | undefined {
  if (transcript.part(index).unit) return "the provider wants it with what followed it";
  const [from, to] = transcript.stepRange(transcript.step[index] ?? 0);
  const withCalls = transcript.parts.slice(from, to).some(({ kind }) => kind === "call");
  return reasoning === "field" && withCalls ? "the provider wants this field beside calls" : undefined;
}

function findGroupProblem(parts: readonly Part[]): string | undefined {
  if (parts.some((member) => member.kind === "call" && member.server))
    return "the provider ran one of its calls itself";
  const calls = parts.filter((member) => member.kind === "call").length;
  const results = parts.filter((member) => member.kind === "result" && member.status !== "pending").length;
  return calls === results ? undefined : "a call of that step has no result yet";
}

function findUtteranceProblem(parts: readonly Part[], part: Part, isCurrent: boolean): string | undefined {
  if (part.role === "system" || part.role === "developer") return "system text is not dropped";
  if (part.role === "user" && isCurrent) return "the newest user message is not dropped";
  if (parts.some((member) => member.kind === "call" && !member.server)) return "its calls are still there";
  return undefined;
}

/** Does its call stand before it? The n-th result answers the n-th call of that id. */
function isAnswer(index: number, transcript: Transcript): boolean {
  const call = `call${transcript.key(index).slice("result".length)}` as PartKey;
  return transcript.find(call) !== undefined;
}

/**
 * Messages of one role in a row are one to a provider, and where the newest was thought about, thinking leads it: what
 * keeps it apart from the response before it has to stay.
 */
function isBeforeSignedResponse(members: readonly number[], transcript: Transcript): boolean {
  return members.some(
    (member) =>
      isInput(transcript.part(member)) &&
      transcript.parts[member + 1]?.opensStep === true &&
      isNewestAndSigned(member + 1, transcript),
  );
}

/** Without the newest response an older one would be the newest, and held to that rule. */
function isNewestBehindSigned(members: readonly number[], transcript: Transcript): boolean {
  const { lastStep, parts, step } = transcript;
  const isNewest = members.some((i) => step[i] === lastStep && !isInput(transcript.part(i)));
  const older = isNewest ? parts.slice(0, transcript.stepStart[lastStep]) : [];
  return older.some((part) => part.kind === "reasoning" && part.signed);
}

/** Does the response from here on, of one step or several in a row, have no other after it, and signed reasoning? */
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

/** The part's tokens as it shows: what the view would no longer have. */
function countPartShown(index: number, { transcript, ledger }: GuardContext): number {
  const edits = ledger.replacements(transcript.key(index));
  let count = transcript.tokens[index] ?? 0;
  for (const leaf of edits.length === 0 ? [] : transcript.part(index).leaves) {
    const standing = edits.filter((edit) => edit.leaf === leaf.id);
    if (standing.length === 0) continue;
    const shown = estimateTokens(renderLeaf(leaf.text, standing) || EMPTIED);
    count += shown - countShown(transcript.part(index), leaf, []);
  }
  return count;
}

function countShown(part: Part, leaf: Leaf, standing: readonly ReplaceEdit[]): number {
  if (standing.length > 0) return estimateTokens(renderLeaf(leaf.text, standing));
  return part.kind === "file" ? estimateMedia(part.media) : estimateLeaf(leaf);
}

function countEdited(leaf: Leaf, standing: readonly ReplaceEdit[], draft: ReplaceDraft): number {
  return estimateTokens(renderLeaf(leaf.text, [...standing, draft]) || EMPTIED);
}

/** How far from a span the estimate looks for the ends of its line. */
const NEARBY = 100;

/** A line break makes the estimate forget what stood before it. */
function countSavedNearby(text: string, { from, to, text: replacement }: ReplaceDraft): number {
  const before = text.slice(Math.max(0, from - NEARBY), from);
  const head = before.slice(before.lastIndexOf("\n") + 1);
  const after = text.slice(to, to + NEARBY);
  const lineBreak = after.indexOf("\n");
  const tail = lineBreak < 0 ? after : after.slice(0, lineBreak + 1);
  return (
    estimateTokens(head + text.slice(from, to) + tail) - estimateTokens(head + replacement + tail || EMPTIED)
  );
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function refuse(
  draft: Draft,
  { transcript }: GuardContext,
  why: string,
): { readonly ok: false; readonly issue: Issue } {
  const where = transcript.keys[draft.part] ?? `part ${draft.part}`;
  const message = `${draft.author} wanted to ${draft.type} ${where}: ${why}`;
  return { ok: false, issue: { code: "edit-refused", message, where, severity: "info" } };
}
