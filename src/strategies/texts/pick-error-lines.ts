/**
 * The most telling lines of a failed program's output, in order: the first line, the last line that reports an
 * error (or if there is none, the last line), and the frame in which it happened.
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
  const telling = ERROR_LINES.find((pattern) => lines.some((line) => pattern.test(line))) ?? /\S/;
  const error = lines.findLastIndex((line) => telling.test(line));
  const frame = findFrame(lines, error);
  const code = isCodeOf(lines[frame], lines[frame + 1]) ? [frame + 1] : [];
  const kept = [lines.findIndex(isText), error, frame, ...code].filter((index) => index >= 0);
  return [...new Set(kept)].sort((a, b) => a - b).map((index) => lines[index] ?? "");
}

/**
 * Lines that report an error, the most telling kind first. The final lines of test runners are the least telling.
 */
const ERROR_LINES: readonly RegExp[] = [
  // `TypeError: …`, `java.io.IOException: …`, `error[E0308]: …`, `a.ts(3,5): error TS2322: …`, pytest's `E   …`
  /^\s*(?:[\w$.]*(?:Error|Exception|Interrupt|Exit)\b(?: \[\w+\])?(?::|$)|(?:error|fatal|FATAL|panic)\b(?:\[\w+\])?:|thread '.*' panicked|E {3,}\S)|[:-] (?:fatal )?error(?: \w+)?:/,
  // `--- FAIL: TestTotal`, `a.go:12:3: …`
  /^\s*(?:--- FAIL\b|\S+:\d+:\d+\b)/,
  /^\s*(?:npm (?:ERR!|error) |\[?\w*\]? ?ERROR\b)/,
];

/**
 * Python's `File "a.py", line 3`, JavaScript's and Java's `at f (a.js:1:2)`, Go's `a.go:12 +0x1d`, Ruby's `from
 * a.rb:3:in`.
 */
const FRAME_LINE = /^\s*(?:File ".+", line \d+|at \S|from \S+:\d+:in\b|\S+\.go:\d+ \+0x)/;

/** If frames follow the error line, it happened in the first of them; if they precede it, in the last. */
function findFrame(lines: readonly string[], error: number): number {
  if (FRAME_LINE.test(lines[error + 1] ?? "")) return error + 1;
  const before = lines.findLastIndex((line, index) => index < error && FRAME_LINE.test(line));
  return before >= 0 ? before : lines.findIndex((line, index) => index > error && FRAME_LINE.test(line));
}

/** Python shows the code of a frame below it, indented further. */
function isCodeOf(frame: string | undefined, next: string | undefined): boolean {
  return frame !== undefined && next !== undefined && !FRAME_LINE.test(next) && indent(next) > indent(frame);
}

function indent(line: string): number {
  return line.trim() === "" ? 0 : line.search(/\S/);
}
