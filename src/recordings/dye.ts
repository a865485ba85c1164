import { isRecord } from "../basics/json.ts";
import { scanStrings } from "./scan-strings.ts";

/** A string of a file that may be worth a cut. */
export interface Literal {
  /** The span of its literal, quotes included: in the file, or in the value of `holder`. */
  readonly from: number;
  readonly to: number;
  readonly value: string;
  readonly record: number;
  /** The string that contains it, if that string is JSON itself: `"arguments": "{\\"path\\": …}"`. */
  readonly holder?: Literal;
}

export interface Dyed {
  readonly text: string;
  /** The marks in the text are indices into this list. */
  readonly literals: readonly Literal[];
}

/** The span of a text that one whole literal became. */
export interface LiteralSpan {
  readonly literal: Literal;
  readonly from: number;
  readonly to: number;
}

/**
 * Shorter strings are not worth a cut. Strings without blanks are not marked either: ids, which readers compare,
 * look like that.
 */
const shortest = 8;
const bits = 24;
/** JSON in strings is parsed to this depth; deeper JSON counts as plain text. */
const deepest = 3;
/** In JSON inside a string, the mark's characters are escaped as often as that JSON is. */
const end = "(\\r|\\\\{1,7}r)";
const mark: RegExp = new RegExp(`${end}((?:[ \\t]|\\\\{1,7}t){${bits}})${end}`, "g");

/**
 * Marks the strings of a file, to see where each one ends up. The readers of recordings are pure, so the marked
 * file gives the same messages, and the marks in a text show which strings of the file it is made of: through
 * joins, rendering and JSON inside JSON, and without any code for it in the readers.
 *
 *   {"cmd":"ls","out":"a.ts …"}   ->   {"cmd":"ls","out":"⟨1⟩a.ts …⟨1⟩"}   ->   "$ ls\n⟨1⟩a.ts …⟨1⟩"
 *
 * A mark is a sequence of blanks that nobody writes, so JSON stays valid. See `findLiterals`.
 */
export function dye(text: string, layout: "lines" | "document"): Dyed {
  const literals: Literal[] = [];
  return { text: dyeStrings(text, layout, literals, undefined), literals };
}

/** The literals that a dyed text is made of, outermost first; `undefined` if it is not `plain` plus marks. */
export function findLiterals(
  dyed: string,
  plain: string,
  literals: readonly Literal[],
): readonly LiteralSpan[] | undefined {
  const spans: LiteralSpan[] = [];
  const starts = new Map<number, number>();
  let length = 0;
  let read = 0;
  for (const match of dyed.matchAll(mark)) {
    const [whole, first = "", digits = "", last = ""] = match;
    // Backslashes before the mark may belong to the text; those after its digits all belong to the mark.
    const piece = dyed.slice(read, match.index + Math.max(0, first.length - last.length));
    if (!plain.startsWith(piece, length)) return undefined;
    length += piece.length;
    read = match.index + whole.length;
    const number = readNumber(digits);
    const literal = literals[number];
    const from = starts.get(number);
    if (from === undefined) starts.set(number, length);
    else if (starts.delete(number) && literal && length - from === literal.value.length)
      spans.push({ literal, from, to: length });
  }
  const isSame = plain.length === length + dyed.length - read && plain.endsWith(dyed.slice(read));
  return isSame ? spans.sort((a, b) => a.from - b.from || b.to - a.to) : undefined;
}

function dyeStrings(
  text: string,
  layout: "lines" | "document",
  literals: Literal[],
  holder: Literal | undefined,
): string {
  let dyed = "";
  let copied = 0;
  for (const { from, to, record } of scanStrings(text, layout)) {
    const raw = text.slice(from, to);
    const value = to - from < shortest ? undefined : readLiteral(raw);
    if (value === undefined || value.length < shortest || !/\s|\\n/.test(value)) continue;
    const literal: Literal = { from, to, value, record, ...(holder && { holder }) };
    const around = writeNumber(literals.push(literal) - 1);
    dyed += text.slice(copied, from);
    if (countHolders(literal) < deepest && holdsJson(value)) {
      dyed += JSON.stringify(around + dyeStrings(value, "document", literals, literal) + around);
    } else {
      const escaped = JSON.stringify(around).slice(1, -1);
      dyed += `"${escaped}${raw.slice(1, -1)}${escaped}"`;
    }
    copied = to;
  }
  return dyed + text.slice(copied);
}

function readLiteral(raw: string): string | undefined {
  const value = parse(raw);
  return typeof value === "string" ? value : undefined;
}

function countHolders({ holder }: Literal): number {
  return holder ? countHolders(holder) + 1 : 0;
}

function holdsJson(value: string): boolean {
  const parsed = /^\s*[[{]/.test(value) ? parse(value) : undefined;
  return isRecord(parsed) || Array.isArray(parsed);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeNumber(number: number): string {
  const digits = number.toString(2).padStart(bits, "0");
  return `\r${digits.replaceAll("0", " ").replaceAll("1", "\t")}\r`;
}

function readNumber(blanks: string): number {
  return Number.parseInt(blanks.replaceAll(" ", "0").replaceAll(/\t|\\{1,7}t/g, "1"), 2);
}
