import type { IncomingHttpHeaders } from "node:http";

/** Names of programs by what only they send. */
const BY_HEADER: Readonly<Record<string, string>> = {
  "x-claude-code-session-id": "claude-code",
  "x-parent-session-id": "opencode",
};

/**
 * The program that sent a request, for people to read: nothing depends on it. `user-agent` is the last resort, as some
 * programs give another's.
 */
export function nameClient(headers: IncomingHttpHeaders): string | undefined {
  for (const [header, name] of Object.entries(BY_HEADER)) if (headers[header] !== undefined) return name;
  const { originator } = headers;
  if (typeof originator === "string" && /^codex/i.test(originator)) return "codex";
  return /^[\w.@-]{1,40}/.exec(headers["user-agent"] ?? "")?.[0].toLowerCase();
}
