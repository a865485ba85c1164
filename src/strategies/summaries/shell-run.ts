import { formatNumber } from "../../basics/numbers.ts";
import { maskLabel } from "../../redaction/mask-label.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { findErrorLines } from "./error-lines.ts";
import { findExitCode } from "./exit-code.ts";
import { hasFailed } from "./has-failed.ts";
import { findKeyNumbers } from "./key-numbers.ts";
import { CappedLines, capLine } from "./lines.ts";
import { NAMED_ROOM, scoreLines } from "./salience.ts";
import { bracket, type Summarizer, type SummaryContext } from "./summary.ts";
import { titleOf } from "./title.ts";

const SHOWN_ERRORS = 5;
const LONG_COMMAND = 120;
const LONG_LINE = 200;

/**
 * `[Pruned run_shell: pytest tests/ → ✓ success, numbers: 45, 2, 0]`
 *
 * The exit code decides between success and failure; without one, the text does. Error lines are shown either way,
 * so a traceback in the output of a successful command is not lost.
 */
export const summarizeShellRun: Summarizer = (use, text, context) => {
  const capped = new CappedLines(text, LONG_LINE);
  const lines = capped.list();
  const errors = findErrorLines(lines);
  const exitCode = context.exitCode ?? findExitCode(text);
  const failed = hasFailed(use, text, context);
  const numbers = findKeyNumbers(lines);
  const facts = [
    failed ? `✗ failure${exitCode === undefined ? "" : ` (exit code ${exitCode})`}` : "✓ success",
    ...(numbers.length > 0 ? [`numbers: ${numbers.join(", ")}`] : []),
    ...(!failed && errors.includes(true) ? ["errors in the output"] : []),
  ];
  const command = capLine(maskLabel((use.command ?? "").trim().replace(/\s+/g, " ")), LONG_COMMAND);
  const subject = command === "" ? "" : `${command} → `;
  return bracket(
    `${titleOf(use)}: ${subject}${facts.join(", ")}`,
    chooseShown(capped, lines, errors, context),
  );
};

function chooseShown(
  capped: CappedLines,
  lines: readonly string[],
  errors: readonly boolean[],
  context: SummaryContext,
): readonly string[] {
  const { failures, named } = rankLines(capped, lines, errors, context);
  const shown = [...failures.slice(0, SHOWN_ERRORS), ...named].sort((a, b) => a - b);
  const more = failures.length - SHOWN_ERRORS;
  return [
    ...shown.map((i) => lines[i] ?? ""),
    ...(more > 0 ? [`... +${formatNumber(more)} more errors`] : []),
  ];
}

/** Error lines and lines with named literals, those with the highest scores first; of the latter, as many as fit. */
function rankLines(
  capped: CappedLines,
  lines: readonly string[],
  errors: readonly boolean[],
  { salience, room = NAMED_ROOM }: SummaryContext,
): { readonly failures: readonly number[]; readonly named: readonly number[] } {
  const failures = [...lines.keys()].filter((i) => errors[i]);
  if (room <= 0 && failures.length < 2) return { failures, named: [] };
  const scores = scoreLines(capped, salience);
  const byScore = (a: number, b: number) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b;
  let left = room;
  const named = [...lines.keys()]
    .filter((i) => !errors[i] && scores[i])
    .sort(byScore)
    .filter((i) => {
      if (left >= 0) left -= estimateTokens(lines[i] ?? "") + 1;
      return left >= 0;
    });
  return { failures: failures.sort(byScore), named };
}
