/**
 * A user's expression over lines; `undefined` where it is none, or repeats what already repeats (`(a+)+`): such a one
 * may take for ever on a line that almost matches.
 */
export function compileLineExpression(source: string): RegExp | undefined {
  try {
    const expression = new RegExp(source);
    return hasNestedRepeat(source) ? undefined : expression;
  } catch {
    return undefined;
  }
}

const REPEAT = /^(?:[*+]|\{\d+,\d*\})/;

function hasNestedRepeat(source: string): boolean {
  /** For each open group: does it repeat something without a limit? */
  const open: boolean[] = [false];
  const note = () => {
    open[open.length - 1] = true;
  };
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    if (char === "\\") i++;
    else if (char === "[") {
      while (i < source.length && source[++i] !== "]") if (source[i] === "\\") i++;
    } else if (char === "(") open.push(false);
    else if (char === ")") {
      const repeats = open.pop() ?? false;
      const isRepeated = REPEAT.test(source.slice(i + 1));
      if (repeats && isRepeated) return true;
      if (repeats) note();
      continue;
    }
    if (REPEAT.test(source.slice(i + 1)) && char !== "(") note();
  }
  return false;
}
