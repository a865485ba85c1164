import { maskLabel } from "../redaction/mask-label.ts";
import { estimateTokens } from "../transcript/estimate.ts";

export type PatternKind = "stack trace" | "package manager output" | "progress" | "repeated lines";

/** A stretch that may be worth replacing, with a start and an end that match it and nothing else in the text. */
export interface PatternSuggestion {
  readonly kind: PatternKind;
  readonly start: string;
  readonly end: string;
  readonly lines: number;
  readonly tokens: number;
}

/** Shorter runs are not worth a cut. */
const LEAST_LINES = 4;
const LEAST_TOKENS = 60;

/** Each suggestion searches the whole text. */
const MOST_SUGGESTIONS = 20;

/** In characters. A pattern is one line, or longer if it must be to match only once. */
const SHORTEST_PATTERN = 20;
const LONGEST_PATTERN = 200;

/**
 * Suggests stretches of a tool's output to replace, largest first.
 *
 *   suggestPatterns(log)   ->   [{ kind: "stack trace", start: "    at Object.<anonymous> (src/a.ts:4:9)", end: … }]
 */
export function suggestPatterns(text: string): readonly PatternSuggestion[] {
  return findRuns(text)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_SUGGESTIONS)
    .flatMap((run) => toSuggestion(text, run) ?? [])
    .toSorted((a, b) => b.tokens - a.tokens);
}

/** Consecutive lines of one kind. `from` and `to` are offsets in the text; the last line break is not included. */
interface Run {
  readonly kind: PatternKind;
  readonly from: number;
  readonly to: number;
  readonly lines: number;
}

const LINE_KINDS: readonly (readonly [PatternKind, (line: string) => boolean])[] = [
  ["stack trace", (line) => FRAME.test(line)],
  ["package manager output", (line) => PACKAGES.test(line)],
  ["progress", (line) => PROGRESS.test(line) || countsWithRate(line)],
];

/** JavaScript, Java and C#; Python (and the code below a frame); Go; Rust and C++ backtraces. */
const FRAME = /^\s+at \S|^\s*File "[^"]+", line \d+|^\t\S+\.go:\d+|^\s*#?\d+:?\s+(?:0x[0-9a-f]+\b|\S+::)/;

const PACKAGES =
  /^\s*(?:npm (?:warn|info|http|notice)|yarn (?:info|warn)|➤ YN\d+|warning .+ > |Progress: resolved|Collecting |Downloading |Downloaded |Installing |Installed |Using cached |Requirement already satisfied|Compiling \S+ v|Fetching |Get:\d+ |Hit:\d+ |Unpacking |Setting up |Selecting previously|Preparing to unpack|Processing triggers|Pulling |Extracting )/i;

const PROGRESS = /\d{1,3}(?:\.\d+)?\s?%|[█▓▒░━╸]{3,}|\[[=#>\-. ]{8,}\]/;

/** `3/20 … 12.1 MB/s` */
function countsWithRate(line: string): boolean {
  const count = /\b\d+\/\d+\b/.exec(line);
  return count !== null && /it\/s|MB\/s|kB\/s|ETA/i.test(line.slice(count.index + count[0].length));
}

/** Finds runs in one pass: lines of the same kind, or lines that differ only in numbers and ids. */
function findRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  let open: { kind: PatternKind; key: string; from: number; to: number; lines: number } | undefined;
  let before: { from: number; shape: string } | undefined;
  const close = () => {
    if (open && open.lines >= LEAST_LINES) runs.push(open);
    open = undefined;
  };
  for (const { from, to, line } of splitLines(text)) {
    const kind = LINE_KINDS.find(([, isOne]) => isOne(line))?.[0];
    const shape = line.trim() === "" ? "" : line.replace(VARYING, "0");
    const isCode = open?.kind === "stack trace" && /^\s{4,}\S/.test(line);
    const key = kind ?? (isCode ? "stack trace" : shape);
    if (open && key !== "" && open.key === key) {
      open.to = to;
      open.lines++;
    } else {
      close();
      if (kind) open = { kind, key, from, to, lines: 1 };
      else if (shape !== "" && before?.shape === shape)
        open = { kind: "repeated lines", key, from: before.from, to, lines: 2 };
    }
    before = { from, shape: kind ? "" : shape };
  }
  close();
  return runs;
}

/** The parts that may differ between repeated lines: times, counts, ids. */
const VARYING = /0x[0-9a-f]+|[0-9a-f]{8,}|\d+/gi;

function* splitLines(text: string): Iterable<{ from: number; to: number; line: string }> {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    yield { from, to, line: text.slice(from, Math.min(to, from + 400)) };
    from = to + 1;
  }
}

/** Patterns that match exactly this run; `undefined` if there are none of at most `LONGEST_PATTERN` characters. */
function toSuggestion(text: string, { kind, from, to, lines }: Run): PatternSuggestion | undefined {
  const tokens = estimateTokens(text.slice(from, to));
  if (tokens < LEAST_TOKENS) return undefined;
  const lineEnd = (at: number) => (text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at));
  const lastLine = text.lastIndexOf("\n", to - 1) + 1;
  const start = listLengths(Math.min(to, lineEnd(from)) - from)
    .map((length) => text.slice(from, from + length))
    .find((pattern) => text.indexOf(pattern) === from && text.indexOf(pattern, from + 1) < 0);
  if (start === undefined) return undefined;
  const end = listLengths(to - Math.max(from, lastLine))
    .map((length) => text.slice(to - length, to))
    .find((pattern) => text.indexOf(pattern, from + start.length) === to - pattern.length);
  const fits =
    end !== undefined && from + start.length + end.length <= to && !holdsSecret(start) && !holdsSecret(end);
  return fits ? { kind, start, end, lines, tokens } : undefined;
}

/** Such a pattern is not suggested, because the agent would have to repeat the secret. */
function holdsSecret(text: string): boolean {
  return maskLabel(text) !== text;
}

/** The lengths to try: the line's, twice that, the longest. */
function listLengths(line: number): readonly number[] {
  const first = Math.min(Math.max(line, SHORTEST_PATTERN), LONGEST_PATTERN);
  return [first, Math.min(2 * first, LONGEST_PATTERN), LONGEST_PATTERN];
}
