import { trimEndOf } from "../basics/trim-end.ts";

/**
 * The whole name of a tool that is given in two pieces, as OpenAI's Responses do for a group of tools. Codex has had several
 * ways to cut the name of a server's tool; its own tools are in `functions`.
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
