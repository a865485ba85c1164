import { setOwn } from "../basics/json.ts";
import { applySplices } from "../basics/splices.ts";
import { findSecrets } from "./find-secrets.ts";
import { PERSONAL_RULES } from "./personal-rules.ts";
import { isPlaceholder, isSecretField } from "./secret-names.ts";
import type { TextSpan } from "./text-span.ts";

export const REDACTED = "[redacted]";

/**
 * Masks text that should not be shared: keys and tokens of the usual forms, passwords that the text marks as such,
 * e-mail addresses, and the names of users in paths.
 *
 *   Authorization: Bearer eyJhbGciOi…   ->  Authorization: Bearer [redacted]
 *   export API_KEY=9f8e7d6c5b4a         ->  export API_KEY=[redacted]
 *   /home/ada/shop/src/cart.ts          ->  ~/shop/src/cart.ts
 *
 * Works on plain text and on JSON, including JSON inside JSON: text that parsed before parses afterwards. Redacting
 * twice changes nothing.
 */
export function redact(text: string, tell?: TellSecret): string {
  return PERSONAL_RULES.reduce(
    (shown, [pattern, instead]) => shown.replace(pattern, instead),
    maskSecrets(text, tell),
  );
}

/** Called with each masked secret. */
export type TellSecret = (secret: string) => void;

/** The text with `[redacted]` for each secret. Addresses and folders stay. */
export function maskSecrets(text: string, tell?: TellSecret): string {
  const secrets = findSecrets(text);
  if (secrets.length === 0) return text;
  if (tell) for (const { from, to } of secrets) tell(text.slice(from, to));
  return maskSpans(text, secrets);
}

export function maskSpans(text: string, spans: readonly TextSpan[]): string {
  return applySplices(
    text,
    spans.map(({ from, to }) => ({ from, to, text: REDACTED })),
  );
}

/** Is this field's whole value a secret? */
export function hidesField(name: string, value: string): boolean {
  return value.length >= SHORTEST_FIELD && isSecretField(name) && !isPlaceholder(value);
}

const SHORTEST_FIELD = 4;

/** Every string in a value, keys included, of any depth. */
export function redactValue(value: unknown): unknown {
  const copies = new Map<object, object>();
  const open: object[] = [];
  const copyOf = (item: unknown, name: string): unknown => {
    if (typeof item === "string") return hidesField(name, item) ? REDACTED : redact(item);
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known) return known;
    const copy = Array.isArray(item) ? [] : {};
    copies.set(item, copy);
    open.push(item);
    return copy;
  };
  const root = copyOf(value, "");
  for (let source = open.pop(); source; source = open.pop()) {
    const copy = copies.get(source);
    if (Array.isArray(copy)) for (const item of source as readonly unknown[]) copy.push(copyOf(item, ""));
    else if (copy)
      for (const [key, item] of Object.entries(source)) setOwn(copy, redact(key), copyOf(item, key));
  }
  return root;
}
