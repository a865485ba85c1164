import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Headers } from "../../wires/index.ts";
import { isLoopback } from "./is-loopback.ts";

/** Who may call the proxy. */
export interface AllowedCallers {
  /** Wanted of everybody, where the proxy listens beyond loopback. */
  readonly token: string | undefined;
  /** Names under which the proxy is known, beside loopback and plain addresses. */
  readonly hosts: readonly string[];
}

/** What a caller shows, and the path without it. */
export interface CallerTokens {
  readonly tokens: readonly string[];
  readonly path: string;
}

/**
 * The token stands in a header, or first in the path, as many clients can only be told an address.
 *
 *   /~s3cret/v1/messages   ->   s3cret, /v1/messages
 */
export function readToken(path: string, headers: Headers): CallerTokens {
  const inPath = /^\/~([^/?#]*)/.exec(path);
  const rest = inPath ? path.slice(inPath[0].length) : path;
  const tokens = [inPath?.[1] && decode(inPath[1]), headers["x-coppice-token"]];
  return {
    tokens: tokens.filter((each) => typeof each === "string"),
    path: rest.startsWith("/") ? rest : `/${rest}`,
  };
}

/** Is the token that is wanted, if any, among those that were shown? */
export function isAllowed({ tokens }: CallerTokens, wanted: string | undefined): boolean {
  return wanted === undefined || tokens.some((each) => isSame(each, wanted));
}

/**
 * Does a request come from a page of another site? A browser says so in `Origin`, and where a site's name was bent to
 * our address (DNS rebinding), `Host` is that name. Where a token is wanted, any name will do: no such page knows it, and
 * a team's load balancer has names of its own.
 */
export function isForeign(headers: Headers, { hosts, token }: AllowedCallers): boolean {
  const host = nameOf(headers.host);
  if (token === undefined && (host === undefined || !isTrusted(host, hosts))) return true;
  const { origin } = headers;
  if (origin === undefined) return headers["sec-fetch-site"] === "cross-site";
  const from = typeof origin === "string" && URL.canParse(origin) ? new URL(origin) : undefined;
  return from?.host !== headers.host && !(from && isLoopback(from.hostname));
}

/** A page of ours asks only for its own; another program's page on this machine has no business there. */
export function isOtherOrigin({ origin, host }: Headers): boolean {
  if (origin === undefined) return false;
  return typeof origin !== "string" || !URL.canParse(origin) || new URL(origin).host !== host;
}

function isTrusted(host: string, hosts: readonly string[]): boolean {
  return isIP(host) > 0 || isLoopback(host) || hosts.some((name) => name.toLowerCase() === host);
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
