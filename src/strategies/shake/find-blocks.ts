import type { Span } from "../../transcript/refs.ts";
import { closes, listLines, readClosing, readOpening } from "../texts/find-fences.ts";
import { ListItems, type PlacedText, skipBlanks } from "../texts/list-items.ts";
import { readTag, type Tag } from "./read-tag.ts";

/**
 * The outermost fenced code blocks and XML elements of a text, in order: from the start of the first line to the
 * end of the last, excluding the line break.
 *
 *   text | ```ts | code | ``` | text         ->  lines 2–4
 *   <doc> | ```ts | code | ``` | </doc>      ->  lines 1–5: the fence belongs to the element
 *   ```xml | <doc> | </doc> | ```            ->  lines 1–4: the element is content
 *   <doc> | ```ts | code | </doc>            ->  lines 1–4: an open fence ends with the element around it
 *   - text | ␣␣```ts | code | ␣␣```          ->  lines 2–4: a fence in a list item
 *   <doc> | text                             ->  nothing: the element has no end
 */
export function findBlocks(text: string): readonly Span[] {
  const marks = listMarks(text);
  const longest = longestClosings(marks);
  const open = new OpenElements();
  const blocks: Span[] = [];
  /** Inside a fence that no line closes. Only the end of an element around it ends it. */
  let inOpenFence = false;
  for (let i = 0; i < marks.length; i++) {
    const { from, to, opening, tag, until } = marks[i] as Mark;
    if (opening !== undefined && !inOpenFence) {
      const end = findClosing(marks, longest, i, opening);
      if (end === undefined && until < text.length) {
        while ((marks[i + 1]?.from ?? until) < until) i++;
        continue;
      }
      if (end === undefined) {
        if (open.isEmpty) break;
        inOpenFence = true;
        continue;
      }
      blocks.push({ from, to: marks[end]?.to ?? to });
      i = end;
    } else if (tag?.type === "opening" && !inOpenFence) {
      open.add(tag.name, from);
    } else if (tag?.type === "closing") {
      const start = open.close(tag.name);
      if (start === undefined) continue;
      while ((blocks.at(-1)?.from ?? -1) > start) blocks.pop();
      blocks.push({ from: start, to });
      inOpenFence = false;
    }
  }
  return blocks;
}

/** A line that may begin or end a block. */
interface Mark extends Span {
  /** The fence that the line opens if none is open, and the fence that it closes. */
  readonly opening: string | undefined;
  readonly closing: string | undefined;
  readonly tag: Tag | undefined;
  /** The column where its text begins. */
  readonly column: number;
  /** For an opening fence: the column where the text of its list item begins, and the offset where the item ends. */
  readonly base: number;
  until: number;
}

const MARK = /[`~<]/;

function listMarks(text: string): readonly Mark[] {
  const marks: Mark[] = [];
  if (!MARK.test(text)) return marks;
  const items = new ListItems();
  /** The fence of the current line, ignoring XML elements. No list begins inside code. */
  let open: Mark | undefined;
  for (const { from, to } of listLines(text)) {
    const { at, column } = skipBlanks(text, from, to, 0);
    if (at === to) continue;
    if (open && column < open.base) {
      open.until = from;
      open = undefined;
    }
    const placed = open ? { start: at, indent: column, opensItem: false } : items.read(text, from, to);
    if (!MARK.test(text[placed.start] ?? "")) continue;
    const line = { from: placed.opensItem ? placed.start : from, to };
    const base = open ? 0 : items.base;
    const mark = readMark(text, placed, { ...line, column, base, until: text.length });
    if (!mark) continue;
    marks.push(mark);
    if (!open) open = mark.opening === undefined ? undefined : mark;
    else if (column - open.base <= 3 && closes(mark.closing, open.opening ?? "")) open = undefined;
  }
  return marks;
}

function readMark(
  text: string,
  { start, indent, opensItem }: PlacedText,
  line: Pick<Mark, "from" | "to" | "column" | "base" | "until">,
): Mark | undefined {
  if (text[start] === "<" && !opensItem) {
    const tag = readTag(text.slice(start, line.to).trim());
    return tag && { ...line, tag, opening: undefined, closing: undefined };
  }
  const opening = indent > 3 ? undefined : readOpening(text, start, line.to)?.fence;
  const closing = opensItem ? undefined : readClosing(text, start, line.to);
  return opening === undefined && closing === undefined
    ? undefined
    : { ...line, opening, closing, tag: undefined };
}

/**
 * By character, for each mark: the length of the longest later closing fence outside of lists. Avoids a search if
 * there is no closing fence.
 */
type Longest = Readonly<Record<string, readonly number[]>>;

function longestClosings(marks: readonly Mark[]): Longest {
  const none = () => marks.map(() => 0);
  const longest: Record<string, number[]> = { "`": none(), "~": none() };
  for (const [char, lengths] of Object.entries(longest)) {
    let most = 0;
    for (let i = marks.length - 1; i >= 0; i--) {
      const { closing, column } = marks[i] as Mark;
      if (closing?.[0] === char && column <= 3) most = Math.max(most, closing.length);
      lengths[i] = most;
    }
  }
  return longest;
}

/** The mark that closes the fence opened at `at`: before the end of its list item, and not indented too far. */
function findClosing(
  marks: readonly Mark[],
  longest: Longest,
  at: number,
  opening: string,
): number | undefined {
  const { base, until } = marks[at] as Mark;
  if (base === 0 && (longest[opening.charAt(0)]?.[at + 1] ?? 0) < opening.length) return undefined;
  for (let end = at + 1; end < marks.length; end++) {
    const { from, column, closing } = marks[end] as Mark;
    if (from >= until) return undefined;
    if (column >= base && column - base <= 3 && closes(closing, opening)) return end;
  }
  return undefined;
}

/** The open elements, the outermost first. When one is closed, open elements inside it are discarded. */
class OpenElements {
  readonly #stack: { readonly name: string; readonly from: number }[] = [];
  /** By name, positions in the stack. */
  readonly #places = new Map<string, number[]>();

  get isEmpty(): boolean {
    return this.#stack.length === 0;
  }

  add(name: string, from: number): void {
    const places = this.#places.get(name);
    if (places) places.push(this.#stack.length);
    else this.#places.set(name, [this.#stack.length]);
    this.#stack.push({ name, from });
  }

  /** Returns where the element that ends here began; `undefined` if none of that name is open. */
  close(name: string): number | undefined {
    const place = this.#places.get(name)?.at(-1);
    if (place === undefined) return undefined;
    const from = this.#stack[place]?.from;
    for (const { name: inner } of this.#stack.splice(place)) this.#places.get(inner)?.pop();
    return from;
  }
}
