import { findFew } from "./find-secrets.ts";
import { maskSpans } from "./redact.ts";

/** Labels show the beginning of a text. A secret that goes on behind this many characters is masked to here. */
const BEGINNING = 2_000;

/**
 * A text that a marker, a list or a reminder shows the beginning of, with its secrets masked. It is asked before the
 * text is shortened: half a token is not known for one.
 *
 *   curl -u ada:hunter22 https://shop.example   ->  curl -u ada:[redacted] https://shop.example
 */
export function maskLabel(text: string): string {
  const start = text.slice(0, BEGINNING);
  const secrets = findFew(start);
  return secrets.length === 0 ? text : maskSpans(start, secrets) + text.slice(BEGINNING);
}
