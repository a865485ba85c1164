/** The span of a string value's literal in a JSON text, quotes included. */
export interface StringPlace {
  readonly from: number;
  readonly to: number;
  /** The number of its record: a line, or in a document, an element of an outermost list. */
  readonly record: number;
}

/**
 * Every string value of a JSON text, in order, without field names. Looks only at quotes and brackets, so it also
 * reads broken lines, as far as possible.
 *
 *   {"a":"x","b":["y"]}   ->   "x" "y"
 *
 * `layout` says where a record ends: at a line's end, or after an element of an outermost list.
 */
export function scanStrings(text: string, layout: "lines" | "document"): readonly StringPlace[] {
  const places: StringPlace[] = [];
  const open: string[] = [];
  let lists = 0;
  let record = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const { to, isClosed } = findEnd(text, at);
        if (isClosed && !isName(text, to)) places.push({ from: at, to, record });
        at = to - 1;
        break;
      }
      case "[":
        if (layout === "document" && lists === 0) record++;
        open.push("[");
        lists++;
        break;
      case "{":
        open.push("{");
        break;
      case "]":
      case "}":
        if (open.pop() === "[") lists--;
        if (layout === "document" && lists === 0) record++;
        break;
      case ",":
        if (layout === "document" && lists === 1 && open.at(-1) === "[") record++;
        break;
      case "\n":
        if (layout === "lines") {
          open.length = 0;
          lists = 0;
          record++;
        }
    }
  }
  return places;
}

/** The position after the closing quote. A literal without one ends at the line's end, where it was cut off. */
export function findEnd(text: string, start: number): { readonly to: number; readonly isClosed: boolean } {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return { to: at + 1, isClosed: true };
    if (text[at] === "\n") return { to: at, isClosed: false };
    if (text[at] === "\\" && text[at + 1] !== "\n") at++;
  }
  return { to: text.length, isClosed: false };
}

export function isName(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at++;
  return text[at] === ":";
}
