/** Where the text of a line begins, and its indentation inside its list item. */
export interface PlacedText {
  /** After blanks and the markers of items that begin in this line; the line's end if it has no text. */
  readonly start: number;
  /** In columns. */
  readonly indent: number;
  /** Does a list item begin in this line? */
  readonly opensItem: boolean;
}

const ITEM_MARKER = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;

/** Characters of the longest marker (`123456789.`) and of the blank that must follow it. */
const LONGEST_MARKER = 11;

/**
 * The list items around a line, by CommonMark's rules: an item's text begins after its marker, and all lines that are
 * indented at least as far belong to the item.
 *
 *   1. first            begins an item, whose text begins in column 3
 *      still first      indented by 0 in it
 *          ```ts        indented by 4 in it: too far for a fence
 *   next                outside of it
 */
export class ListItems {
  /** The columns at which the texts of the open items begin, the outermost first. */
  readonly #bases: number[] = [];

  /** The column at which the text of the innermost item begins. */
  get base(): number {
    return this.#bases.at(-1) ?? 0;
  }

  /** Reads the next line outside of code blocks. */
  read(text: string, from: number, to: number): PlacedText {
    let { at, column } = skipBlanks(text, from, to, 0);
    if (at === to) return { start: to, indent: 0, opensItem: false };
    while (this.base > column) this.#bases.pop();
    let opensItem = false;
    for (;;) {
      const indent = column - this.base;
      const marker = indent > 3 ? 0 : markerAt(text, at, to);
      if (marker === 0) return { start: at, indent, opensItem };
      const behind = column + marker;
      const rest = skipBlanks(text, at + marker, to, behind);
      // If indented code or nothing follows, the item's text begins one blank after the marker.
      const isBare = rest.at === to || rest.column - behind > 4;
      this.#bases.push(isBare ? behind + 1 : rest.column);
      opensItem = true;
      if (rest.at === to) return { start: to, indent: 0, opensItem };
      ({ at, column } = rest);
    }
  }
}

/**
 * The position and column at which the text of a line begins. A tab extends to the next column that is a multiple
 * of four.
 */
export function skipBlanks(
  text: string,
  from: number,
  to: number,
  start: number,
): { readonly at: number; readonly column: number } {
  let at = from;
  let column = start;
  for (; at < to; at++) {
    if (text[at] === "\t") column += 4 - (column % 4);
    else if (text[at] === " ") column++;
    else break;
  }
  return { at, column };
}

/** The length of the list marker that begins here; 0 if there is none. */
function markerAt(text: string, at: number, to: number): number {
  return ITEM_MARKER.exec(text.slice(at, Math.min(to, at + LONGEST_MARKER)))?.[0].length ?? 0;
}
