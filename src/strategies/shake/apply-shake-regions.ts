import type { Issue } from "../../basics/issue.ts";
import { isRecord } from "../../basics/json.ts";
import type { Rewritten } from "../../edits/apply.ts";
import type { ReplacePlan } from "../../edits/cut-plan.ts";
import type { LedgerEntry } from "../../edits/ledger.ts";
import { MessageBench } from "../../edits/message-bench.ts";
import { blockIndexOf } from "../../formats/blocks.ts";
import type { Ref } from "../../transcript/refs.ts";
import type { ShakeOptions } from "./collect-shake-regions.ts";
import { joinLeaves, renderPlaceholder, shakeBlock, shakeResult } from "./shake-part.ts";
import type { ShakeRegion } from "./shake-region.ts";

/** The replacement for a region; default: the placeholder `[shaken ~1234 tokens · recall a1b2c3]`. */
export type ShakeReplacement = string | ((ref: Ref) => string);

export interface RegionReplacement {
  readonly region: ShakeRegion;
  readonly replacement?: ShakeReplacement;
}

/** The new messages, in the same number. A message without edits is the very same object. */
export interface Shaken<M> extends Rewritten<M> {
  /** For `applyLedger` and `exportLedger`. */
  readonly edits: readonly LedgerEntry[];
  /** Why regions stayed: for example, their text was not found, or the replacement is not smaller. */
  readonly issues: readonly Issue[];
}

const AUTHOR = "shake";

/** Replaces one region with a text. The original messages are not changed. */
export function applyShakeRegion<M>(
  messages: readonly M[],
  region: ShakeRegion,
  replacement?: ShakeReplacement,
  options: ShakeOptions = {},
): Shaken<M> {
  if (!Array.isArray(messages))
    throw misuse("applyShakeRegion(messages, region, replacement)", "the messages are missing");
  return applyShakeRegions(
    messages,
    [{ region, ...(replacement !== undefined && { replacement }) }],
    options,
  );
}

/** The same for many regions at once. All offsets refer to the original messages. */
export function applyShakeRegions<M>(
  messages: readonly M[],
  replacements: readonly RegionReplacement[],
  options: ShakeOptions = {},
): Shaken<M> {
  checkCall(messages, replacements);
  const bench = new MessageBench(messages, options);
  const placesOf = indexPlaces(bench);
  const issues: Issue[] = [];
  const blocks = new Map<string, ReplacePlan[]>();
  for (const each of replacements) {
    const plan = findPlan(bench, each, placesOf(each.region));
    if (!plan) issues.push(notThere(each.region));
    else if (each.region.kind === "toolResult") addAll(issues, cutResult(bench, plan));
    else add(blocks, `${plan.part} ${plan.spans[0].leaf}`, plan);
  }
  for (const plans of blocks.values()) addAll(issues, cutBlocks(bench, plans));
  return { ...bench.rewrite(), edits: bench.ledger.entries, issues };
}

/** Other programs have functions with these names that take only regions, and change the messages in place. */
function checkCall(messages: unknown, replacements: unknown): void {
  const call = "applyShakeRegions(messages, [{ region, replacement }])";
  if (!Array.isArray(messages)) throw misuse(call, "the messages are missing");
  if (!Array.isArray(replacements)) throw misuse(call, "the list of regions is missing");
  const wrong = replacements.findIndex((each) => !isRecord(each) || !isRegion(each.region));
  if (wrong >= 0) throw misuse(call, `item ${wrong} of the list has no region`);
}

function isRegion(value: unknown): boolean {
  if (!isRecord(value) || (value.kind !== "toolResult" && value.kind !== "block")) return false;
  return typeof value.entry === "number" && typeof value.originalText === "string";
}

function misuse(call: string, problem: string): TypeError {
  return new TypeError(`Call ${call}: ${problem}. It returns new messages and changes nothing in place.`);
}

/**
 * If its main text can't be cut, nothing is. Other texts that can't be cut are not reported: they may be too short.
 */
function cutResult<M>(bench: MessageBench<M>, plan: ReplacePlan): readonly Issue[] {
  const [checked] = bench.cutting.apply({ ...plan, author: AUTHOR });
  return checked.ok ? [] : [checked.issue];
}

/** Cuts all blocks of one leaf. */
function cutBlocks<M>(bench: MessageBench<M>, plans: readonly ReplacePlan[]): readonly Issue[] {
  const signed = plans
    .toSorted((a, b) => a.spans[0].from - b.spans[0].from)
    .map((plan) => ({ ...plan, author: AUTHOR }));
  return bench.cutSpans(signed).flatMap((checked) => (checked.ok ? [] : [checked.issue]));
}

/** Returns the parts that may contain a region, by its message, block and kind. */
function indexPlaces<M>({ transcript }: MessageBench<M>): (region: ShakeRegion) => readonly number[] {
  const places = new Map<string, number[]>();
  for (const [index, part] of transcript.parts.entries()) {
    if (part.kind !== "result" && part.kind !== "text") continue;
    add(places, `${transcript.message[index]} ${blockIndexOf(part.slot)} ${part.kind}`, index);
  }
  return ({ entry, blockIndex, kind }) =>
    places.get(`${entry} ${blockIndex} ${kind === "block" ? "text" : "result"}`) ?? [];
}

/** The plan for a region; `undefined` if its text is not found. */
function findPlan<M>(
  { facts }: MessageBench<M>,
  { region, replacement }: RegionReplacement,
  parts: readonly number[],
): ReplacePlan | undefined {
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
  const message = `shake wanted to cut ${label} in message ${entry}: the text is not there`;
  return { code: "edit-refused", message, where: `message ${entry}`, severity: "info" };
}
