/** A request that is about to be sent, with a body that can be read. */
export interface Outgoing {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What to give `fetch` for the same request with another body. */
  withBody(body: string): { readonly input: string | URL | Request; readonly init: RequestInit };
}

/** Larger bodies are passed on as they are. */
const LARGEST_BODY = 64_000_000;

/** `undefined` where there is no text to be read: no body, a stream, a form, something compressed, too much. */
export async function readOutgoing(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Outgoing | undefined> {
  const request = input instanceof Request ? input : undefined;
  const method = (init.method ?? request?.method ?? "GET").toUpperCase();
  if (method !== "POST") return undefined;
  const headers = readHeaders(init.headers ?? request?.headers);
  if (headers["content-encoding"] !== undefined || Number(headers["content-length"]) > LARGEST_BODY)
    return undefined;
  const body = init.body != null ? readText(init.body) : await request?.clone().text();
  if (body === undefined || body === "" || body.length > LARGEST_BODY) return undefined;
  const { pathname, search } = new URL(request?.url ?? String(input));
  return {
    method,
    path: pathname + search,
    headers,
    body,
    withBody(text) {
      if (text === body) return { input, init };
      return {
        input: request
          ? new Request(request, { ...init, headers: withoutLength(headers), body: text })
          : input,
        init: request ? {} : { ...init, headers: withoutLength(headers), body: text },
      };
    },
  };
}

function readText(body: NonNullable<RequestInit["body"]>): string | undefined {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return decode(body);
  return undefined;
}

/** `undefined` for what is no UTF-8: it would not come out as it came in. */
function decode(bytes: Uint8Array | ArrayBuffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readHeaders(headers: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(new Headers(headers ?? {}));
}

/** Whoever sends the body counts it anew. */
function withoutLength({
  "content-length": _,
  ...headers
}: Readonly<Record<string, string>>): Record<string, string> {
  return headers;
}
