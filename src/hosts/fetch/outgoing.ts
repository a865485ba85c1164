/** A request that is about to be sent, with a body that can be read. */
export interface Outgoing {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The arguments for `fetch` to send the same request with another body. */
  withBody(body: string): { readonly input: string | URL | Request; readonly init: RequestInit };
}

/** Larger bodies are passed on unchanged. */
const LARGEST_BODY = 64_000_000;

/** `undefined` if there is no text to read: no body, a stream, a form, compressed data, or too much. */
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

/** `undefined` for bytes that are not UTF-8, because they would change. */
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

/** The sender computes the length again. */
function withoutLength({
  "content-length": _,
  ...headers
}: Readonly<Record<string, string>>): Record<string, string> {
  return headers;
}
