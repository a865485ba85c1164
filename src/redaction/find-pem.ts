import { mergeSpans, type TextSpan } from "./text-span.ts";

const LABEL = "[A-Z0-9 ]{2,40}";
const BEGINS = `-----BEGIN ${LABEL}-----`;
const ENDS = `-----END ${LABEL}-----`;
/** A line break itself, or escaped as in JSON. */
const LINE_BREAK = String.raw`(?:\\+[nr]|[\r\n])+`;

/** A block's first line, its last, or a quote: no block extends from one string into another. */
const MARK = new RegExp(`(${BEGINS})|(${ENDS})|["'\`]`, "g");

/** A block without its end, for example if only part of a file was read. */
const CUT_OFF = new RegExp(
  `${BEGINS}(?:${LINE_BREAK}[A-Za-z0-9+/=]{16,})*(?:${LINE_BREAK}[A-Za-z0-9+/=]{1,15}(?=$|["'\`]))?`,
  "g",
);

const LONGEST_BLOCK = 10_000;

/** Keys and certificates in PEM, from their first line to their last. */
export function findPem(text: string): readonly TextSpan[] {
  if (!text.includes("-----BEGIN ") && !text.includes("-----END ")) return [];
  const found: TextSpan[] = [];
  /** Starts without an end so far; an end belongs to the first one that is near enough. */
  let open: TextSpan[] = [];
  for (const { 0: mark, 1: begins, 2: ends, index } of text.matchAll(MARK)) {
    const to = index + mark.length;
    if (begins !== undefined) {
      open.push({ from: index, to });
      continue;
    }
    const first = ends && open.find((each) => index - each.to <= LONGEST_BLOCK);
    if (first && first.to < index) found.push({ from: first.from, to });
    else if (ends) found.push({ from: findStart(text, index, found.at(-1)?.to ?? 0), to });
    open = [];
  }
  for (const { 0: block, index } of text.matchAll(CUT_OFF))
    found.push({ from: index, to: index + block.length });
  return mergeSpans(found);
}

/** The start of the block that ends here, and whose first line is not in the text. */
function findStart(text: string, end: number, least: number): number {
  const first = Math.max(least, end - LONGEST_BLOCK);
  let start = end;
  while (start > first && BODY.test(text.charAt(start - 1))) start--;
  // Words before it are not part of it, nor is the letter of an escaped line break.
  while (start < end && /[\s\\]/.test(text.charAt(start))) start += text.charAt(start) === "\\" ? 2 : 1;
  return Math.min(start, end);
}

/** Characters of base64 lines and of the breaks between them. */
const BODY = /[A-Za-z0-9+/=\r\n\\]/;
