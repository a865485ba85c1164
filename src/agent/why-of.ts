import type { Issue } from "../basics/issue.ts";

/** Why an edit was refused, without the key of its part, which means nothing to an agent. */
export function whyOf({ message, where }: Issue): string {
  const at = where === undefined ? -1 : message.indexOf(`${where}: `);
  return at < 0 ? message : message.slice(at + (where?.length ?? 0) + 2);
}
