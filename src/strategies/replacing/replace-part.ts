import type { PlannedSpan, ReplacePlan } from "../../edits/cut-plan.ts";
import type { Facts } from "../../facts/facts.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { estimateLeaf } from "../../transcript/estimate-leaf.ts";
import { stripTags } from "../../transcript/own-tags.ts";
import type { Ref } from "../../transcript/refs.ts";
import { mainLeaf } from "../../transcript/refs.ts";
import { findInstructions } from "../texts/host-instructions.ts";

/**
 * Plans to replace all of a part's text with a marker. If there are several leaves, the longest gets the marker and
 * the others are emptied. The host's instructions in the text stay, after the marker, except reminders that a newer
 * result also has. `undefined` if the part has no text.
 */
export function replacePart(
  facts: Facts,
  part: number,
  render: (ref: Ref) => string,
  rest: Pick<ReplacePlan, "reason" | "mechanism" | "needs" | "yields" | "requested" | "batch" | "risk">,
): ReplacePlan | undefined {
  const { leaves } = facts.transcript.part(part);
  const main = mainLeaf(leaves);
  if (!main) return undefined;
  const others = leaves.filter((leaf) => leaf !== main && leaf.text !== "");
  const whole = (leaf: typeof main, text: (ref: Ref) => string): PlannedSpan => ({
    leaf: leaf.id,
    from: 0,
    to: leaf.text.length,
    render: text,
  });
  const marker = (ref: Ref) => keepTexts(listInstructions(facts, part), render)(ref);
  return { part, spans: [whole(main, marker), ...others.map((leaf) => whole(leaf, () => ""))], ...rest };
}

/** A part's text without the instructions that a host added to it. */
export function ownText(facts: Facts, part: number): string {
  const texts = listOwnTexts(facts, part);
  return texts.length === 1 ? (texts[0] ?? "") : texts.filter((text) => text !== "").join("\n");
}

/** The same for each leaf. Only for results, in which a host's instructions are at the end of a leaf. */
export function listOwnTexts(facts: Facts, part: number): readonly string[] {
  const ends = new Map(findInstructions(facts, part).map(({ leaf, from }) => [leaf, from]));
  return facts.transcript
    .part(part)
    .leaves.map(({ id, text }) => stripTags(text.slice(0, ends.get(id) ?? text.length)));
}

export function countOwn(facts: Facts, part: number): number {
  const { leaves } = facts.transcript.part(part);
  const text = ownText(facts, part);
  const whole = leaves.find((leaf) => leaf.text === text);
  return whole ? estimateLeaf(whole) : estimateTokens(text);
}

/** Appends texts that stay to the rendered text. */
export function keepTexts(kept: readonly string[], render: (ref: Ref) => string): (ref: Ref) => string {
  return kept.length === 0 ? render : (ref) => [render(ref), ...kept].join("\n");
}

/** The host's instructions in a part that have to stay. */
function listInstructions(facts: Facts, part: number): readonly string[] {
  const texts = new Map(facts.transcript.part(part).leaves.map(({ id, text }) => [id, text]));
  return findInstructions(facts, part)
    .map(({ leaf, from, to }) => texts.get(leaf)?.slice(from, to) ?? "")
    .filter((text) => facts.hostBlocks.findCopy(text, part) === undefined);
}
