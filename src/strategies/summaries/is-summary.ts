/** No summary has more lines, or more characters. */
const MOST_LINES = 60;
const MOST_CHARACTERS = 10_000;

const OMISSION = /^\.\.\. \[[\d,]+ lines? omitted(?: · [0-9a-f]{6})?\] \.\.\.$/m;
const BRACKETS = /^\[(?:Pruned [^\s:]+:\s|Tool output pruned - [\d,]+ chars|superseded: )[\s\S]*\]$/;
const LAST_LINE = /(?:^|\n)\[(?:Pruned [^\s:]+: [^\n]*|pruned · [0-9a-f]{6})\]$/;

/**
 * Does this text look like one of our summaries? Any web page may, so this only serves to leave a text unchanged
 * that was passed without its session. In a session, `wasCut` knows.
 */
export function isSummary(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > MOST_CHARACTERS || trimmed.split("\n").length > MOST_LINES) return false;
  if (trimmed.endsWith("]") && (BRACKETS.test(trimmed) || LAST_LINE.test(trimmed))) return true;
  return trimmed.includes("omitted") && OMISSION.test(trimmed);
}
