import type { Dispatcher } from "undici";
import { redact } from "../../redaction/redact.ts";
import { decodeBody } from "./decode-body.ts";
import { findHeader, type RawHeaders } from "./raw-headers.ts";

/** So much of it is read: some refusals are pages, or never end. */
const MOST_READ = 16_384;
const MOST_SHOWN = 500;

/** Its words may be packed, and grow. */
const MOST_UNPACKED = 8_388_608;

/** What a provider says when it refuses a request, for people to read: without the keys that were sent, should it repeat them. */
export async function readRefusal(
  refusal: Pick<Dispatcher.ResponseData, "headers" | "body">,
  headers: RawHeaders,
  path: string,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of refusal.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_READ) break;
    }
  } catch {
    // What there was will do.
  }
  // Asked for raw: names and values in turn.
  const encoding = findHeader(refusal.headers as unknown as RawHeaders, "content-encoding");
  const bytes = Buffer.concat(chunks);
  const body = encoding === undefined ? bytes.toString() : await decodeBody(bytes, encoding, MOST_UNPACKED);
  if (body === undefined) return "(its words can't be read)";
  const hidden = listSecrets(headers, path).reduce(
    (text, secret) => text.replaceAll(secret, "[redacted]"),
    body,
  );
  // A terminal shows it: nothing in it may move the cursor.
  return redact(hidden)
    .slice(0, MOST_SHOWN)
    .replace(/\p{Cc}+/gu, " ");
}

function listSecrets(headers: RawHeaders, path: string): readonly string[] {
  const parameters = [...new URLSearchParams(path.split("?", 2)[1])];
  for (let i = 0; i + 1 < headers.length; i += 2) parameters.push([headers[i] ?? "", headers[i + 1] ?? ""]);
  return parameters
    .filter(([name]) => /auth|key|token|cookie|secret/i.test(name))
    .flatMap(([, value]) => [value, ...value.split(/[\s;=]+/)])
    .filter((secret) => secret.length >= SHORTEST_SECRET);
}

const SHORTEST_SECRET = 8;
