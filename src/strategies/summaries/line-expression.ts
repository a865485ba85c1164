import { growthOf, worstSteps } from "../../expressions/growth.ts";
import { LONG_LINE } from "./lines.ts";

/** The most steps of an expression on one line: some milliseconds. */
const MOST_STEPS = 5_000_000;

/**
 * Compiles a user's expression that is matched against single lines of limited length. `undefined` if it is
 * invalid, or could take long on some line. `(a+)+` alone is fast only because nothing follows; it is refused like
 * `(a+)+$`.
 *
 *   error.*: .*failed   ->  usable
 *   (a+)+$, (a+)+       ->  not: twice as long with every further `a`
 *   a*a*a*a*b           ->  not: with the fifth power of a line's length
 */
export function compileLineExpression(source: string): RegExp | undefined {
  try {
    const expression = new RegExp(source);
    const isQuick = worstSteps(expression, LONG_LINE) <= MOST_STEPS;
    const followed = growthOf({ source: `(?:${source})$`, flags: "" });
    return isQuick && followed.degree < Number.POSITIVE_INFINITY ? expression : undefined;
  } catch {
    return undefined;
  }
}
