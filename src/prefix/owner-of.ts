/**
 * The MCP server of a tool. Only the names of Claude Code, Codex and Qwen Code contain it; for other clients, the
 * servers must be known.
 *
 *   mcp__git__status                      ->  git
 *   git_status, git-status with git known ->  git
 *   read_file                             ->  undefined
 */
export function ownerOf(tool: string, servers: readonly string[]): string | undefined {
  const [, named] = /^mcp__(.+?)__/.exec(tool) ?? [];
  if (named !== undefined) return named;
  const bare = tool.startsWith("mcp_") ? tool.slice("mcp_".length) : tool;
  return servers
    .filter((server) => isPrefix(server, bare))
    .reduce<string | undefined>((best, each) => (each.length > (best?.length ?? 0) ? each : best), undefined);
}

function isPrefix(server: string, tool: string): boolean {
  const start = tool.slice(0, server.length);
  return spell(start) === spell(server) && /^[_-]/.test(tool.slice(server.length));
}

/** Clients write other characters as `_`. */
function spell(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}
