import type { PlannedSpan, ReplacePlan } from "../../edits/cut-plan.ts";
import type { CallFact } from "../../facts/calls.ts";
import type { Facts } from "../../facts/facts.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { Leaf } from "../../transcript/part.ts";

/** In tokens. The long texts of an input stay if together they have fewer. */
const LARGE_INPUT = 200;

/** In tokens. Shorter texts are names, modes and similar values, and stay. */
const SHORT_TEXT = 20;

/**
 * Empties the long texts of a call's input, except the fields that say what the call was about. There is no marker in
 * their place: a model might copy it into a real file.
 *
 *   write {filePath: "a.ts", content: 5,000 characters}   ->  {filePath: "a.ts", content: ""}
 *   apply_patch {input: a patch}                          ->  nothing: only the patch says which files it is about
 */
export function shrinkInput(
  facts: Facts,
  { call, use }: CallFact,
  reason: string,
  least: number = LARGE_INPUT,
): ReplacePlan | undefined {
  const part = facts.transcript.part(call);
  if (part.kind !== "call" || part.leaves.length < 2) return undefined;
  const long = part.leaves
    .filter((leaf) => !use.identifying.includes(fieldOf(leaf)))
    .map((leaf) => ({ leaf, tokens: estimateTokens(leaf.text) }))
    .filter(({ tokens }) => tokens > SHORT_TEXT)
    .toSorted((a, b) => b.tokens - a.tokens);
  if (long.reduce((sum, { tokens }) => sum + tokens, 0) < least) return undefined;
  const [main, ...others] = long.map(({ leaf }) => emptied(leaf));
  return main && { part: call, spans: [main, ...others], reason };
}

function emptied({ id, text }: Leaf): PlannedSpan {
  return { leaf: id, from: 0, to: text.length, render: () => "" };
}

/** The top-level field of a leaf: `content` for `input/content`, `edits` for `input/edits/0/old`. */
function fieldOf({ id }: Leaf): string {
  return (id.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}
