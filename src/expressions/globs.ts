import picomatch from "picomatch";
import { worstSteps } from "./growth.ts";

export type GlobOptions = Pick<
  picomatch.PicomatchOptions,
  "basename" | "bash" | "dot" | "nocase" | "windows"
>;

/** A longer name or path is known by its end. */
const LONGEST_NAME = 1_024;

/** What a glob may cost on such a name, in steps of the expression that it becomes: some milliseconds. */
const MOST_STEPS = 20_000_000;

/**
 * Is it quick on every name? Names and paths are what a model writes.
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

/** Says of a name whether any of the globs is about it. One that is not quick is left out: the configuration reports it. */
export function compileGlobs(globs: readonly string[], options: GlobOptions = {}): (name: string) => boolean {
  const matches = picomatch(
    globs.filter((glob) => isQuickGlob(glob, options)),
    options,
  );
  return (name) => matches(name.length <= LONGEST_NAME ? name : name.slice(-LONGEST_NAME));
}
