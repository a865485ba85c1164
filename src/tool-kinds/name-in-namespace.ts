import { trimEndOf } from "../basics/trim-end.ts";

/**
 * The whole name of a tool that is given in two pieces, as in OpenAI's Responses for a group of tools. Codex has
 * split the names of servers' tools in several ways; its own tools are in `functions`.
 *
 *   mcp__git, status  ·  mcp__git__, status  ·  mcp__git_, _status   ->   mcp__git__status
 *   functions, exec                                                  ->   exec
 */
export function nameInNamespace(namespace: unknown, name: string): string {
  if (typeof namespace !== "string" || namespace === "" || namespace === "functions") return name;
  if (!/\w$/.test(namespace)) return `${namespace}${name}`;
  const joints = namespace.length - trimEndOf(namespace, "_").length + (name.startsWith("_") ? 1 : 0);
  return `${namespace}${"_".repeat(Math.max(0, 2 - joints))}${name}`;
}
