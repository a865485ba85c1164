import type { Span } from "../../edits/edit.ts";
import { closes, listLines, readClosing, readOpening } from "../find-fences.ts";
import { readTag, type Tag } from "./read-tag.ts";

/**
 * The outermost fenced code blocks and XML elements of a text, in order: from the start of the first line to the end of
 * the last, line break not included.
 *
 *   text | ```ts | code | ``` | text         ->  lines 2–4
 *   <doc> | ```ts | code | ``` | </doc>      ->  lines 1–5: the fence belongs to the element
 *   ```xml | <doc> | </doc> | ```            ->  lines 1–4: the element is content
 *   <doc> | ```ts | code | </doc>            ->  lines 1–4: an open fence ends with the element around it
 *   <doc> | text                             ->  nothing; what never ends begins nothing
 */
export function findBlocks(text: string): readonly Span[] {
  const marks = listMarks(text);
  const longest = longestClosings(marks);
  const open = new OpenElements();
  const blocks: Span[] = [];
  /** Inside a fence that no line closes: only the end of an element around it ends it. */
  let inOpenFence = false;
  for (let i = 0; i < marks.length; i++) {
    const { from, to, opening, tag } = marks[i] as Mark;
    if (opening !== undefined && !inOpenFence) {
      const end = findClosing(marks, longest, i, opening);
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
  /** The fence that it opens where none is open, and the one that it closes one with. */
  readonly opening: string | undefined;
  readonly closing: string | undefined;
  readonly tag: Tag | undefined;
}

const MARK = /[`~<]/;

function listMarks(text: string): readonly Mark[] {
  const marks: Mark[] = [];
  if (!MARK.test(text)) return marks;
  for (const { from, to } of listLines(text)) {
    const first = text[skipBlanks(text, from)];
    if (first === "<") {
      const tag = readTag(text.slice(from, to).trim());
      if (tag) marks.push({ from, to, tag, opening: undefined, closing: undefined });
    } else if (first === "`" || first === "~") {
      const line = text.slice(from, to);
      const opening = readOpening(line)?.fence;
      const closing = readClosing(line);
      if (opening !== undefined || closing !== undefined)
        marks.push({ from, to, opening, closing, tag: undefined });
    }
  }
  return marks;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** How long the longest closing fence at or behind each mark is, by character: so that nobody looks for one in vain. */
type Longest = Readonly<Record<string, readonly number[]>>;

function longestClosings(marks: readonly Mark[]): Longest {
  const longest: Record<string, number[]> = { "`": [], "~": [] };
  for (const [char, lengths] of Object.entries(longest)) {
    let most = 0;
    for (let i = marks.length - 1; i >= 0; i--) {
      const closing = marks[i]?.closing;
      if (closing?.[0] === char) most = Math.max(most, closing.length);
      lengths[i] = most;
    }
  }
  return longest;
}

function findClosing(
  marks: readonly Mark[],
  longest: Longest,
  at: number,
  opening: string,
): number | undefined {
  if ((longest[opening.charAt(0)]?.[at + 1] ?? 0) < opening.length) return undefined;
  let end = at + 1;
  while (!closes(marks[end]?.closing, opening)) end++;
  return end;
}

/** Elements that were opened and not yet closed, the outermost first. One that is left open inside another is forgotten with it. */
class OpenElements {
  readonly #stack: { readonly name: string; readonly from: number }[] = [];
  /** Places in the stack, by name. */
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

  /** Where the element that ends here began. */
  close(name: string): number | undefined {
    const place = this.#places.get(name)?.at(-1);
    if (place === undefined) return undefined;
    const from = this.#stack[place]?.from;
    for (const { name: inner } of this.#stack.splice(place)) this.#places.get(inner)?.pop();
    return from;
  }
}
