import { REDACTED } from "./redact.ts";
import { mergeSpans } from "./text-span.ts";

/** This many consecutive characters of a secret are a trace of it. */
const TRACE = 8;

/**
 * Masks the remains of known secrets in texts that were made before masking, such as the markers in a ledger.
 *
 *   hunter22secret, "[also names DB_PASSWORD, hunter22sec]"   ->  "[also names DB_PASSWORD, [redacted]]"
 */
export function createTraceMask(secrets: readonly string[]): (text: string) => string {
  const traces = new Set<string>();
  for (const secret of secrets)
    for (let at = 0; at + TRACE <= secret.length; at++) traces.add(secret.slice(at, at + TRACE));
  if (traces.size === 0) return (text) => text;
  return (text) => {
    const found = [];
    for (let at = 0; at + TRACE <= text.length; at++)
      if (traces.has(text.slice(at, at + TRACE))) found.push({ from: at, to: at + TRACE });
    let shown = "";
    let copied = 0;
    for (const { from, to } of mergeSpans(found)) {
      shown += text.slice(copied, from) + REDACTED;
      copied = to;
    }
    return shown + text.slice(copied);
  };
}
