import picomatch from "picomatch";
import { rememberText } from "../basics/remember.ts";
import { worstSteps } from "./growth.ts";

export type GlobOptions = Pick<
  picomatch.PicomatchOptions,
  "basename" | "bash" | "dot" | "nocase" | "windows"
>;

/** Only the end of a longer name or path is matched. */
const LONGEST_NAME = 1_024;

/** The most that a glob may cost on a name of that length, in steps of its regular expression: some milliseconds. */
const MOST_STEPS = 20_000_000;

/** Characters of the glob lists that stay compiled. */
const KEPT = 50_000;

/**
 * Does the glob take linear time on every name? It must, because a model writes the names and paths.
 *
 *   *.test.*      ->  yes
 *   *a*a*a*a*b    ->  no: a name of a thousand `a` would take minutes
 */
export function isQuickGlob(glob: string, options: GlobOptions = {}): boolean {
  if ((glob.match(/[*+{(]/g)?.length ?? 0) < 3) return true;
  try {
    return worstSteps(picomatch.makeRe(glob, options), LONGEST_NAME) <= MOST_STEPS;
  } catch {
    return false;
  }
}

/** Returns whether any of the globs matches a name. A slow glob is left out: the configuration reports it. */
export function compileGlobs(globs: readonly string[], options: GlobOptions = {}): (name: string) => boolean {
  return compileOnce(JSON.stringify([globs, options]));
}

/** Every pruner uses the same few lists. */
const compileOnce = rememberText((pattern) => {
  const [globs, options]: [readonly string[], GlobOptions] = JSON.parse(pattern);
  const matches = picomatch(
    globs.filter((glob) => isQuickGlob(glob, options)),
    options,
  );
  return (name: string) => matches(name.length <= LONGEST_NAME ? name : name.slice(-LONGEST_NAME));
}, KEPT);
