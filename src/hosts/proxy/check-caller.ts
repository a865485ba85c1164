import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Headers } from "../../wires/index.ts";
import { isLoopback } from "./is-loopback.ts";

/** Who may call the proxy. */
export interface AllowedCallers {
  /** Required from every caller if the proxy listens beyond loopback. */
  readonly token: string | undefined;
  /** Host names that are allowed in addition to loopback and plain addresses. */
  readonly hosts: readonly string[];
}

/** The tokens in a request, and the path without its token. */
export interface CallerTokens {
  readonly tokens: readonly string[];
  readonly path: string;
}

/**
 * The token is in a header, or comes first in the path, because many clients let you set only an address.
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

/** Is the required token, if any, among those in the request? */
export function isAllowed({ tokens }: CallerTokens, wanted: string | undefined): boolean {
  return wanted === undefined || tokens.some((each) => isSame(each, wanted));
}

/**
 * Does a request come from a page of another site? Browsers say so in `Origin`. If a site's name was redirected to
 * our address (DNS rebinding), `Host` has that name. If a token is required, any name is allowed: such a page does
 * not know the token, and a team's load balancer uses names of its own.
 */
export function isForeign(headers: Headers, { hosts, token }: AllowedCallers): boolean {
  const host = nameOf(headers.host);
  if (token === undefined && (host === undefined || !isTrusted(host, hosts))) return true;
  const { origin } = headers;
  if (origin === undefined) return headers["sec-fetch-site"] === "cross-site";
  const from = typeof origin === "string" && URL.canParse(origin) ? new URL(origin) : undefined;
  return from?.host !== headers.host && !(from && isLoopback(from.hostname));
}

/** Our pages request only their own proxy; pages of other programs on this machine are refused. */
export function isOtherOrigin({ origin, host }: Headers): boolean {
  if (origin === undefined) return false;
  return typeof origin !== "string" || !URL.canParse(origin) || new URL(origin).host !== host;
}

function isTrusted(host: string, hosts: readonly string[]): boolean {
  return isIP(host) > 0 || isLoopback(host) || hosts.some((name) => name.toLowerCase() === host);
}

/** Removes the port and an address's brackets. */
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

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
