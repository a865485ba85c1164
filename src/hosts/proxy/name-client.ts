import type { IncomingHttpHeaders } from "node:http";

/** Names of programs by what only they send. */
const BY_HEADER: Readonly<Record<string, string>> = {
  "x-claude-code-session-id": "claude-code",
  "x-parent-session-id": "opencode",
};

/** By what they call themselves in `user-agent`. */
const BY_PRODUCT: ReadonlyMap<string, string> = new Map([
  ["claude-cli", "claude-code"],
  ["codex_cli_rs", "codex"],
  ["codex_exec", "codex"],
  ["geminicli", "gemini-cli"],
  ["qwencode", "qwen-code"],
]);

/** What a program is written with, and not the program: runtimes, libraries for HTTP, and SDKs. */
const LIBRARIES: ReadonlySet<string> = new Set([
  ...["node", "bun", "deno", "python", "node-fetch", "undici", "axios", "got", "okhttp", "curl", "wget"],
  ...["python-requests", "python-httpx", "python-urllib", "aiohttp", "go-http-client", "java-http-client"],
  ...["anthropic", "asyncanthropic", "openai", "asyncopenai", "google-genai-sdk", "ai", "ai-sdk", "runtime"],
]);

/**
 * The program that sent a request, for people to read: nothing depends on it. `user-agent` is the last resort, as some
 * programs give another's, and many only that of a library.
 *
 *   user-agent: node                              ->  undefined
 *   user-agent: node, x-title: Roo Code           ->  roo-code
 *   user-agent: Anthropic/JS 0.60.0 my-agent/1.2  ->  my-agent
 */
export function nameClient(headers: IncomingHttpHeaders): string | undefined {
  for (const [header, name] of Object.entries(BY_HEADER)) if (headers[header] !== undefined) return name;
  const { originator } = headers;
  if (typeof originator === "string" && /^codex/i.test(originator)) return "codex";
  return readTitle(headers["x-title"]) ?? readProduct(headers["user-agent"] ?? "");
}

/** What OpenRouter asks programs to call themselves. */
function readTitle(title: string | readonly string[] | undefined): string | undefined {
  const words = String(title ?? "").match(/[\w.@-]+/g);
  return words?.join("-").slice(0, LONGEST).toLowerCase();
}

const LONGEST = 40;
/** In characters. Names stand at the beginning. */
const LOOKED_AT = 400;

function readProduct(agent: string): string | undefined {
  const products = agent
    .slice(0, LOOKED_AT)
    .split(/\s+/)
    .flatMap((product) => /^[\w.@-]+/.exec(product)?.[0].slice(0, LONGEST).toLowerCase() ?? []);
  // A version behind a blank is no name: `Anthropic/JS 0.60.0`.
  const name = products.find((each) => /^[a-z@]/.test(each) && !LIBRARIES.has(each));
  return name === undefined ? undefined : (BY_PRODUCT.get(name) ?? name);
}
