import { setOwn } from "../basics/json.ts";
import { redactKeys } from "./redact-keys.ts";

/**
 * The text without what should not be shared: keys and tokens of the usual forms, private keys, passwords in urls and
 * assignments, e-mail addresses, and the names of users in paths.
 *
 *   Authorization: Bearer eyJhbGciOi…   ->  Authorization: Bearer [redacted]
 *   export API_KEY=9f8e7d6c5b4a         ->  export API_KEY=[redacted]
 *   /home/ada/shop/src/cart.ts          ->  ~/shop/src/cart.ts
 *
 * It works on plain text and on JSON, also JSON inside JSON: what parsed before parses afterwards. Redacting twice
 * changes nothing.
 */
export function redact(text: string): string {
  return RULES.reduce(
    (shown, [pattern, instead]) =>
      typeof instead === "string" ? shown.replace(pattern, instead) : shown.replace(pattern, instead),
    redactKeys(text, REDACTED),
  );
}

/** Every string in a value, keys included, of any depth. */
export function redactValue(value: unknown): unknown {
  const copies = new Map<object, object>();
  const open: object[] = [];
  const copyOf = (item: unknown): unknown => {
    if (typeof item === "string") return redact(item);
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known) return known;
    const copy = Array.isArray(item) ? [] : {};
    copies.set(item, copy);
    open.push(item);
    return copy;
  };
  const root = copyOf(value);
  for (let source = open.pop(); source; source = open.pop()) {
    const copy = copies.get(source);
    if (Array.isArray(copy)) for (const item of source as readonly unknown[]) copy.push(copyOf(item));
    else if (copy) for (const [key, item] of Object.entries(source)) setOwn(copy, redact(key), copyOf(item));
  }
  return root;
}

const REDACTED = "[redacted]";

type Rule = readonly [pattern: RegExp, instead: string | ((found: string, ...groups: string[]) => string)];

/** The beginning of a word. The letter of an escape such as `\n` is not part of the word behind it. */
const START = String.raw`(?<=^|[^\w\\]|\\[bfnrt])`;

/** Tokens that are recognised by how they begin. */
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
];

/** A JSON Web Token. A match without dots is not one; it is only skipped, as no token begins inside it. */
const WEB_TOKEN = String.raw`eyJ[\w-]{10,}(\.[\w-]{10,}(?:\.[\w-]*)?)?`;

const SECRET_NAME =
  "(?:api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|secret(?:[_-]?key)?|(?:access|auth|refresh|bearer|session|api|bot)[_-]?token|passwo?r?d|passwd|passphrase)";
const QUOTE = String.raw`\\*["']`;
/** Not a secret but a name for one: a variable, a placeholder, something already redacted. */
const NO_SECRET = String.raw`(?!\[redacted|[$%<{*]|process\.|os\.|env\b|import\.)`;

/** A user's folder, but not a shared one. */
const USER = String.raw`(?!Shared\b|Public\b|Default\b)[\w.@-]*[\w-]`;
const PATH_START = String.raw`(?<=^|[^\w.~/\\-]|\\[bfnrt]|:\/\/)`;

const RULES: readonly Rule[] = [
  [new RegExp(`${START}(?:${TOKENS.join("|")})`, "g"), REDACTED],
  [new RegExp(START + WEB_TOKEN, "g"), (token, rest) => (rest ? REDACTED : token)],
  [
    new RegExp(
      `${START}((?:[Bb]earer|[Bb]asic|[Tt]oken)(?: |%20))${NO_SECRET}(?=\\w*(?:\\d|[a-z][A-Z]))[\\w.~+/-]{12,}=*`,
      "g",
    ),
    `$1${REDACTED}`,
  ],
  [/(:\/\/[\w.+-]*:)(?!\[redacted)[^\s:/@"'`\\<>[\]]+(?=@[\w.-])/g, `$1${REDACTED}`],
  // quoted: the value may be anything
  [
    new RegExp(
      `(${SECRET_NAME}(?:${QUOTE})?\\]?\\s{0,4}(?:=>|:=|[:=])\\s{0,4}${QUOTE})${NO_SECRET}[^\\s"'\`\\\\]{6,}(?=\\\\*["'])`,
      "gi",
    ),
    `$1${REDACTED}`,
  ],
  // not quoted: only a value that does not look like a word of prose or code
  [
    new RegExp(
      `(${SECRET_NAME}\\s{0,2}[:=]\\s{0,2})${NO_SECRET}(?=[^\\s"'\`,;(){}<>\\\\]{0,64}\\d)([^\\s"'\`,;&(){}<>\\\\[\\]]{8,})([([]?)`,
      "gi",
    ),
    redactUnquoted,
  ],
  [
    /(?<=^|[^\w.+\\-]|\\[bfnrt])(?!git@|noreply@)[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?!\.*[\w@-])/g,
    "[e-mail]",
  ],
  [new RegExp(`${PATH_START}(?:/var)?/home/${USER}`, "g"), "~"],
  [new RegExp(`${PATH_START}(?:/mnt)?(?:/[a-z])?/Users/${USER}`, "g"), "~"],
  [new RegExp(`${START}[A-Za-z]:(\\\\{1,8}|/)Users\\1${USER}`, "g"), "~"],
  [new RegExp(`${PATH_START}/root(?![\\w.-])`, "g"), "~"],
  // agents name folders after paths: /home/ada/shop is -home-ada-shop
  [/(?<=\/)-(?:home|Users)-[A-Za-z0-9]+/g, "-~"],
];

/** A value followed by `(` or `[` is code: only what comes before the name of what is called is redacted. */
function redactUnquoted(found: string, name = "", value = "", call = ""): string {
  if (call === "") return name + REDACTED;
  let end = value.length - 1;
  while (end >= SHORTEST_SECRET && /[.\w]/.test(value.charAt(end))) end--;
  return end < SHORTEST_SECRET ? found : name + REDACTED + value.slice(end) + call;
}

const SHORTEST_SECRET = 8;
