import type { LineList } from "./lines.ts";

/**
 * The beginnings of lines with which programs report an error. Lines that only mention one (code, prose) do not
 * begin like this.
 */
const ERROR_STARTS: readonly RegExp[] = [
  /^(?:[^\s:(]+(?:\(\d+,\d+\)|(?::\d+){1,2}):?\s(?:-\s)?)?(?:fatal|error|panic)(?:\[\w+\]|\s[A-Z]+\d+)?:\s/i,
  /^(?:npm (?:ERR!|error)|FAILED|FAIL|ERROR|E {3}|✗|✖|×)\s/,
  /^Traceback \(most recent call last\):/,
  /^\S*(?:command not found|No such file or directory|Permission denied)$/,
  /^[^\s:]+: .*(?:command not found|No such file or directory|Permission denied)$/,
];

/** `TypeError: x is not a function`, as runtimes print it. */
const EXCEPTION = /^(?:Uncaught )?(?:[\w$]+\.)*[A-Z][\w$]*(?:Error|Exception)(?: \[\w+\])?(?::\s|$)/;

/** A stack frame. Source code that merely contains an exception's name has none next to it. */
const FRAME = /^\s+(?:at\s\S|File ".*", line \d+)/;
const TRACEBACK = /^Traceback \(most recent call last\):/;

/** For each line: does it report an error? An exception's name counts only with stack frames. */
export function findErrorLines(lines: readonly string[]): readonly boolean[] {
  let inTraceback = false;
  return lines.map((line, i) => {
    if (TRACEBACK.test(line)) inTraceback = true;
    if (EXCEPTION.test(line)) {
      const hasFrames = inTraceback || FRAME.test(lines[i + 1] ?? "");
      inTraceback = false;
      return hasFrames;
    }
    return isErrorStart(line);
  });
}

/** The same for one line. */
export function isErrorLine(lines: LineList, line: number): boolean {
  const text = lines.at(line) ?? "";
  if (!EXCEPTION.test(text)) return isErrorStart(text);
  return endsTraceback(lines, line) || FRAME.test(lines.at(line + 1) ?? "");
}

/** Did a traceback begin before this line that no other exception has ended? */
function endsTraceback(lines: LineList, line: number): boolean {
  for (let i = line - 1; i >= 0; i--) {
    const before = lines.at(i) ?? "";
    if (TRACEBACK.test(before)) return true;
    if (EXCEPTION.test(before)) return false;
  }
  return false;
}

/** Does it begin like a line that reports an error? */
export function isErrorStart(line: string): boolean {
  return ERROR_STARTS.some((start) => start.test(line));
}

/** Is it an exception as runtimes print it, with or without stack frames? */
export function isException(line: string): boolean {
  return EXCEPTION.test(line);
}
