import { type CutPlan, MOST_SPANS, type PlannedSpan } from "../edits/cut-plan.ts";
import type { Instructions } from "../facts/behind-file.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { Leaf } from "../transcript/part.ts";
import type { Span } from "../transcript/refs.ts";
import type { BuiltIn } from "./built-in.ts";
import { onIn } from "./pass-setting.ts";
import { findFences } from "./texts/find-fences.ts";
import { findInstructions } from "./texts/host-instructions.ts";

/** Lines of a block that stay. */
const FIRST_LINES = 3;

/** In tokens. A smaller rest of a block stays. */
const LARGE_REST = 40;

/**
 * Cuts fenced code in a user's old text down to its first lines: see `Delta.agedPrompts`. Code in the host's
 * instructions stays.
 *
 *   ```ts         ->  ```ts
 *   40 lines          3 lines
 *   ```               … 37 more lines
 *                     ```
 */
export const userCodeBlocks: BuiltIn = {
  name: "user-code-blocks",
  mechanism: "code",
  flag: {
    key: "pruneUserCodeBlocks",
    description:
      "Fenced code in user messages older than `pruneProtect` shrinks to its first lines, except in the newest user message.",
    presets: onIn("compact"),
  },
  propose: (step, facts) =>
    step.agedPrompts.flatMap((index) => {
      const part = facts.transcript.part(index);
      if (part.kind !== "text") return [];
      const instructions = findInstructions(facts, index);
      return part.leaves.flatMap((leaf) => proposeShort(index, leaf, instructions));
    }),
};

function proposeShort(part: number, leaf: Leaf, instructions: readonly Instructions[]): readonly CutPlan[] {
  const own = instructions.filter((each) => each.leaf === leaf.id);
  const rests = withoutOverlaps(findFences(leaf.text), own)
    .map(({ body }) => findRest(leaf.text, body))
    .filter(({ from, to }) => estimateTokens(leaf.text.slice(from, to)) >= LARGE_REST)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_SPANS);
  const [main, ...others] = rests.map(({ from, to }) => countInstead(leaf, { from, to }));
  return main ? [{ part, spans: [main, ...others], reason: "old code in a user message" }] : [];
}

/** The spans that overlap none of `others`. Both lists are in text order. */
function withoutOverlaps<S extends Span>(spans: readonly S[], others: readonly Span[]): readonly S[] {
  let next = 0;
  return spans.filter((span) => {
    while ((others[next]?.to ?? Number.POSITIVE_INFINITY) <= span.from) next++;
    return (others[next]?.from ?? Number.POSITIVE_INFINITY) >= span.to;
  });
}

/** The lines of a block after the first ones. */
function findRest(text: string, body: Span): Span {
  const breaks = listBreaks(text.slice(body.from, body.to)).slice(0, FIRST_LINES);
  return { from: body.from + (breaks.at(-1) ?? 0), to: body.to };
}

function countInstead({ id, text }: Leaf, { from, to }: Span): PlannedSpan {
  const rest = text.slice(from, to);
  const lines = listBreaks(rest).length;
  const lineBreak = /\r\n$|\n$|\r$/.exec(rest)?.[0] ?? "\n";
  return {
    leaf: id,
    from,
    to,
    render: () => `… ${lines} more ${lines === 1 ? "line" : "lines"}${lineBreak}`,
  };
}

/** The positions right after each line break. */
function listBreaks(text: string): readonly number[] {
  return [...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: lineBreak, index }) => index + lineBreak.length);
}
