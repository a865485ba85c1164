import { compileGlobs } from "../expressions/globs.ts";
import type { ToolUse } from "./tool-use.ts";

/** Returns whether any name on a list matches a call. `tool` is the name as the model wrote it. */
export type NameMatcher = (tool: string, use: ToolUse) => boolean;

/**
 * Names or globs, ignoring case. A server's tool matches by its whole name, or by its name without the prefix,
 * unless that name on the list means one of the host's tools.
 *
 *   deploy*   ->  deploy_app, mcp__ops__deploy_app
 *   task      ->  task, as a name of the host's; not mcp__ops__task
 */
export function matchNames(patterns: readonly string[], hostNames: readonly string[]): NameMatcher {
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  const matchesOwn = remembering(lower);
  const matchesServers = remembering(lower.filter((pattern) => !hostNames.includes(pattern)));
  return (tool, { name, server }) =>
    matchesOwn(tool.toLowerCase()) || (server === undefined ? matchesOwn : matchesServers)(name);
}

function remembering(patterns: readonly string[]): (name: string) => boolean {
  const matches = compileGlobs(patterns);
  const known = new Map<string, boolean>();
  return (name) => {
    const isMatch = known.get(name) ?? matches(name);
    known.set(name, isMatch);
    return isMatch;
  };
}
