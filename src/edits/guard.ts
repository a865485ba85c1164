import { findLeaf } from "../transcript/find-leaf.ts";
import { hashText } from "../transcript/hash.ts";
import { hashLeaf } from "../transcript/hash-leaf.ts";
import type { Leaf, Part, PartKey } from "../transcript/part.ts";
import type { Ref, Refs, Span } from "../transcript/refs.ts";
import { countSavedNearby } from "./count-shown.ts";
import type { CutPlan, DropPlan, PlannedSpan, ReplacePlan, SignedPlan } from "./cut-plan.ts";
import { type DropContext, findDropProblem, mustFollowInput } from "./drop-rules.ts";
import type { Cut, DropEdit, ReplaceEdit } from "./edit.ts";
import { findGroup, findUtterance } from "./group.ts";
import { findPartialOverlap, keepsLines } from "./leaf-edits.ts";
import { type Guarded, type Refusal, refuse } from "./refusal.ts";
import type { View } from "./view.ts";

/** Checks one span of a plan, or a drop. */
export type Guard = (plan: SignedPlan, span: PlannedSpan | undefined) => Guarded<Cut>;

/** A replacement whose text has been rendered. */
interface WrittenSpan extends Span {
  readonly leaf: string;
  readonly text: string;
  readonly lossless?: true;
}

type SignedReplacePlan = ReplacePlan & { readonly author: string };
type SignedDropPlan = DropPlan & { readonly author: string };

export interface GuardContext extends DropContext {
  /** The transcript as shown now. */
  readonly view: Pick<View, "tokens" | "savedBy">;
  readonly refs: Refs;
  /** Do markers name the ref of their cut? */
  readonly showsRefs: boolean;
  /** Why the part must not be cut by this author, or `undefined`. */
  protectedFrom(part: number, author: string): string | undefined;
}

/**
 * Is the edit legal, unprotected and smaller? Returns it ready for the ledger, or the reason why not.
 *
 * @param span the span of the plan to check; `undefined` for a drop
 */
export function guard(plan: SignedPlan, span: PlannedSpan | undefined, context: GuardContext): Guarded<Cut> {
  const part = context.transcript.parts[plan.part];
  if (!part) return refusePlan(plan, context, { code: "no-part" });
  if ("drop" in plan) return guardDrop(plan, part, context);
  return guardReplace(plan, span ?? plan.spans[0], part, context);
}

/**
 * `guard` for many plans of one span each, all of one leaf, in text order. Nothing of the leaf is cut yet. It takes time
 * linear in the leaf: what a span saves is counted on its line alone, so it has to save two tokens to be sure of one.
 */
export function guardSpans(
  plans: readonly SignedReplacePlan[],
  context: GuardContext,
): readonly Guarded<ReplaceEdit>[] {
  let end = 0;
  return plans.map((plan) => {
    const [span] = plan.spans;
    const part = context.transcript.parts[plan.part];
    if (!part) return refusePlan(plan, context, { code: "no-part" });
    const leaf = findLeaf(part, span.leaf);
    if (!leaf) return refusePlan(plan, context, { code: "no-leaf", leaf: span.leaf });
    const illegal = findProblem(plan, span, part, leaf, context);
    if (illegal) return refusePlan(plan, context, illegal);
    if (span.from < end) return refusePlan(plan, context, { code: "overlaps-neighbour" });
    const ref = refFor(plan, span, context);
    const written = write(plan, span, ref, context);
    if (!isClaimTrue(plan, leaf, written, context))
      return refusePlan(plan, context, { code: "not-lossless" });
    const saved = countSavedNearby(leaf.text, written);
    if (saved < 2) return refusePlan(plan, context, { code: "not-smaller" });
    end = span.to;
    return { ok: true, value: makeReplaceEdit(plan, written, leaf, context, ref, saved) };
  });
}

function guardReplace(
  plan: SignedReplacePlan,
  span: PlannedSpan,
  part: Part,
  context: GuardContext,
): Guarded<ReplaceEdit> {
  const { transcript, ledger, view } = context;
  const leaf = findLeaf(part, span.leaf);
  if (!leaf) return refusePlan(plan, context, { code: "no-leaf", leaf: span.leaf });
  const illegal = findProblem(plan, span, part, leaf, context);
  if (illegal) return refusePlan(plan, context, illegal);

  const active = ledger.replacementsOf(transcript.key(plan.part), leaf.id);
  const overlap = findPartialOverlap(active, span);
  if (overlap) return refusePlan(plan, context, { code: "overlaps", ref: overlap.ref });

  const ref = refFor(plan, span, context);
  const written = write(plan, span, ref, context);
  if (!isClaimTrue(plan, leaf, written, context)) return refusePlan(plan, context, { code: "not-lossless" });
  const saved = view.savedBy(plan.part, written);
  if (saved <= 0) return refusePlan(plan, context, { code: "not-smaller" });
  return { ok: true, value: makeReplaceEdit(plan, written, leaf, context, ref, saved) };
}

/** Checks the claim that a plan loses nothing: it keeps every line, or its text is in the part that it names. */
function isClaimTrue(
  { lossless: claim }: SignedReplacePlan,
  leaf: Leaf,
  written: WrittenSpan,
  { transcript, ledger }: GuardContext,
): boolean {
  if (claim === undefined) return true;
  if (claim === true) return keepsLines(leaf.text, written);
  const copy = transcript.parts[claim.copy];
  if (!copy || written.text !== "" || ledger.isDropped(transcript.key(claim.copy))) return false;
  const original = leaf.text.slice(written.from, written.to).trim();
  return copy.leaves.some(({ text }) => text.includes(original));
}

function write(
  { price, lossless }: SignedReplacePlan,
  { leaf, from, to, render }: PlannedSpan,
  ref: Ref,
  { showsRefs }: GuardContext,
): WrittenSpan {
  const shownRef = price?.ref ?? ref;
  const rendered = render(shownRef);
  const text = showsRefs ? rendered : withoutRef(rendered, shownRef);
  return { leaf, from, to, text, ...(lossless && { lossless: true }) };
}

/** `[pruned · a1b2c3]`, `[shaken ~12 tokens · recall a1b2c3]`: without the ref, which only a tool can use. */
function withoutRef(text: string, ref: Ref): string {
  return text.replace(` · recall ${ref}]`, "]").replace(` · ${ref}]`, "]");
}

function refFor({ part }: CutPlan, { leaf, from, to }: PlannedSpan, { transcript, refs }: GuardContext): Ref {
  return refs.refOf({ part: transcript.key(part), leaf, from, to });
}

function makeReplaceEdit(
  plan: SignedReplacePlan,
  { from, to, text, lossless }: WrittenSpan,
  leaf: Leaf,
  { transcript, ledger }: GuardContext,
  ref: Ref,
  saved: number,
): ReplaceEdit {
  return {
    type: "replace",
    id: ledger.nextId(ref),
    ref,
    part: transcript.key(plan.part),
    leaf: leaf.id,
    from,
    to,
    text,
    ...(lossless && { lossless }),
    original: { length: to - from, hash: hashSpan(leaf, { from, to }) },
    author: plan.author,
    ...(plan.mechanism && { mechanism: plan.mechanism }),
    reason: plan.reason,
    needs: plan.needs ?? NO_NEEDS,
    ...(plan.yields && { yields: true }),
    saved,
  };
}

const NO_NEEDS: ReplaceEdit["needs"] = [];

function hashSpan(leaf: Leaf, { from, to }: Span): string {
  const isWhole = from === 0 && to === leaf.text.length;
  return isWhole ? hashLeaf(leaf) : hashText(leaf.text.slice(from, to));
}

function guardDrop(plan: SignedDropPlan, part: Part, context: GuardContext): Guarded<DropEdit> {
  const { transcript, ledger, view, refs } = context;
  const members = listMembers(plan.part, part, context);
  const keys = members.map((index) => transcript.key(index));
  const illegal =
    findDropProblem(part, plan.part, members, context) ?? findLedgerProblem(plan, keys, context);
  if (illegal) return refusePlan(plan, context, illegal);
  const key = transcript.key(plan.part);
  const ref = refs.refOf({ part: key, leaf: "", from: 0, to: 0 });
  const edit: DropEdit = {
    type: "drop",
    id: ledger.nextId(ref),
    ref,
    part: key,
    parts: keys,
    author: plan.author,
    ...(plan.mechanism && { mechanism: plan.mechanism }),
    reason: plan.reason,
    needs: [],
    saved: members.reduce((sum, index) => sum + (view.tokens[index] ?? 0), 0),
  };
  return edit.saved > 0 ? { ok: true, value: edit } : refusePlan(plan, context, { code: "not-smaller" });
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
  plan: SignedReplacePlan,
  span: PlannedSpan,
  part: Part,
  leaf: Leaf,
  context: GuardContext,
): Refusal | undefined {
  const key = context.transcript.key(plan.part);
  return (
    findSpanProblem(span, part, leaf) ?? findPartProblem(part) ?? findLedgerProblem(plan, [key], context)
  );
}

function findSpanProblem({ from, to }: Span, part: Part, { text }: Leaf): Refusal | undefined {
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
  plan: SignedPlan,
  keys: readonly PartKey[],
  context: GuardContext,
): Refusal | undefined {
  const { transcript, ledger } = context;
  for (const key of keys) {
    const index = transcript.find(key) ?? -1;
    const protection = context.protectedFrom(index, plan.author);
    if (protection !== undefined) return { code: "protected", why: protection };
    const needed = ledger.neededBy(key);
    if (needed) return { code: "needed", by: needed };
    if (ledger.isDropped(key)) return { code: "dropped" };
  }
  for (const need of "drop" in plan ? [] : (plan.needs ?? [])) {
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

function refusePlan(
  plan: SignedPlan,
  { transcript }: GuardContext,
  refusal: Refusal,
): ReturnType<typeof refuse> {
  return refuse(plan, transcript.keys[plan.part] ?? `part ${plan.part}`, refusal);
}
