/** The texts and numbers of an object, by name. Long texts are left out. */
export type Picked = ReadonlyMap<string, string | number>;

/**
 * The objects to pick from a JSON text, by the fields that lead to them. Lists are passed through.
 *
 *   { "content": [{ "type": "tool_use", "id": "a" }] }   ->   content: type, id
 */
export type Wanted = Readonly<Record<string, (picked: Picked) => void>>;

/** A list, or an object on the path to a wanted one. */
interface Frame {
  readonly path: string;
  readonly isList: boolean;
  /** Only for a wanted object. */
  readonly picked: Map<string, string | number> | undefined;
  /** The name of the field whose value comes next. */
  name: string | undefined;
}

/** Names, ids and figures are shorter; longer strings are not kept. */
const LONGEST = 512;
const DEEPEST = 32;

/**
 * Picks objects from JSON that comes in pieces, as it comes. Keeps only its current path, so an answer of any size,
 * on one line or several, needs no memory. Also accepts text that is not JSON, and finds nothing in it.
 */
export class JsonPicker {
  readonly #wanted: ReadonlyMap<string, (picked: Picked) => void>;
  readonly #onTheWay: ReadonlySet<string>;
  readonly #frames: Frame[] = [];
  /** How many brackets are open inside unwanted values. */
  #skipped = 0;
  #inString = false;
  /** The current string with its escapes; `undefined` if it is too long, or not wanted. */
  #raw: string | undefined;
  /** The previous piece ended in an odd number of backslashes. */
  #escapes = false;
  #word = "";
  /** The last value read: it may turn out to be a name. */
  #last: string | number | undefined;

  constructor(wanted: Wanted) {
    this.#wanted = new Map(Object.entries(wanted));
    this.#onTheWay = new Set(Object.keys(wanted).flatMap(listPrefixes));
  }

  push(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#inString) {
        at = this.#readString(text, at);
        continue;
      }
      this.#readSign(text.charAt(at));
      at++;
    }
  }

  /** Ends a text; another may follow. */
  end(): void {
    this.#frames.length = 0;
    this.#skipped = 0;
    this.#inString = false;
    this.#escapes = false;
    this.#raw = undefined;
    this.#word = "";
    this.#last = undefined;
  }

  /** Continues reading a string; returns the position after the read text. */
  #readString(text: string, from: number): number {
    let at = from;
    for (;;) {
      const quote = text.indexOf('"', at);
      const end = quote < 0 ? text.length : quote;
      let before = end;
      while (before > at && text[before - 1] === "\\") before--;
      const isOdd = (end - before + (before === at && this.#escapes ? 1 : 0)) % 2 === 1;
      this.#escapes = quote < 0 && isOdd;
      if (quote >= 0 && isOdd) {
        at = quote + 1;
        continue;
      }
      this.#keep(text, from, end);
      if (quote < 0) return text.length;
      this.#inString = false;
      this.#last = this.#raw === undefined ? undefined : decodeEscapes(this.#raw);
      return quote + 1;
    }
  }

  #keep(text: string, from: number, to: number): void {
    if (this.#raw === undefined) return;
    this.#raw = this.#raw.length + to - from > LONGEST ? undefined : this.#raw + text.slice(from, to);
  }

  #readSign(sign: string): void {
    switch (sign) {
      case '"':
        this.#inString = true;
        this.#raw = this.#skipped === 0 ? "" : undefined;
        return;
      case "{":
      case "[":
        this.#open(sign === "[");
        return;
      case "}":
      case "]":
        this.#settle();
        this.#close();
        return;
      case ",":
        this.#settle();
        return;
      case ":": {
        const frame = this.#skipped === 0 ? this.#frames.at(-1) : undefined;
        if (frame) frame.name = typeof this.#last === "string" ? this.#last : undefined;
        this.#last = undefined;
        return;
      }
      case " ":
      case "\n":
      case "\r":
      case "\t":
        return;
      default:
        if (this.#skipped === 0 && this.#word.length < LONGEST) this.#word += sign;
    }
  }

  #open(isList: boolean): void {
    const outer = this.#frames.at(-1);
    const path = pathInside(outer);
    if (this.#skipped > 0 || this.#frames.length === DEEPEST || path === undefined || !this.#leads(path)) {
      this.#skipped++;
      return;
    }
    const picked = !isList && this.#wanted.has(path) ? new Map<string, string | number>() : undefined;
    this.#frames.push({ path, isList, picked, name: undefined });
    this.#last = undefined;
    this.#word = "";
  }

  #leads(path: string): boolean {
    return this.#onTheWay.has(path);
  }

  /** Completes the last value. */
  #settle(): void {
    if (this.#skipped > 0) return;
    const value = this.#word === "" ? this.#last : toNumber(this.#word);
    const frame = this.#frames.at(-1);
    if (frame?.name !== undefined && value !== undefined) frame.picked?.set(frame.name, value);
    if (frame) frame.name = undefined;
    this.#last = undefined;
    this.#word = "";
  }

  #close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const frame = this.#frames.pop();
    if (frame?.picked) this.#wanted.get(frame.path)?.(frame.picked);
  }
}

/** `undefined` for a value without a name. */
function pathInside(outer: Frame | undefined): string | undefined {
  if (!outer) return "";
  if (outer.isList) return outer.path;
  if (outer.name === undefined) return undefined;
  return outer.path === "" ? outer.name : `${outer.path}.${outer.name}`;
}

/** `a.b`  ->  the outermost, `a`, `a.b` */
function listPrefixes(path: string): readonly string[] {
  const names = path.split(".");
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("."))];
}

function decodeEscapes(raw: string): string | undefined {
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return undefined;
  }
}

function toNumber(word: string): number | undefined {
  const value = Number(word);
  return Number.isFinite(value) ? value : undefined;
}
