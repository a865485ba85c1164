import type { Headers } from "../../wires/index.ts";

/** Addresses of providers, by name. A path may start with a name: `/openrouter/v1/chat/completions`. */
export type Upstreams = Readonly<Record<string, string>>;

export const USUAL_UPSTREAMS: Readonly<Record<"anthropic" | "openai" | "chatgpt" | "gemini", string>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com",
  chatgpt: "https://chatgpt.com",
  gemini: "https://generativelanguage.googleapis.com",
};

/** Where a request goes. */
export interface Route {
  readonly upstream: string;
  readonly origin: string;
  /** Includes the query. */
  readonly path: string;
}

/**
 * Finds the provider of a request: by the name in its path, or else by the path's shape and by headers that only
 * one provider's clients send.
 *
 *   /anthropic/v1/messages                         ->  anthropic, /v1/messages
 *   /v1/messages                                   ->  anthropic
 *   /v1beta/models/gemini-2.5-pro:generateContent  ->  gemini
 *   /v1/responses with a ChatGPT login             ->  chatgpt, /backend-api/codex/responses
 *   everything else                                ->  openai
 */
export function findRoute(path: string, headers: Headers, upstreams: Upstreams): Route {
  const first = /^\/([^/?#]+)/.exec(path)?.[1] ?? "";
  if (Object.hasOwn(upstreams, first)) {
    const rest = path.slice(first.length + 1);
    return makeRoute(upstreams, first, rest.startsWith("/") ? rest : `/${rest}`);
  }
  if (path.startsWith("/backend-api/")) return makeRoute(upstreams, "chatgpt", path);
  if (headers["chatgpt-account-id"] !== undefined)
    return makeRoute(upstreams, "chatgpt", path.replace(/^(?:\/v1)?\//, "/backend-api/codex/"));
  if (headers["anthropic-version"] !== undefined || /^\/v1\/(?:messages|complete)\b/.test(path))
    return makeRoute(upstreams, "anthropic", path);
  if (headers["x-goog-api-key"] !== undefined || /^\/(?:v1beta|v1internal)\b/.test(path))
    return makeRoute(upstreams, "gemini", path);
  return makeRoute(upstreams, "openai", path);
}

/** An upstream's address may have a path, which comes first. */
function makeRoute(upstreams: Upstreams, upstream: string, path: string): Route {
  const { origin, pathname } = new URL(upstreams[upstream] ?? USUAL_UPSTREAMS.openai);
  return { upstream, origin, path: `${pathname.replace(/\/$/, "")}${path}` };
}
