import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Headers } from "../../wires/index.ts";

/** Who may call the proxy. */
export interface Callers {
  /** Wanted of everybody, where the proxy listens beyond loopback. */
  readonly token: string | undefined;
  /** Names under which the proxy is known, beside loopback and plain addresses. */
  readonly hosts: readonly string[];
}

/**
 * Does the caller have the token? It stands in a header, or first in the path, as many clients can only be told an
 * address. Gives the path without it.
 *
 *   /~s3cret/v1/messages   ->   /v1/messages
 */
export function checkToken(
  path: string,
  headers: Headers,
  { token }: Callers,
): { readonly isAllowed: boolean; readonly path: string } {
  const inPath = /^\/~([^/?#]*)/.exec(path);
  const rest = inPath ? path.slice(inPath[0].length) : path;
  const bare = rest.startsWith("/") ? rest : `/${rest}`;
  if (token === undefined) return { isAllowed: true, path: bare };
  const given = [inPath?.[1] && decode(inPath[1]), headers["x-coppice-token"]];
  return { isAllowed: given.some((each) => typeof each === "string" && isSame(each, token)), path: bare };
}

/**
 * Does a request come from a page of another site? A browser says so in `Origin`, and where a site's name was bent to
 * our address (DNS rebinding), `Host` is that name. Where a token is wanted, any name will do: no such page knows it, and
 * a team's load balancer has names of its own.
 */
export function isForeign(headers: Headers, { hosts, token }: Callers): boolean {
  const host = nameOf(headers.host);
  if (token === undefined && (host === undefined || !isTrusted(host, hosts))) return true;
  const { origin } = headers;
  if (origin === undefined) return headers["sec-fetch-site"] === "cross-site";
  const from = typeof origin === "string" && URL.canParse(origin) ? new URL(origin) : undefined;
  return from?.host !== headers.host && !(from && isLoopback(from.hostname));
}

function isTrusted(host: string, hosts: readonly string[]): boolean {
  return isIP(host) > 0 || isLoopback(host) || hosts.some((name) => name.toLowerCase() === host);
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/** Without the port and the brackets of an address. */
function nameOf(host: string | readonly string[] | undefined): string | undefined {
  if (typeof host !== "string" || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "");
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** In a time that tells nothing of how much was right. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
