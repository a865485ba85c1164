/** How hosts write it beside the output, at either end of it. */
const EXIT_CODE =
  /(?:\bexit(?:ed)?(?: with)?(?: code| status)|"exit_code"|<returncode>|\breturn ?code\b)["':=\s]{0,4}(-?\d{1,5})\b/gi;

const NEAR_END = 300;

/** The exit code that the text itself tells: `[exit code 1]`, `Process exited with code 0`, `{"exit_code":2`. */
export function findExitCode(text: string): number | undefined {
  const ends = text.length <= 2 * NEAR_END ? [text] : [text.slice(-NEAR_END), text.slice(0, NEAR_END)];
  for (const end of ends) {
    const code = [...end.matchAll(EXIT_CODE)].at(-1)?.[1];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}
