import { hashText } from "../transcript/hash.ts";

/**
 * Is this conversation left unpruned, for comparison with others? Only its name decides: all replicas agree, at
 * every request and after every restart. A conversation that is held out at 5 percent is also held out at 10.
 *
 * @param root identifies the conversation from its first request on
 */
export function isHeldOut(root: string, percent: number): boolean {
  const hash = Number.parseInt(hashText(`holdout ${root}`).slice(0, 8), 16);
  return hash / 2 ** 32 < percent / 100;
}
