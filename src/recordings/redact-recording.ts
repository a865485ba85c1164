import { applySplices, type Splice } from "../basics/splices.ts";
import { findSecrets } from "../redaction/find-secrets.ts";
import { hidesField, REDACTED, redact, type TellSecret } from "../redaction/redact.ts";
import { isSecretField } from "../redaction/secret-names.ts";
import { readDocument } from "./document.ts";
import { findEnd, isName } from "./scan-strings.ts";

export interface RedactedText {
  readonly text: string;
  /** The masked secrets, except addresses and folders. */
  readonly secrets: string[];
}

/**
 * The text of a recorded session's file with all secrets masked, so that nothing made from it can contain one. It
 * stays a session of its kind: only strings change. Each string is masked by its meaning, and by the name of its
 * field.
 *
 *   {"env":{"token":"a1b2c3d4"}}            ->  {"env":{"token":"[redacted]"}}
 *   {"arguments":"{\"password\":\"a b\"}"}  ->  {"arguments":"{\"password\":\"[redacted]\"}"}
 */
export function redactRecording(text: string): RedactedText {
  const secrets: string[] = [];
  const masking = createMasking((secret) => secrets.push(secret));
  if (readDocument(text).ok) return { text: redactJson(text, masking, 0), secrets };
  const lines = text.split("\n").map((line) => {
    const shown = redactJson(line, masking, 0);
    // A line that is cut off or not JSON may contain secrets outside its strings.
    return readDocument(line).ok ? shown : masking.mask(shown);
  });
  return { text: lines.join("\n"), secrets };
}

interface Masking {
  readonly tell: TellSecret;
  readonly mask: (text: string) => string;
}

/** Most strings of a session are short, and repeat often. */
function createMasking(tell: TellSecret): Masking {
  const known = new Map<string, string>();
  const mask = (text: string): string => {
    if (text.length > SHORT) return redact(text, tell);
    const before = known.get(text);
    if (before !== undefined) return before;
    const shown = redact(text, tell);
    if (known.size < MOST_KNOWN) known.set(text, shown);
    return shown;
  };
  return { tell, mask };
}

const SHORT = 80;
const MOST_KNOWN = 20_000;

/** JSON in strings is parsed to this depth. */
const DEEPEST = 4;
/** Characters of the preceding words in a list, such as a command, that are examined together with a word. */
const WORDS_BEFORE = 400;

/** An open list or object, and the last value in it. */
interface Open {
  readonly isList: boolean;
  /** The name of its own field. */
  readonly under: string;
  /** In an object, the name before the value; in a list, the texts so far. */
  last: string;
  /** For `{"name": "DB_PASSWORD", "value": …}`: the name is that of a secret. */
  isNamed: boolean;
}

function redactJson(text: string, masking: Masking, depth: number): string {
  const splices: Splice[] = [];
  const open: Open[] = [];
  const nameOf = (at: Open | undefined): string => (at?.isList ? at.under : (at?.last ?? ""));
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    const inside = open.at(-1);
    if (sign === "[" || sign === "{") {
      const under = open.length < MOST_OPEN ? nameOf(inside) : "";
      open.push({ isList: sign === "[", under, last: "", isNamed: isCookies(under) });
    } else if (sign === "]" || sign === "}") open.pop();
    if (sign !== '"') continue;
    const { to, isClosed } = findEnd(text, at);
    const value = isClosed ? readString(text.slice(at, to)) : undefined;
    if (value !== undefined && isName(text, to)) {
      if (inside) inside.last = value;
      replace(at, to, value, masking.mask(value));
    } else if (value !== undefined) {
      replace(at, to, value, redactString(value, nameOf(inside), inside, masking, depth));
      note(inside, value);
    }
    at = to - 1;
  }
  return applySplices(text, splices);

  function replace(from: number, to: number, value: string, shown: string): void {
    if (shown !== value) splices.push({ from, to, text: JSON.stringify(shown) });
  }
}

/** Names deeper than this are ignored: each costs time, and texts may nest without end. */
const MOST_OPEN = 1000;

function redactString(
  value: string,
  name: string,
  inside: Open | undefined,
  masking: Masking,
  depth: number,
): string {
  if (hidesField(name, value) || (inside?.isNamed && name.toLowerCase() === "value" && value.length > 3)) {
    masking.tell(value);
    return REDACTED;
  }
  if (inside?.isList && isFlag(inside.last)) return redactWord(value, inside.last, masking);
  if (depth < DEEPEST && /^\s*[[{]/.test(value) && readDocument(value).ok)
    return redactJson(value, masking, depth + 1);
  return masking.mask(value);
}

/** A word of a command that is a list: `["curl", "-u", "ada:hunter22"]`. */
function redactWord(value: string, before: string, { tell, mask }: Masking): string {
  const line = `${before} ${value}`;
  const start = before.length + 1;
  const spans = findSecrets(line).filter(({ to }) => to > start);
  for (const { from, to } of spans) tell(line.slice(Math.max(from, start), to));
  const shown = spans.map(({ from, to }) => ({
    from: Math.max(from - start, 0),
    to: to - start,
    text: REDACTED,
  }));
  return mask(applySplices(value, shown));
}

function isFlag(words: string): boolean {
  return words.startsWith("-", words.lastIndexOf(" ") + 1);
}

function note(inside: Open | undefined, value: string): void {
  if (!inside) return;
  if (inside.isList) inside.last = `${inside.last} ${value}`.trimStart().slice(-WORDS_BEFORE);
  else if (/^(?:name|key)$/i.test(inside.last)) inside.isNamed ||= isSecretField(value);
}

function isCookies(name: string): boolean {
  return /cookies?$/i.test(name);
}

function readString(raw: string): string | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
