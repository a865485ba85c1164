/** The forms of an exit code from hosts, at the start or the end of the output. */
const EXIT_CODE =
  /(?:\bexit(?:ed)?(?: with)?(?: code| status)|"exit_code"|<returncode>|\breturn ?code\b)["':=\s]{0,4}(-?\d{1,5})\b/gi;

const NEAR_END_CHARACTERS = 300;

/** The exit code in the text: `[exit code 1]`, `Process exited with code 0`, `{"exit_code":2`. */
export function findExitCode(text: string): number | undefined {
  const ends =
    text.length <= 2 * NEAR_END_CHARACTERS
      ? [text]
      : [text.slice(-NEAR_END_CHARACTERS), text.slice(0, NEAR_END_CHARACTERS)];
  for (const end of ends) {
    const code = [...end.matchAll(EXIT_CODE)].at(-1)?.[1];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}

/** Does the line's exit code report a failure? */
export function hasExitCode(line: string): boolean {
  for (const [, code] of line.matchAll(EXIT_CODE)) if (Number(code) !== 0) return true;
  return false;
}
