import { hashText } from "../transcript/hash.ts";

/**
 * Is this conversation left unpruned, so that others can be compared with it? Its name alone decides: all replicas say the
 * same, at every request and after every restart. Whoever is held out at 5 percent is at 10 as well.
 *
 * @param root what names the conversation from its first request on
 */
export function isHeldOut(root: string, percent: number): boolean {
  const hash = Number.parseInt(hashText(`holdout ${root}`).slice(0, 8), 16);
  return hash / 2 ** 32 < percent / 100;
}
