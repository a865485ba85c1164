import { findGoingWell } from "./going-well.ts";
import { renderLines, splitLines } from "./lines.ts";
import { closeSmallGaps } from "./small-gaps.ts";
import type { Summarizer } from "./summary.ts";

/**
 * For a command that failed: everything but passed tests and progress. The forms in which programs report errors
 * are not all known, so every line stays unless it is certainly something else.
 *
 *   ✓ adds | ✓ subtracts | … | × divides | Expected: 4 | Received: 3
 *   ->  ... [38 lines omitted] ... | × divides | Expected: 4 | Received: 3
 */
export const keepFailure: Summarizer = ({ kind, shows }, text) => {
  if (kind !== "shell" || shows !== undefined) return undefined;
  const lines = splitLines(text);
  const kept = findGoingWell(lines).map((goesWell) => !goesWell);
  closeSmallGaps(lines, kept);
  return kept.includes(false) ? renderLines(lines, (i) => kept[i] === true) : undefined;
};
