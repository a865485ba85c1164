import { findPem } from "./find-pem.ts";
import { findFew } from "./find-secrets.ts";
import type { TextSpan } from "./text-span.ts";

/** Returns whether a marker may name this stretch of a text. */
export type NameCheck = (from: number, to: number) => boolean;

/** Must a file's content never be named? */
export type IsProtectedFile = (path: string) => boolean;

/**
 * Decides which names of a text may be shown when the text itself is cut: none that is part of a secret, and none
 * that a tool showed from a protected file. Only the lines of queried names are examined, each once.
 *
 *   export DB_PASSWORD=hunter22secret   ->  DB_PASSWORD may be named, hunter22secret not
 *   .env:3:REGION=eu-central-1          ->  .env may be named, REGION and eu-central-1 not
 */
export function checkNames(text: string, isProtectedFile: IsProtectedFile): NameCheck {
  const blocks = findPem(text);
  const sections = findSections(text, isProtectedFile);
  let line: Line | undefined;
  return (from, to) => {
    if (overlaps(blocks, from, to) || overlaps(sections, from, to)) return false;
    if (line === undefined || from < line.from || to > line.to)
      line = readLine(text, from, to, isProtectedFile);
    return to <= line.path || (!line.isProtected && !overlaps(line.secrets, from, to));
  };
}

interface Line extends TextSpan {
  readonly secrets: readonly TextSpan[];
  /** The end of the file's name at its beginning. */
  readonly path: number;
  readonly isProtected: boolean;
}

/** For a longer line, this many characters on each side are examined. */
const LONG_LINE = 2_000;

function readLine(text: string, name: number, end: number, isProtectedFile: IsProtectedFile): Line {
  const from = startOfLine(text, name);
  const rest = text.slice(end, end + LONG_LINE);
  const length = rest.indexOf("\n");
  const isWhole = length >= 0 || end + LONG_LINE >= text.length;
  const to = end + (length >= 0 ? length : rest.length);
  const shown = text.slice(from, to);
  // A container's settings have the name of a variable on the line before its value.
  const start = VALUE.test(shown) ? startOfLine(text, Math.max(0, from - 1)) : from;
  const path = /^[^\s:]{1,300}(?=[:-]\d+[:-]|:)/.exec(shown)?.[0] ?? "";
  const secrets = findFew(start === from ? shown : text.slice(start, to));
  return {
    from,
    // Names near the end of the examined stretch are examined again, with the text after them.
    to: isWhole ? to : end + LONG_LINE / 2,
    secrets:
      start === 0 ? secrets : secrets.map((each) => ({ from: each.from + start, to: each.to + start })),
    path: from + path.length,
    isProtected: path !== "" && isProtectedFile(path),
  };
}

function startOfLine(text: string, at: number): number {
  const low = Math.max(0, at - LONG_LINE);
  return low + text.slice(low, at).lastIndexOf("\n") + 1;
}

const VALUE = /^\s{0,40}["']?value["']?:/;

/** The header with which `head`, `tail` and `git diff` begin a file's part. */
const HEADER = /^(?:==> (.{1,300}) <==|diff --git a\/(\S{1,300}) b\/.{1,300})$/gm;

/** The parts of a text that show protected files among others. */
function findSections(text: string, isProtectedFile: IsProtectedFile): readonly TextSpan[] {
  if (!text.includes("==> ") && !text.includes("diff --git ")) return [];
  const sections: TextSpan[] = [];
  let open: number | undefined;
  for (const { 0: header, 1: shown, 2: changed, index } of text.matchAll(HEADER)) {
    if (open !== undefined) sections.push({ from: open, to: index });
    open = isProtectedFile(shown ?? changed ?? "") ? index + header.length : undefined;
  }
  if (open !== undefined) sections.push({ from: open, to: text.length });
  return sections;
}

/** The spans are in order; names are mostly queried in order. */
function overlaps(spans: readonly TextSpan[], from: number, to: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.from < to;
}
