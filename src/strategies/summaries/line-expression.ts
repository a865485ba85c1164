import { growthOf, worstSteps } from "../../expressions/growth.ts";
import { LONG_LINE } from "./lines.ts";

/** What an expression may cost on one line, in steps: some milliseconds. */
const MOST_STEPS = 5_000_000;

/**
 * A user's expression over lines, which are cut off before they are matched; `undefined` where it is none, or where some
 * line could take it long. What has no end is only quick because nothing follows: it is refused like what has one.
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
