import type { Span } from "../edits/edit.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { Leaf } from "../transcript/part.ts";
import { findFences } from "./find-fences.ts";
import { findInstructions } from "./replace-part.ts";
import { MOST_SPANS, type Proposal, type ProposedSpan, type Strategy } from "./strategy.ts";

/** What stays of a block. */
const FIRST_LINES = 3;

/** Less than this is not worth a count. */
const LARGE_REST = 40;

/**
 * Fenced code in what a user wrote keeps its first lines once it is old: see `Delta.agedPrompts`. Code in
 * instructions of the host stays.
 *
 *   ```ts         ->  ```ts
 *   40 lines          3 lines
 *   ```               … 37 more lines
 *                     ```
 */
export const userCodeBlocks: Strategy = {
  name: "user-code-blocks",
  propose: (step, { transcript }) =>
    step.agedPrompts.flatMap((index) => {
      const part = transcript.part(index);
      return part.kind === "text" ? part.leaves.flatMap((leaf) => proposeShort(index, leaf)) : [];
    }),
};

function proposeShort(part: number, leaf: Leaf): readonly Proposal[] {
  const rests = withoutOverlaps(findFences(leaf.text), findInstructions(leaf.text))
    .map(({ body }) => findRest(leaf.text, body))
    .filter(({ from, to }) => estimateTokens(leaf.text.slice(from, to)) >= LARGE_REST)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_SPANS);
  const [main, ...others] = rests.map(({ from, to }) => countInstead(leaf, { from, to }));
  return main ? [{ part, spans: [main, ...others], reason: "old code in a user message" }] : [];
}

/** The spans that overlap none of the others. Both lists are in text order. */
function withoutOverlaps<S extends Span>(spans: readonly S[], others: readonly Span[]): readonly S[] {
  let next = 0;
  return spans.filter((span) => {
    while ((others[next]?.to ?? Number.POSITIVE_INFINITY) <= span.from) next++;
    return (others[next]?.from ?? Number.POSITIVE_INFINITY) >= span.to;
  });
}

/** The lines of a block after the first ones. */
function findRest(text: string, body: Span): Span {
  const lines = text.slice(body.from, body.to).match(LINE) ?? [];
  const kept = lines.slice(0, FIRST_LINES).reduce((sum, line) => sum + line.length, 0);
  return { from: body.from + kept, to: body.to };
}

function countInstead({ id, text }: Leaf, { from, to }: Span): ProposedSpan {
  const rest = text.slice(from, to);
  const lines = rest.match(LINE)?.length ?? 0;
  const lineBreak = /\r\n$|\n$|\r$/.exec(rest)?.[0] ?? "\n";
  return {
    leaf: id,
    from,
    to,
    render: () => `… ${lines} more ${lines === 1 ? "line" : "lines"}${lineBreak}`,
  };
}

const LINE = /[^\r\n]*(?:\r\n|\n|\r)/g;
