const COUNTED_NOUNS =
  "passed|failed|failures?|failing|passing|skipped|pending|todo|errors?|warnings?|tests?|suites?|specs?|examples?|" +
  "total|problems?|vulnerabilities|packages?|insertions?|deletions?|files? changed|xfailed|xpassed|deselected";

/** `45 passed`, `0 errors`, `2 failed`. */
const COUNTED = new RegExp(`\\b(\\d[\\d,]{0,20}) (?:${COUNTED_NOUNS})\\b`, "gi");

/** `Tests: 45`, `failures=2`, `# pass 12`. */
const LABELLED =
  /(?:\b(?:tests(?: run)?|failures|errors|skipped|passed|failed|total)\s?[:=]\s?|^# (?:tests|pass|fail) )(\d[\d,]*)\b/gi;

const NUMBERS_SHOWN = 6;
const LINES_SEARCHED = 4;

/** The counts and totals at the end of a run, in order. */
export function findKeyNumbers(lines: readonly string[]): readonly string[] {
  const found: (readonly string[])[] = [];
  for (let i = lines.length - 1; i >= 0 && found.length < LINES_SEARCHED; i--) {
    const numbers = numbersIn(lines[i] ?? "");
    if (numbers.length > 0) found.unshift(numbers);
  }
  return found.flat().slice(-NUMBERS_SHOWN);
}

function numbersIn(line: string): readonly string[] {
  // Most lines have none, and there may be very many of them: this check is faster than searching for all.
  if (!/\d/.test(line) || (line.search(COUNTED) < 0 && line.search(LABELLED) < 0)) return NONE;
  const hits = [...line.matchAll(COUNTED), ...line.matchAll(LABELLED)];
  const byPlace = new Map(hits.map((hit) => [hit.index + hit[0].indexOf(hit[1] ?? ""), hit[1] ?? ""]));
  return [...byPlace].sort(([a], [b]) => a - b).map(([, number]) => number);
}

const NONE: readonly string[] = [];

const FAILURES =
  /\b[1-9]\d* (?:failed|failures?|failing|errors?)\b|\b(?:failed|failures|errors)\s?[:=]\s?[1-9]|^# fail [1-9]|^BUILD FAILED/i;

/** Does the line report failures? `0 failed` does not. */
export function saysFailed(line: string): boolean {
  return FAILURES.test(line);
}
