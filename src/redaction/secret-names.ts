/** The endings of secrets' names, ignoring case. */
export const SECRET_NAME: string = [
  "(?:(?:api|access|secret|private|account|auth|encryption|signing|master|deploy|storage|subscription)[_-]?key",
  "client[_-]key[_-]data|client[_-]certificate[_-]data|certificate[_-]authority[_-]data",
  "secret|token|passw(?:or)?d|passwd|passphrase|(?:[_;-]|user)pwd|credentials?)",
].join("|");

const FIELD = new RegExp(
  `(?:${SECRET_NAME}|^(?:proxy-)?authorization|^(?:set-)?cookie2?|^auth|(?:^|[_-])pass)$`,
  "i",
);
const ENVIRONMENT = /(?:_KEY|APIKEY|_PASS|_AUTH|_DSN)$/;

/** Is the value of a field with this name a secret, as in `{"db_password": "…"}`? */
export function isSecretField(name: string): boolean {
  if (name.length > 100) return false;
  return FIELD.test(name) || ENVIRONMENT.test(name);
}

const FLAG =
  /^--?(?:[\w-]*?(?:passw(?:or)?d|passwd|passphrase|secret|token|api-?key|access-?key|secret-?key|private-?key|credentials?)|(?:[\w-]*?-)?(?:pass|auth|cookie)|[\w-]+-pwd)$/i;

/** Is the word after this word of a command a secret, as in `--password …`? */
export function isSecretFlag(word: string): boolean {
  return word.length <= 80 && FLAG.test(word);
}

/** Not a secret but a name for one, or an ordinary word: a variable, a placeholder, a type. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

const PLACEHOLDER =
  /^(?:\[redacted|\[e-mail|~\/|\$[({]|\$[A-Za-z_]\w*\W*$|%\w{1,60}%|<[^<>]{0,60}>\W*$|\{\{|\{[\w.]{1,60}\}|\*{3}|\.\.\.|…|process\.|os\.|env[.([]|import\.|(?:true|false|null|none|undefined|string|number|boolean|required|optional|include|omit|same-origin)\W*$)/i;
