/** A string value in a JSON text: where its literal stands, quotes included. */
export interface StringPlace {
  readonly from: number;
  readonly to: number;
  /** Counts lines, or in one document the elements of its outermost lists: what was written down as one thing. */
  readonly record: number;
}

/**
 * Every string value of a JSON text, in order; names of fields are left out. Looks at quotes and brackets only, so it
 * reads broken lines too, as far as they go.
 *
 *   {"a":"x","b":["y"]}   ->   "x" "y"
 *
 * `layout` says where a record ends: at a line's end, or after an element of an outermost list.
 */
export function scanStrings(text: string, layout: "lines" | "document"): readonly StringPlace[] {
  const places: StringPlace[] = [];
  const open: string[] = [];
  let record = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const to = findEnd(text, at);
        if (to === undefined) break;
        if (!isName(text, to)) places.push({ from: at, to, record });
        at = to - 1;
        break;
      }
      case "[":
        if (layout === "document" && !open.includes("[")) record++;
        open.push("[");
        break;
      case "{":
        open.push("{");
        break;
      case "]":
      case "}":
        open.pop();
        if (layout === "document" && !open.includes("[")) record++;
        break;
      case ",":
        if (layout === "document" && open.indexOf("[") === open.length - 1) record++;
        break;
      case "\n":
        if (layout === "lines") {
          open.length = 0;
          record++;
        }
    }
  }
  return places;
}

/** Behind the closing quote. No literal runs over a line's end: one that would was cut off. */
function findEnd(text: string, start: number): number | undefined {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 || text.slice(start, end).includes("\n") ? undefined : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

function isName(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at++;
  return text[at] === ":";
}
