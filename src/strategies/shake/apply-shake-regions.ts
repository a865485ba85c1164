import type { Rewritten } from "../../edits/apply.ts";
import type { Ref } from "../../edits/edit.ts";
import type { TextDraft } from "../../edits/guard.ts";
import type { LedgerEntry } from "../../edits/ledger.ts";
import { blockIndexOf } from "../../formats/blocks.ts";
import type { Issue } from "../../issue.ts";
import { Workbench } from "../../workbench.ts";
import type { Proposal, ProposedSpan } from "../strategy.ts";
import type { ShakeOptions } from "./collect-shake-regions.ts";
import { joinLeaves, renderPlaceholder, shakeBlock, shakeResult } from "./shake-part.ts";
import type { ShakeRegion } from "./shake-region.ts";

/** What stands in a region's place; without one the placeholder, `[shaken ~1234 tokens · recall a1b2c3]`. */
export type ShakeReplacement = string | ((ref: Ref) => string);

export interface RegionReplacement {
  readonly region: ShakeRegion;
  readonly replacement?: ShakeReplacement;
}

/** The new messages, as many as there were; one without edits is the very same object. */
export interface Shaken<M> extends Rewritten<M> {
  /** What `applyLedger` and `exportLedger` take. */
  readonly edits: readonly LedgerEntry[];
  /** Regions that stayed, and why: the text is not there, a replacement is not smaller. */
  readonly issues: readonly Issue[];
}

/** Puts a text in place of one region. The given messages stay as they are. */
export function applyShakeRegion<M>(
  messages: readonly M[],
  region: ShakeRegion,
  replacement?: ShakeReplacement,
  options: ShakeOptions = {},
): Shaken<M> {
  return applyShakeRegions(
    messages,
    [{ region, ...(replacement !== undefined && { replacement }) }],
    options,
  );
}

/** The same for many regions at once; their offsets are those in the given messages. */
export function applyShakeRegions<M>(
  messages: readonly M[],
  replacements: readonly RegionReplacement[],
  options: ShakeOptions = {},
): Shaken<M> {
  const bench = new Workbench(messages, options);
  const placesOf = indexPlaces(bench);
  const issues: Issue[] = [];
  const blocks = new Map<string, Proposal[]>();
  for (const each of replacements) {
    const proposal = findProposal(bench, each, placesOf(each.region));
    if (!proposal) issues.push(notThere(each.region));
    else if (each.region.kind === "toolResult") addAll(issues, cutResult(bench, proposal));
    else add(blocks, `${proposal.part} ${proposal.spans[0].leaf}`, proposal);
  }
  for (const proposals of blocks.values()) addAll(issues, cutBlocks(bench, proposals));
  return { ...bench.rewrite(), edits: bench.ledger.entries, issues };
}

/** When its main text can't be cut, none is; the others may be too short to bother. */
function cutResult<M>(bench: Workbench<M>, { part, spans: [main, ...others] }: Proposal): readonly Issue[] {
  const [checked] = bench.cutTogether([
    draft(bench, part, main),
    ...others.map((span) => draft(bench, part, span)),
  ]);
  return checked.ok ? [] : [checked.issue];
}

/** All blocks of one text. */
function cutBlocks<M>(bench: Workbench<M>, proposals: readonly Proposal[]): readonly Issue[] {
  const drafts = proposals
    .map(({ part, spans: [span] }) => draft(bench, part, span))
    .sort((a, b) => a.from - b.from);
  return bench.cutSpans(drafts).flatMap((checked) => (checked.ok ? [] : [checked.issue]));
}

function draft<M>({ facts }: Workbench<M>, part: number, span: ProposedSpan): TextDraft {
  const { leaf, from, to, render } = span;
  const ref = facts.refs.refOf({ part: facts.transcript.key(part), leaf, from, to });
  return { type: "replace", part, leaf, from, to, text: render(ref), author: "shake", reason: "shaken" };
}

/** The parts that a region may be in, by where it says it is. */
function indexPlaces<M>({ transcript }: Workbench<M>): (region: ShakeRegion) => readonly number[] {
  const places = new Map<string, number[]>();
  for (const [index, part] of transcript.parts.entries()) {
    if (part.kind !== "result" && part.kind !== "text") continue;
    add(places, `${transcript.message[index]} ${blockIndexOf(part.slot)} ${part.kind}`, index);
  }
  return ({ entry, blockIndex, kind }) =>
    places.get(`${entry} ${blockIndex} ${kind === "block" ? "text" : "result"}`) ?? [];
}

/** What a region comes down to; `undefined` where its text does not stand there. */
function findProposal<M>(
  { facts }: Workbench<M>,
  { region, replacement }: RegionReplacement,
  parts: readonly number[],
): Proposal | undefined {
  const { start: from, end: to, originalText } = region;
  const render =
    typeof replacement === "string"
      ? () => replacement
      : (replacement ?? ((ref: Ref) => renderPlaceholder(region.tokens, ref)));
  for (const part of parts) {
    const { leaves } = facts.transcript.part(part);
    if (region.kind === "toolResult") {
      if (joinLeaves(leaves) === originalText) return shakeResult(facts, part, render);
      continue;
    }
    const leaf = leaves.find(({ text }) => text.slice(from, to) === originalText);
    if (leaf) return shakeBlock(part, leaf, { from, to }, render);
  }
  return undefined;
}

function add<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

function addAll<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}

function notThere({ entry, label }: ShakeRegion): Issue {
  const message = `shake wanted to cut ${label} in message ${entry}: it does not stand there`;
  return { code: "edit-refused", message, where: `message ${entry}`, severity: "info" };
}
