/**
 * The literals of a text: what names one thing and is not a word of the language. Each once.
 *
 *   "fix applyRate in src/pricing.ts, see \"late fee\" and TS2345"
 *   ->  applyRate, src/pricing.ts, pricing.ts, late fee, TS2345
 */
export function listLiterals(text: string): ReadonlySet<string> {
  const literals = new Set<string>();
  for (const [candidate] of text.matchAll(CANDIDATE)) addLiteral(literals, candidate);
  for (const [, quoted = ""] of text.matchAll(QUOTED)) if (quoted.includes(" ")) literals.add(quoted.trim());
  return literals;
}

/** Runs of what identifiers, paths and numbers are made of. */
const CANDIDATE = /[\p{L}\p{N}_$][\p{L}\p{N}_$./@-]*/gu;

/** Something between quotes or backticks, on one line. */
const QUOTED = /["'`]([^"'`\n]{5,60})["'`]/g;

function addLiteral(literals: Set<string>, candidate: string): void {
  const literal = withoutTrailing(candidate);
  if (isSpecific(literal)) literals.add(literal);
  if (!/[./-]/.test(literal)) return;
  const name = literal.slice(literal.lastIndexOf("/") + 1);
  if (name !== literal && isSpecific(name)) literals.add(name);
  for (const piece of literal.split(/[./-]+/)) if (isSpecific(piece)) literals.add(piece);
}

/** Without the punctuation of the sentence. By hand: an expression would try every run of dashes anew. */
function withoutTrailing(candidate: string): string {
  let end = candidate.length;
  while (end > 0 && "./@-".includes(candidate[end - 1] ?? "")) end--;
  return candidate.slice(0, end);
}

/** Longer ones are data. */
const LONGEST = 200;

const SPECIFIC = /[\p{L}\p{N}][/._][\p{L}\p{N}]|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\d|\d\p{L}/u;

/** `pricing.ts`, `apply_rate`, `applyRate`, `TS2345`, `E_FAIL`; numbers of three digits and more. */
function isSpecific(literal: string): boolean {
  if (literal.length > LONGEST) return false;
  if (/^\d+$/.test(literal)) return literal.length >= 3;
  return literal.length >= 4 && SPECIFIC.test(literal);
}
