import { wasCut } from "../edits/own-marks.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import type { SpentAges } from "../facts/spent.ts";
import { rememberAt } from "../remember.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import { countOwn, ownText, replacePart } from "./replace-part.ts";
import type { Proposal, Strategy } from "./strategy.ts";
import { chooseLines } from "./summaries/choose-lines.ts";
import { addNames } from "./summaries/omitted-names.ts";
import { summarize } from "./summaries/summarize.ts";
import { addRef, type SummaryContext } from "./summaries/summary.ts";

/**
 * Results that an agent has done with shrink, long before they are old: what a command printed when it was seen, what
 * shows a file after many steps, and not while that file is being edited. The names in what goes are said.
 *
 *   npm test | a step                        ->  [Pruned bash: npm test → ✓ success, numbers: 214, 0 · a1b2c3]
 *   read a.ts | 30 steps, a.ts unchanged     ->  ... [180 lines omitted · a1b2c3] ... | rate = applyRate(order) | …
 *   read a.ts | edit a.ts | 29 steps         ->  nothing yet
 */
export const spentResults: Strategy<SpentAges> = {
  name: "spent-results",
  // What a newer result refers to is as old as that one here.
  mayReplace: { needed: true },
  propose: (step, facts, ages) =>
    facts.spent.list(step, ages).flatMap((fact) => {
      const aged = facts.rereads.agedWith(fact);
      return (aged && proposeShort(facts, aged)) ?? [];
    }),
};

/** Tokens of lines that may stay for being named. */
const ROOM = 40;

/** Share of a result that the names in what is left out may take. */
const NAMES = 0.04;

/** Smaller results stay whole, whatever was named: that may be cut itself, and then pruning again would give another result. */
const SMALL = 80;

function proposeShort(facts: Facts, { result, use, ok }: CallFact): Proposal | undefined {
  const part = facts.transcript.part(result);
  if (part.kind !== "result" || part.status === "cleared") return undefined;
  const text = ownText(facts, result);
  const tokens = countOwn(facts, result);
  if (tokens < SMALL || wasCut(facts, result)) return undefined;
  const context: SummaryContext = { exitCode: part.exitCode, failed: !ok, salience: facts.named, room: 0 };
  const left = rememberAt(
    () => facts.transcript.version,
    () => addNames(shorten(use, text, context), text, NAMES * tokens),
  );
  return replacePart(facts, result, (ref) => addRef(left(), ref), { reason: "the agent has done with it" });
}

function shorten(use: ToolUse, text: string, context: SummaryContext): string {
  const says = use.kind === "shell" && use.shows === undefined ? summarize(use, text, context) : undefined;
  return says ?? chooseLines(text, ROOM, context.salience, { namedOnly: true });
}
