const BEGINS = "-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
const ENDS = "-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
/** As it stands in a text, or written out in JSON. */
const LINE_BREAK = String.raw`(?:\\+[nr]|[\r\n])+`;

/** A key's first line, its last, or what can't stand inside one: a beginning in one string and an end in another are no key. */
const MARK = new RegExp(`(${BEGINS})|(${ENDS})|["'\`]`, "g");

/** Cut off, as at the end of a page of a file. */
const CUT_OFF = new RegExp(`${BEGINS}(?:${LINE_BREAK}[A-Za-z0-9+/=]{16,})*`, "g");

const LONGEST_KEY = 10_000;

/** The text with `instead` for every private key. */
export function redactKeys(text: string, instead: string): string {
  if (!text.includes("-----BEGIN ")) return text;
  let shown = "";
  let copied = 0;
  /** Beginnings without an end so far; an end belongs to the first that is near enough. */
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
