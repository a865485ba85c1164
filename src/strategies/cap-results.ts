import { rememberAt } from "../basics/remember.ts";
import type { CutPlan } from "../edits/cut-plan.ts";
import { wasCut } from "../edits/own-marks.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import type { IsProtectedFile } from "../redaction/check-names.ts";
import { isSearch } from "../tool-kinds/is-search.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { BuiltIn } from "./built-in.ts";
import { countOwn, ownText, replacePart } from "./replacing/replace-part.ts";
import { renderLeft } from "./summaries/render-left.ts";
import { shortenText } from "./summaries/shorten-text.ts";

export interface CapOptions {
  /** A result with more tokens shrinks before it is first sent. */
  readonly ingestCap: number;
  readonly isProtectedFile: IsProtectedFile;
}

/**
 * Shortens a result that is too large before it is first sent, when a cut costs no rewrite. Head and tail stay, and
 * between them every failure and the lines with names that were mentioned so far. Requested content stays whole:
 * files, diffs, and search results, because an incomplete list of matches looks complete.
 *
 *   npm test, 30,000 tokens, cap 4,000   ->  first lines | ... [2,100 lines omitted · a1b2c3] ... | FAIL a.test.ts | …
 *   rg total src, 30,000 tokens          ->  nothing
 */
export const capResults: BuiltIn<CapOptions> = {
  name: "cap-results",
  mechanism: "cap",
  settings: [
    {
      key: "schedule.ingestCap",
      description:
        "A result with more tokens is shrunk before it is first sent, even in a session's first step. Reads and searches are left alone, and every failure stays. On models that bind reasoning to the text before it, half of this value applies. `null`: never.",
      default: 2_500,
      least: 1,
      nullable: true,
    },
  ],
  // It leaves summaries: chosen lines and names.
  isOn: ({ summarizes, ingestCap }) => summarizes && ingestCap !== null,
  optionsFor: ({ ingestCap, isProtectedFile }) => ({
    ingestCap: ingestCap ?? Number.POSITIVE_INFINITY,
    isProtectedFile,
  }),
  propose: (step, facts, options) =>
    step.completed
      .filter(({ result, use }) => result >= step.from && mayCap(use))
      .flatMap((fact) => proposeCap(facts, fact, options) ?? []),
};

/** May a result of this call be shortened? Not if it shows a file or a diff, or lists matches. */
export function mayCap(use: ToolUse): boolean {
  const showsFile = use.kind === "read" || use.shows === "file" || use.shows === "git-diff";
  return !showsFile && !isSearch(use);
}

function proposeCap(
  facts: Facts,
  { result }: CallFact,
  { ingestCap, isProtectedFile }: CapOptions,
): CutPlan | undefined {
  if ((facts.transcript.tokens[result] ?? 0) <= ingestCap) return undefined;
  const text = ownText(facts, result);
  const tokens = countOwn(facts, result);
  // With many failures, a capped result is still above the cap.
  if (tokens <= ingestCap || wasCut(facts, result)) return undefined;
  const named = facts.namedIn(result, text);
  const left = rememberAt(
    () => facts.transcript.version,
    () => shortenText(text, { tokens: ingestCap, failures: MOST_FAILURES }, named, isProtectedFile),
  );
  return replacePart(facts, result, (ref) => renderLeft(left(), ref), {
    reason: `a result of more than ${ingestCap} tokens`,
  });
}

/**
 * In tokens. Every line that reports a failure stays, whatever the cap. Only beyond this many tokens of such lines
 * are some omitted, messages before names of tests, and the last line says how many.
 */
export const MOST_FAILURES = 20_000;
