/** Names and values in turn, unchanged. */
export type RawHeaders = readonly string[];

/** Headers about one connection, which are not passed on. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The host becomes the upstream's; `expect` has been answered; the token is ours. */
const OF_THE_PROXY: ReadonlySet<string> = new Set(["host", "expect", "x-coppice-token"]);

/** The headers for the provider: the client's, in their order, byte for byte. */
export function requestHeaders(raw: RawHeaders): string[] {
  return dropHeaders(raw, (name) => OF_THE_PROXY.has(name));
}

/** The headers for the client. */
export function answerHeaders(raw: RawHeaders): string[] {
  return dropHeaders(raw, () => false);
}

/** The same headers for a body of another length that is not compressed. */
export function headersForBody(headers: RawHeaders, bytes: number): string[] {
  const kept = dropHeaders(headers, (name) => name === "content-encoding" || name === "content-length");
  return [...kept, "content-length", String(bytes)];
}

export function findHeader(raw: RawHeaders, wanted: string): string | undefined {
  for (let i = 0; i + 1 < raw.length; i += 2) if (raw[i]?.toLowerCase() === wanted) return raw[i + 1];
  return undefined;
}

/** Does a header occur more than once? Node keeps only the first `Host`; another program may use the last. */
export function isRepeated(raw: RawHeaders, wanted: string): boolean {
  return raw.filter((name, i) => i % 2 === 0 && name.toLowerCase() === wanted).length > 1;
}

/** Removes these headers, headers about the connection, and those that the sender limits to the connection. */
export function dropHeaders(raw: RawHeaders, isDropped: (name: string) => boolean): string[] {
  const named = new Set(listConnectionNames(raw));
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? "";
    const lower = name.toLowerCase();
    if (OF_A_CONNECTION.has(lower) || named.has(lower) || isDropped(lower)) continue;
    kept.push(name, raw[i + 1] ?? "");
  }
  return kept;
}

function* listConnectionNames(raw: RawHeaders): Generator<string, void> {
  for (let i = 0; i + 1 < raw.length; i += 2)
    if (raw[i]?.toLowerCase() === "connection")
      for (const name of raw[i + 1]?.split(",") ?? []) yield name.trim().toLowerCase();
}
