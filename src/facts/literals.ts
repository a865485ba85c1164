/**
 * The literals of a text: what names one thing and is not a word of the language. Each once.
 *
 *   "fix applyRate in src/pricing.ts, see \"late fee\" and TS2345"
 *   ->  applyRate, src/pricing.ts, pricing.ts, late fee, TS2345
 *
 * @param isWanted leaves out the others: cheaper than to look for them in what comes out
 */
export function listLiterals(
  text: string,
  isWanted: (literal: string) => boolean = () => true,
): ReadonlySet<string> {
  const found: string[] = [];
  const add = (literal: string) => {
    if (isWanted(literal) && isSpecific(literal)) found.push(literal);
  };
  for (const candidate of listCandidates(text)) addLiteral(add, withoutTrailing(candidate));
  for (const [, quoted = ""] of QUOTE.test(text) ? text.matchAll(QUOTED) : []) {
    const literal = quoted.trim();
    if (quoted.includes(" ") && isWanted(literal)) found.push(literal);
  }
  return found.length === 0 ? NONE : new Set(found);
}

/** The longer ones, whole (a path and not its pieces), without numbers; in the order in which they come. */
export function listNames(text: string): ReadonlySet<string> {
  const isName = (name: string) =>
    name.length >= SHORTEST_NAME &&
    name.length <= LONGEST_NAME &&
    !/^[\d.-]+$/.test(name) &&
    isSpecific(name);
  return new Set(listCandidates(text).map(withoutTrailing).filter(isName));
}

const SHORTEST_NAME = 8;
const LONGEST_NAME = 120;

const NONE: ReadonlySet<string> = new Set();

/** Runs of what identifiers, paths and numbers are made of. */
const CANDIDATE = /[\p{L}\p{N}_$][\p{L}\p{N}_$./@-]*/gu;

/** Something between quotes or backticks, on one line. */
const QUOTE = /["'`]/;
const QUOTED = /["'`]([^"'`\n]{5,60})["'`]/g;

const LOWER = 1;
const OTHER = 2;
const CONTINUES = 3;
/** What these are made of below 128. */
const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z0-9_$]/.test(char)) return OTHER;
  return "./@-".includes(char) ? CONTINUES : 0;
});

/**
 * The candidates of which something may be specific: no plain lower-case word is, and nothing short. By hand, as far as
 * a text is ASCII: an expression would take most of the time of a summary.
 */
function listCandidates(text: string): readonly string[] {
  const candidates: string[] = [];
  let start = -1;
  let isPlain = true;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    if (code > 127) return [...text.matchAll(CANDIDATE)].map(([candidate]) => candidate);
    const kind = ASCII[code] ?? 0;
    if (start < 0) {
      if (kind === 0 || kind === CONTINUES) continue;
      start = i;
      isPlain = kind === LOWER;
    } else if (kind === 0) {
      if (!isPlain && i - start >= SHORTEST) candidates.push(text.slice(start, i));
      start = -1;
    } else if (kind !== LOWER) isPlain = false;
  }
  return candidates;
}

function addLiteral(add: (literal: string) => void, literal: string): void {
  add(literal);
  if (!/[./-]/.test(literal)) return;
  const name = literal.slice(literal.lastIndexOf("/") + 1);
  if (name !== literal) add(name);
  for (const piece of literal.split(/[./-]+/)) add(piece);
}

/** Without the punctuation of the sentence. By hand: an expression would try every run of dashes anew. */
function withoutTrailing(candidate: string): string {
  let end = candidate.length;
  while (end > 0 && "./@-".includes(candidate[end - 1] ?? "")) end--;
  return candidate.slice(0, end);
}

const SHORTEST = 3;

/** Longer ones are data. */
const LONGEST = 200;

const SPECIFIC = /[\p{L}\p{N}][/._][\p{L}\p{N}]|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\d|\d\p{L}/u;

/** `pricing.ts`, `apply_rate`, `applyRate`, `TS2345`, `E_FAIL`; numbers of three digits and more. */
function isSpecific(literal: string): boolean {
  if (literal.length > LONGEST) return false;
  if (/^\d+$/.test(literal)) return literal.length >= SHORTEST;
  return literal.length >= 4 && SPECIFIC.test(literal);
}
