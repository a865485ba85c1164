import type { IncomingHttpHeaders } from "node:http";

/** Names of programs by headers that only they send. */
const BY_HEADER: Readonly<Record<string, string>> = {
  "x-claude-code-session-id": "claude-code",
  "x-parent-session-id": "opencode",
};

/** Names of programs by their product in `user-agent`. */
const BY_PRODUCT: ReadonlyMap<string, string> = new Map([
  ["claude-cli", "claude-code"],
  ["codex_cli_rs", "codex"],
  ["codex_exec", "codex"],
  ["geminicli", "gemini-cli"],
  ["qwencode", "qwen-code"],
]);

/** Products that are not programs: runtimes, HTTP libraries and SDKs. */
const LIBRARIES: ReadonlySet<string> = new Set([
  ...["node", "bun", "deno", "python", "node-fetch", "undici", "axios", "got", "okhttp", "curl", "wget"],
  ...["python-requests", "python-httpx", "python-urllib", "aiohttp", "go-http-client", "java-http-client"],
  ...["anthropic", "asyncanthropic", "openai", "asyncopenai", "google-genai-sdk", "ai", "ai-sdk", "runtime"],
]);

/**
 * The program that sent a request. Only people read it. `user-agent` comes last, because some programs use
 * another's, and many only a library's.
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

/** Reads the header in which OpenRouter wants programs to name themselves. */
function readTitle(title: string | readonly string[] | undefined): string | undefined {
  const words = String(title ?? "").match(/[\w.@-]+/g);
  return words?.join("-").slice(0, LONGEST).toLowerCase();
}

const LONGEST = 40;
/** In characters. Names are at the start. */
const LOOKED_AT = 400;

function readProduct(agent: string): string | undefined {
  const products = agent
    .slice(0, LOOKED_AT)
    .split(/\s+/)
    .flatMap((product) => /^[\w.@-]+/.exec(product)?.[0].slice(0, LONGEST).toLowerCase() ?? []);
  // A version alone is not a name: `Anthropic/JS 0.60.0`.
  const name = products.find((each) => /^[a-z@]/.test(each) && !LIBRARIES.has(each));
  return name === undefined ? undefined : (BY_PRODUCT.get(name) ?? name);
}
