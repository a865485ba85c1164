/**
 * The text without what nobody should share: keys and tokens of the usual forms, private keys, passwords in urls and
 * assignments, e-mail addresses, and whose home folder a path is in.
 *
 *   Authorization: Bearer eyJhbGciOi…   ->  Authorization: Bearer [redacted]
 *   export API_KEY=9f8e7d6c5b4a         ->  export API_KEY=[redacted]
 *   /home/ada/shop/src/cart.ts          ->  ~/shop/src/cart.ts
 *
 * It works on plain text and on JSON, also JSON inside JSON: what parsed before parses afterwards. Redacting twice
 * changes nothing.
 */
export function redact(text: string): string {
  return RULES.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text);
}

/** Every string in a value, keys included. */
export function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), redactValue(each)]));
}

const REDACTED = "[redacted]";

type Rule = readonly [pattern: RegExp, instead: string];

/** A word begins here: not inside another, and not at the letter of an escape such as `\n`, but behind it. */
const START = String.raw`(?<=^|[^\w\\]|\\[bfnrt])`;

/** Tokens that tell by their first letters what they are. */
const TOKENS: readonly string[] = [
  String.raw`sk-(?:ant-|proj-|or-|svcacct-)?[\w-]{20,}`,
  String.raw`(?:sk|rk|pk)_(?:live|test)_\w{16,}`,
  String.raw`gh[oprsu]_\w{30,}`,
  String.raw`github_pat_\w{30,}`,
  String.raw`gl(?:pat|ptt|rt|dt|cbt)-[\w-]{16,}`,
  String.raw`xox[abeoprs]-[\w-]{10,}`,
  String.raw`xapp-[\w-]{10,}`,
  "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
  String.raw`AIza[\w-]{35}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{20,}`,
  String.raw`npm_\w{30,}`,
  String.raw`pypi-[\w-]{40,}`,
  String.raw`hf_\w{30,}`,
  String.raw`gsk_\w{30,}`,
  String.raw`xai-\w{30,}`,
  String.raw`r8_\w{30,}`,
  String.raw`do[opr]_v1_\w{30,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`shp(?:at|ca|pa|ss)_\w{20,}`,
  String.raw`AGE-SECRET-KEY-1\w{20,}`,
  String.raw`eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?`,
];

const KEY_BEGINS = "-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
const KEY_ENDS = "-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
/** As it stands in a text, or written out in JSON. */
const LINE_BREAK = String.raw`(?:\\+[nr]|[\r\n])+`;

const SECRET_NAME =
  "(?:api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|secret(?:[_-]?key)?|(?:access|auth|refresh|bearer|session|api|bot)[_-]?token|passwo?r?d|passwd|passphrase)";
const QUOTE = String.raw`\\*["']`;
/** What only names a secret is none: a variable, a placeholder, what was redacted already. */
const NO_SECRET = String.raw`(?!\[redacted|[$%<{*]|process\.|os\.|env\b|import\.)`;

/** A user's folder, but not one that belongs to all. */
const USER = String.raw`(?!Shared\b|Public\b|Default\b)[\w.@-]*[\w-]`;
const PATH_START = String.raw`(?<=^|[^\w.~/\\-]|\\[bfnrt]|:\/\/)`;

const RULES: readonly Rule[] = [
  // no quotes: a beginning in one string and an end in another are no key
  [new RegExp(`${KEY_BEGINS}[^"'\`]{1,10000}?${KEY_ENDS}`, "g"), REDACTED],
  // cut off, as at the end of a page of a file
  [new RegExp(`${KEY_BEGINS}(?:${LINE_BREAK}[A-Za-z0-9+/=]{16,})*`, "g"), REDACTED],
  [new RegExp(`${START}(?:${TOKENS.join("|")})`, "g"), REDACTED],
  [
    new RegExp(
      `${START}((?:[Bb]earer|[Bb]asic|[Tt]oken)(?: |%20))${NO_SECRET}(?=\\w*(?:\\d|[a-z][A-Z]))[\\w.~+/-]{12,}=*`,
      "g",
    ),
    `$1${REDACTED}`,
  ],
  [/(?<=:\/\/[\w.+-]{0,64}):(?!\[redacted)[^\s:/@"'`\\<>[\]]{1,128}(?=@[\w.-])/g, `:${REDACTED}`],
  // quoted: anything may stand there
  [
    new RegExp(
      `(${SECRET_NAME}(?:${QUOTE})?\\]?\\s{0,4}(?:=>|:=|[:=])\\s{0,4}${QUOTE})${NO_SECRET}[^\\s"'\`\\\\]{6,}(?=\\\\*["'])`,
      "gi",
    ),
    `$1${REDACTED}`,
  ],
  // not quoted: only what no word of prose or code looks like
  [
    new RegExp(
      `(${SECRET_NAME}\\s{0,2}[:=]\\s{0,2})${NO_SECRET}(?=[^\\s"'\`,;(){}<>\\\\]{0,64}\\d)[^\\s"'\`,;&(){}<>\\\\[\\]]{8,}(?![(.[\\w])`,
      "gi",
    ),
    `$1${REDACTED}`,
  ],
  [
    /(?<=^|[^\w.+\\-]|\\[bfnrt])(?!git@|noreply@)[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![\w.@-]*[\w@-])/g,
    "[e-mail]",
  ],
  [new RegExp(`${PATH_START}(?:/var)?/home/${USER}`, "g"), "~"],
  [new RegExp(`${PATH_START}(?:/mnt)?(?:/[a-z])?/Users/${USER}`, "g"), "~"],
  [new RegExp(`${START}[A-Za-z]:(\\\\{1,8}|/)Users\\1${USER}`, "g"), "~"],
  [new RegExp(`${PATH_START}/root(?![\\w.-])`, "g"), "~"],
  // folders that agents name after a path
  [/(?<=\/)-(?:home|Users)-[A-Za-z0-9]+/g, "-~"],
];
