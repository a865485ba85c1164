import type { ReplacePlan } from "../../edits/cut-plan.ts";
import type { Facts } from "../../facts/facts.ts";
import type { Leaf } from "../../transcript/part.ts";
import type { Ref, Span } from "../../transcript/refs.ts";
import { replacePart } from "../replacing/replace-part.ts";

/** Replaces all text blocks of a result with one placeholder; images stay. */
export function shakeResult(
  facts: Facts,
  index: number,
  render: (ref: Ref) => string,
): ReplacePlan | undefined {
  return replacePart(facts, index, render, { reason: "shaken", mechanism: "shake" });
}

export function shakeBlock(
  part: number,
  { id }: Pick<Leaf, "id">,
  { from, to }: Span,
  render: (ref: Ref) => string,
): ReplacePlan {
  return { part, spans: [{ leaf: id, from, to, render }], reason: "shaken", mechanism: "shake" };
}

export function renderPlaceholder(tokens: number, ref: Ref): string {
  return `[shaken ~${tokens} tokens · recall ${ref}]`;
}

/** The text of a result as one string. */
export function joinLeaves(leaves: readonly Leaf[]): string {
  return leaves.map(({ text }) => text).join("\n");
}
