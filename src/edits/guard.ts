import type { PricedRisk } from "../risk/risk.ts";
import { findLeaf } from "../transcript/find-leaf.ts";
import { hashText } from "../transcript/hash.ts";
import { hashLeaf } from "../transcript/hash-leaf.ts";
import type { Leaf, Part, PartKey } from "../transcript/part.ts";
import type { Ref, Refs, Span } from "../transcript/refs.ts";
import { countSavedNearby } from "./count-shown.ts";
import { type DropContext, findDropProblem, mustFollowInput } from "./drop-rules.ts";
import type { Cut, DropEdit, ReplaceEdit } from "./edit.ts";
import { findGroup, findUtterance } from "./group.ts";
import { findPartialOverlap } from "./leaf-edits.ts";
import type { Mechanism } from "./mechanism.ts";
import { type Guarded, type Refusal, refuse } from "./refusal.ts";
import type { View } from "./view.ts";

interface DraftBase {
  /** Index of the part in the transcript. */
  readonly part: number;
  readonly author: string;
  readonly mechanism?: Mechanism;
  readonly reason: string;
  readonly needs?: readonly PartKey[];
  readonly yields?: true;
  readonly risk?: PricedRisk;
}

export interface ReplaceDraft extends DraftBase {
  readonly type: "replace";
  readonly leaf: string;
  readonly from: number;
  readonly to: number;
  /** The replacement; a function where it names the edit's ref. */
  readonly text: string | ((ref: Ref) => string);
  readonly lossless?: true;
}

export interface DropDraft extends DraftBase {
  readonly type: "drop";
}

export type Draft = ReplaceDraft | DropDraft;

/** A replacement whose text has been rendered. */
interface TextDraft extends ReplaceDraft {
  readonly text: string;
}

export interface GuardContext extends DropContext {
  /** What is shown now, with the ledger's edits. */
  readonly view: Pick<View, "tokens" | "savedBy">;
  readonly refs: Refs;
  /** Do marks name the ref of their cut? */
  readonly showsRefs: boolean;
  /** Why the part must not be cut by this author, or `undefined`. */
  protectedFrom(part: number, author: string): string | undefined;
}

/** Is the edit legal, unprotected and smaller? Gives it ready for the ledger, or the reason why not. */
export function guard(draft: Draft, context: GuardContext): Guarded<Cut> {
  const part = context.transcript.parts[draft.part];
  if (!part) return refuseDraft(draft, context, { code: "no-part" });
  return draft.type === "replace" ? guardReplace(draft, part, context) : guardDrop(draft, part, context);
}

/**
 * `guard` for many spans of one leaf, given in text order, of which nothing is cut yet; in time linear in the leaf.
 * What a span saves is counted on its line alone, so it has to save two tokens there to be sure of one.
 */
export function guardSpans(
  drafts: readonly ReplaceDraft[],
  context: GuardContext,
): readonly Guarded<ReplaceEdit>[] {
  let end = 0;
  return drafts.map((draft) => {
    const part = context.transcript.parts[draft.part];
    const leaf = part && findLeaf(part, draft.leaf);
    if (!part) return refuseDraft(draft, context, { code: "no-part" });
    if (!leaf) return refuseDraft(draft, context, { code: "no-leaf", leaf: draft.leaf });
    const illegal = findProblem(draft, part, leaf, context);
    if (illegal) return refuseDraft(draft, context, illegal);
    if (draft.from < end) return refuseDraft(draft, context, { code: "overlaps-neighbour" });
    const ref = refFor(draft, context);
    const written = write(draft, ref, context);
    const saved = countSavedNearby(leaf.text, written);
    if (saved < 2) return refuseDraft(draft, context, { code: "not-smaller" });
    end = draft.to;
    return { ok: true, value: makeReplaceEdit(written, leaf, context, ref, saved) };
  });
}

function guardReplace(draft: ReplaceDraft, part: Part, context: GuardContext): Guarded<ReplaceEdit> {
  const { transcript, ledger, view } = context;
  const leaf = findLeaf(part, draft.leaf);
  if (!leaf) return refuseDraft(draft, context, { code: "no-leaf", leaf: draft.leaf });
  const illegal = findProblem(draft, part, leaf, context);
  if (illegal) return refuseDraft(draft, context, illegal);

  const active = ledger.replacementsOf(transcript.key(draft.part), leaf.id);
  const overlap = findPartialOverlap(active, draft);
  if (overlap) return refuseDraft(draft, context, { code: "overlaps", ref: overlap.ref });

  const ref = refFor(draft, context);
  const written = write(draft, ref, context);
  const saved = view.savedBy(draft.part, written);
  if (saved <= 0) return refuseDraft(draft, context, { code: "not-smaller" });
  return { ok: true, value: makeReplaceEdit(written, leaf, context, ref, saved) };
}

function write(draft: ReplaceDraft, ref: Ref, { showsRefs }: GuardContext): TextDraft {
  if (typeof draft.text === "string") return { ...draft, text: draft.text };
  const text = draft.text(ref);
  return { ...draft, text: showsRefs ? text : withoutRef(text, ref) };
}

/** `[pruned · a1b2c3]`, `[shaken ~12 tokens · recall a1b2c3]`: without what only a tool could use. */
function withoutRef(text: string, ref: Ref): string {
  return text.replace(` · recall ${ref}]`, "]").replace(` · ${ref}]`, "]");
}

function refFor({ part, leaf, from, to }: ReplaceDraft, { transcript, refs }: GuardContext): Ref {
  return refs.refOf({ part: transcript.key(part), leaf, from, to });
}

function makeReplaceEdit(
  draft: TextDraft,
  leaf: Leaf,
  { transcript, ledger }: GuardContext,
  ref: Ref,
  saved: number,
): ReplaceEdit {
  return {
    type: "replace",
    id: ledger.nextId(ref),
    ref,
    part: transcript.key(draft.part),
    leaf: leaf.id,
    from: draft.from,
    to: draft.to,
    text: draft.text,
    ...(draft.lossless && { lossless: true }),
    original: { length: draft.to - draft.from, hash: hashSpan(leaf, draft) },
    author: draft.author,
    ...(draft.mechanism && { mechanism: draft.mechanism }),
    reason: draft.reason,
    needs: draft.needs ?? [],
    ...(draft.yields && { yields: true }),
    ...(draft.risk && { risk: draft.risk }),
    saved,
  };
}

function hashSpan(leaf: Leaf, { from, to }: Span): string {
  const isWhole = from === 0 && to === leaf.text.length;
  return isWhole ? hashLeaf(leaf) : hashText(leaf.text.slice(from, to));
}

function guardDrop(draft: DropDraft, part: Part, context: GuardContext): Guarded<DropEdit> {
  const { transcript, ledger, view, refs } = context;
  const members = listMembers(draft.part, part, context);
  const keys = members.map((index) => transcript.key(index));
  const illegal =
    findDropProblem(part, draft.part, members, context) ?? findLedgerProblem(draft, keys, context);
  if (illegal) return refuseDraft(draft, context, illegal);
  const key = transcript.key(draft.part);
  const ref = refs.refOf({ part: key, leaf: "", from: 0, to: 0 });
  const edit: DropEdit = {
    type: "drop",
    id: ledger.nextId(ref),
    ref,
    part: key,
    parts: keys,
    author: draft.author,
    ...(draft.mechanism && { mechanism: draft.mechanism }),
    reason: draft.reason,
    needs: draft.needs ?? [],
    ...(draft.risk && { risk: draft.risk }),
    saved: members.reduce((sum, index) => sum + (view.tokens[index] ?? 0), 0),
  };
  return edit.saved > 0 ? { ok: true, value: edit } : refuseDraft(draft, context, { code: "not-smaller" });
}

/** The parts that are dropped together. */
function listMembers(index: number, part: Part, context: GuardContext): readonly number[] {
  const { transcript, ledger } = context;
  if (part.kind === "call" && !part.server)
    return findGroup(transcript, index, (call) => mustFollowInput(call, context));
  if (part.kind === "reasoning" || part.kind === "result") return [index];
  return findUtterance(transcript, index).filter((member) => !ledger.isDropped(transcript.key(member)));
}

function findProblem(
  draft: ReplaceDraft,
  part: Part,
  leaf: Leaf,
  context: GuardContext,
): Refusal | undefined {
  const key = context.transcript.key(draft.part);
  return (
    findSpanProblem(draft, part, leaf) ?? findPartProblem(part) ?? findLedgerProblem(draft, [key], context)
  );
}

function findSpanProblem(span: ReplaceDraft, part: Part, leaf: Leaf): Refusal | undefined {
  const { from, to } = span;
  const { text } = leaf;
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || from >= to || to > text.length) {
    return { code: "no-span", from, to, length: text.length };
  }
  if (part.kind === "file" && (from !== 0 || to !== text.length)) return { code: "file-in-part" };
  if (splitsPair(text, from) || splitsPair(text, to)) return { code: "splits-character" };
  return undefined;
}

function findPartProblem(part: Part): Refusal | undefined {
  if (part.kind === "reasoning" && part.signed) return { code: "signed-reasoning" };
  if (part.kind === "text" && part.signed) return { code: "signed-text" };
  if (part.kind === "call" && part.signed) return { code: "signed-call" };
  if (part.kind === "call" && part.server) return { code: "server-call" };
  if (part.kind === "result" && part.status === "pending") return { code: "pending" };
  if (part.kind === "result" && part.status === "cleared") return { code: "cleared" };
  return undefined;
}

function findLedgerProblem(
  draft: Draft,
  keys: readonly PartKey[],
  context: GuardContext,
): Refusal | undefined {
  const { transcript, ledger } = context;
  for (const key of keys) {
    const index = transcript.find(key) ?? -1;
    const protection = context.protectedFrom(index, draft.author);
    if (protection !== undefined) return { code: "protected", why: protection };
    const needed = ledger.neededBy(key);
    if (needed) return { code: "needed", by: needed };
    if (ledger.isDropped(key)) return { code: "dropped" };
  }
  for (const need of draft.needs ?? []) {
    if (transcript.find(need) === undefined) return { code: "need-missing", need };
    if (ledger.isCut(need) || keys.includes(need)) return { code: "need-cut", need };
  }
  return undefined;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function refuseDraft(
  draft: Draft,
  { transcript }: GuardContext,
  refusal: Refusal,
): ReturnType<typeof refuse> {
  return refuse(draft, transcript.keys[draft.part] ?? `part ${draft.part}`, refusal);
}
