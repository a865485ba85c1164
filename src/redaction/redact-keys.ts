const BEGINS = "-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
const ENDS = "-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
/** A line break itself, or escaped as in JSON. */
const LINE_BREAK = String.raw`(?:\\+[nr]|[\r\n])+`;

/** A key's first line, its last, or a quote: no key goes on from one string into another. */
const MARK = new RegExp(`(${BEGINS})|(${ENDS})|["'\`]`, "g");

/** A key without its end, as when only part of a file was read. */
const CUT_OFF = new RegExp(`${BEGINS}(?:${LINE_BREAK}[A-Za-z0-9+/=]{16,})*`, "g");

const LONGEST_KEY = 10_000;

/** The text with `instead` for every private key. */
export function redactKeys(text: string, instead: string): string {
  if (!text.includes("-----BEGIN ")) return text;
  let shown = "";
  let copied = 0;
  /** Beginnings without an end so far; an end belongs to the first one that is near enough. */
  let open: { readonly from: number; readonly to: number }[] = [];
  for (const { 0: mark, 1: begins, 2: ends, index } of text.matchAll(MARK)) {
    const to = index + mark.length;
    if (begins !== undefined) {
      open.push({ from: index, to });
      continue;
    }
    const first = ends && open.find((each) => index - each.to <= LONGEST_KEY);
    if (first && first.to < index) {
      shown += text.slice(copied, first.from) + instead;
      copied = to;
    }
    open = [];
  }
  return (shown + text.slice(copied)).replace(CUT_OFF, instead);
}
