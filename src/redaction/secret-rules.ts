import { isPlaceholder, isSecretFlag, SECRET_NAME } from "./secret-names.ts";
import { START, TOKEN, WEB_TOKEN } from "./token-shapes.ts";

/** A rule finds a secret after a text that identifies it. The first group is that text; the rest is the secret. */
export interface SecretRule {
  readonly pattern: RegExp;
  /** For matches that are ambiguous. Returns how much of the value is a secret. */
  readonly accept?: (before: string, value: string, behind: string) => number;
}

const QUOTE = String.raw`\\*["']`;
/** In quotes, which an escaped quote does not end; between escaped quotes; or up to a blank. */
const VALUE = String.raw`(?:"(?:\\.|[^"\\\r\n]){4,}|'(?:\\.|[^'"\\\r\n]){4,}|\\+["'][^"'\\\r\n]{4,}|[^\s"'${"`"}\\]{4,})`;
const QUOTED = String.raw`(?:"(?:\\.|[^"\\\r\n]){6,}|'(?:\\.|[^'"\\\r\n]){6,}|\\+["'][^"'\\\r\n]{6,})`;
const IS = String.raw`\s{0,4}(?:=>|:=|[:=])\s{0,4}`;

/** Secrets that are recognised by their own shape. */
export const SHAPE_RULES: readonly SecretRule[] = [
  { pattern: TOKEN },
  { pattern: WEB_TOKEN, accept: (_, value) => (value.includes(".") ? value.length : 0) },
];

export const SECRET_RULES: readonly SecretRule[] = [
  ...SHAPE_RULES,
  // Authorization: Basic dXNlcjpwYXNz
  {
    pattern: new RegExp(
      String.raw`((?:authorization|auth)(?:${QUOTE})?${IS}(?:${QUOTE})?(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)(?: |%20)+)[^\r\n"'${"`"}\\]{6,}`,
      "gi",
    ),
  },
  {
    pattern: new RegExp(
      `(?=[BbTt][aeo])${START}((?:[Bb]earer|[Bb]asic|[Tt]oken)(?: |%20))(?=\\w*(?:\\d|[a-z][A-Z]))[\\w.~+/-]{12,}=*`,
      "g",
    ),
  },
  // Cookie: sid=1a2b; theme=dark
  {
    pattern: new RegExp(
      String.raw`(cookie2?(?:${QUOTE})?\s{0,4}:\s{0,4}(?:${QUOTE})?|--cookie[ =](?:${QUOTE})?)(?=[\w.%$-]{1,80}=)[^\r\n"'${"`"}\\]{4,}`,
      "gi",
    ),
  },
  // https://user:password@host, https://token@host
  { pattern: /(:\/\/[\w.+%~-]*:)(?!\[redacted)[^\s/@"'`\\<>[\]]+(?=@[\w.[-])/g },
  { pattern: /(:\/\/)(?=[\w-]*\d)[\w-]{20,}(?=@[\w.-])/g },
  // ?sig=…&X-Amz-Signature=…
  {
    pattern:
      /([?&;](?:sig|signature|key|code|auth|x-(?:amz|goog)-(?:signature|credential|security-token))=)[\w%.~+/-]{8,}=*/gi,
  },
  // FOO_TOKEN=…, as in .env
  {
    pattern: new RegExp(
      `((?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|_KEY|_PASS|_PWD|_AUTH)(?:_[A-Z0-9_]{1,20})? ?=)${VALUE}`,
      "g",
    ),
  },
  // "password": "…"
  { pattern: new RegExp(`(${SECRET_NAME}(?:${QUOTE})?\\]?${IS})${QUOTED}`, "gi") },
  // api_key = 9f8e7d6c: only values that do not look like a word of prose or code
  {
    pattern: new RegExp(
      `(${SECRET_NAME}\\s{0,2}[:=]\\s{0,2})(?=[^\\s"'\`,;(){}<>\\\\]{0,64}\\d)[^\\s"'\`,;&(){}<>\\\\[\\]]{6,}`,
      "gi",
    ),
    accept: (_, value, behind) => beforeCall(value, behind),
  },
  // password: correct-horse, alone on its line, as in YAML
  {
    pattern: new RegExp(
      `(?<=^|\\n|\\\\n)([ \\t-]{0,40}[\\w.-]{0,40}${SECRET_NAME}[ \\t]{0,2}[:=][ \\t]{0,4})[^\\s"'\`,;(){}<>\\\\[\\]]{8,}(?=[ \\t]{0,4}(?:$|[\\r\\n\\\\]))`,
      "gi",
    ),
  },
  // - name: DB_PASSWORD, and value: … below it, as in containers' settings
  {
    pattern: new RegExp(
      String.raw`((?:name|key)(?:${QUOTE})?:\s{0,4}(?:${QUOTE})?\w{0,60}(?:TOKEN|SECRET|PASSWORD|_KEY|_PASS)(?:${QUOTE})?,?(?:\s|\\n){1,40}(?:${QUOTE})?value(?:${QUOTE})?:\s{0,4})${VALUE}`,
      "g",
    ),
  },
  // --password …
  {
    pattern: new RegExp(String.raw`(?<![\w-])(--[A-Za-z][\w-]{0,60}(?:[ \t]{1,4}|=))${VALUE}`, "g"),
    accept: (before, value) =>
      isSecretFlag(before.slice(0, -1).trimEnd()) && !value.startsWith("-") ? value.length : 0,
  },
];

/** A value followed by `(` or `[` is code: only the text before the called name counts. */
function beforeCall(value: string, behind: string): number {
  if (behind !== "(" && behind !== "[") return value.length;
  let end = value.length - 1;
  while (end >= SHORTEST_SECRET && /[.\w]/.test(value.charAt(end))) end--;
  return end < SHORTEST_SECRET ? 0 : end;
}

const SHORTEST_SECRET = 8;

/** The secrets of a rule in this text: their places, without the opening quote. */
export function* applyRule(
  { pattern, accept }: SecretRule,
  text: string,
): Iterable<readonly [number, number]> {
  for (const { 0: found, 1: before = "", index } of text.matchAll(pattern)) {
    const value = found.slice(before.length);
    const bare = value.replace(/^\\*["']/, "");
    if (isPlaceholder(bare)) continue;
    const from = index + found.length - bare.length;
    const taken = accept ? accept(before, bare, text.charAt(index + found.length)) : bare.length;
    if (taken > 0) yield [from, from + taken];
  }
}
