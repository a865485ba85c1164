/**
 * What says most in the output of something that failed, in the order of the lines: the first line, the last line that
 * tells of an error (where none does, the last line), and the frame in which it happened.
 *
 *   Traceback (most recent call last):          stays: the first line
 *     File "main.py", line 3, in <module>
 *       run()
 *     File "run.py", line 9, in run             stays: the frame, and its code
 *       return rates["x"]
 *   KeyError: 'x'                               stays: the error line
 */
export function pickErrorLines(lines: readonly string[]): readonly string[] {
  const isText = (line: string) => line.trim() !== "";
  const telling = ERRORS.find((pattern) => lines.some((line) => pattern.test(line))) ?? /\S/;
  const error = lines.findLastIndex((line) => telling.test(line));
  const frame = findFrame(lines, error);
  const code = isCodeOf(lines[frame], lines[frame + 1]) ? [frame + 1] : [];
  const kept = [lines.findIndex(isText), error, frame, ...code].filter((index) => index >= 0);
  return [...new Set(kept)].sort((a, b) => a - b).map((index) => lines[index] ?? "");
}

/** What tells of an error, the telling ones first: runners have the last word, and it says least. */
const ERRORS: readonly RegExp[] = [
  // `TypeError: …`, `java.io.IOException: …`, `error[E0308]: …`, `a.ts(3,5): error TS2322: …`, pytest's `E   …`
  /^\s*(?:[\w$.]*(?:Error|Exception|Interrupt|Exit)\b(?: \[\w+\])?(?::|$)|(?:error|fatal|FATAL|panic)\b(?:\[\w+\])?:|thread '.*' panicked|E {3,}\S)|[:-] (?:fatal )?error(?: \w+)?:/,
  // `--- FAIL: TestTotal`, `a.go:12:3: …`
  /^\s*(?:--- FAIL\b|\S+:\d+:\d+\b)/,
  /^\s*(?:npm (?:ERR!|error) |\[?\w*\]? ?ERROR\b)/,
];

/** Python's `File "a.py", line 3`, JavaScript's and Java's `at f (a.js:1:2)`, Go's `a.go:12 +0x1d`, Ruby's `from a.rb:3:in`. */
const FRAME = /^\s*(?:File ".+", line \d+|at \S|from \S+:\d+:in\b|\S+\.go:\d+ \+0x)/;

/** Where frames follow the error the first of them is where it happened, where they stand before it the last. */
function findFrame(lines: readonly string[], error: number): number {
  if (FRAME.test(lines[error + 1] ?? "")) return error + 1;
  const before = lines.findLastIndex((line, index) => index < error && FRAME.test(line));
  return before >= 0 ? before : lines.findIndex((line, index) => index > error && FRAME.test(line));
}

/** Python shows the code of a frame under it, further in. */
function isCodeOf(frame: string | undefined, next: string | undefined): boolean {
  return frame !== undefined && next !== undefined && !FRAME.test(next) && indent(next) > indent(frame);
}

function indent(line: string): number {
  return line.trim() === "" ? 0 : line.search(/\S/);
}
