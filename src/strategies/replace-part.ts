import type { Ref } from "../edits/edit.ts";
import { mainLeaf } from "../edits/refs.ts";
import type { Facts } from "../facts/facts.ts";
import type { Proposal, ProposedSpan } from "./strategy.ts";

/**
 * A proposal that puts a marker in place of all of a part's text. Of several text blocks the longest shows the
 * marker and the others are emptied. `undefined` when the part has no text.
 */
export function replacePart(
  facts: Facts,
  part: number,
  render: (ref: Ref) => string,
  rest: Pick<Proposal, "reason" | "needs" | "asked">,
): Proposal | undefined {
  const { leaves } = facts.transcript.part(part);
  const main = mainLeaf(leaves);
  if (!main) return undefined;
  const others = leaves.filter((leaf) => leaf !== main && leaf.text !== "");
  const whole = (leaf: typeof main, text: (ref: Ref) => string): ProposedSpan => ({
    leaf: leaf.id,
    from: 0,
    to: leaf.text.length,
    render: text,
  });
  return { part, spans: [whole(main, render), ...others.map((leaf) => whole(leaf, () => ""))], ...rest };
}
