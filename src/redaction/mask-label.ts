import { findFew } from "./find-secrets.ts";
import { maskSpans } from "./redact.ts";

/** Labels show the beginning of a text. A secret that continues after this many characters is masked up to here. */
const BEGINNING = 2_000;

/**
 * A text whose beginning a marker, a list or a reminder shows, with its secrets masked. Call it before the text is
 * shortened: half a token is not recognised.
 *
 *   curl -u ada:hunter22 https://shop.example   ->  curl -u ada:[redacted] https://shop.example
 */
export function maskLabel(text: string): string {
  const start = text.slice(0, BEGINNING);
  const secrets = findFew(start);
  return secrets.length === 0 ? text : maskSpans(start, secrets) + text.slice(BEGINNING);
}
