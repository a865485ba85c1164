import type { Dispatcher } from "undici";
import { redact } from "../../redaction/redact.ts";
import { decodeBody } from "./decode-body.ts";
import { findHeader, type RawHeaders } from "./raw-headers.ts";

/** The most bytes to read: some refusals are whole pages, or never end. */
const MOST_READ = 16_384;
const MOST_SHOWN = 500;

/** The most bytes after unpacking. */
const MOST_UNPACKED = 8_388_608;

/** The text of a provider's refusal, for people to read. Keys that it repeats are masked. */
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
    // An incomplete text is good enough.
  }
  // With `raw`: names and values in turn.
  const encoding = findHeader(refusal.headers as unknown as RawHeaders, "content-encoding");
  const bytes = Buffer.concat(chunks);
  const body = encoding === undefined ? bytes.toString() : await decodeBody(bytes, encoding, MOST_UNPACKED);
  if (body === undefined) return "(the message can't be read)";
  const hidden = listSecrets(headers, path).reduce(
    (text, secret) => text.replaceAll(secret, "[redacted]"),
    body,
  );
  // A terminal shows it, so it must not contain control characters.
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
