/**
 * Which texts contain which anchors, as exact substrings. Texts are numbered in order of arrival. Each is read
 * once, however many anchors there are: an anchor is compared only where its rarest window of characters occurs.
 */
export class AnchorIndex {
  readonly #ids = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  readonly #holders: number[][];
  readonly #windows: readonly Windows[];

  /**
   * @param anchors of 4 or more characters; shorter ones are not found
   * @param texts most of the texts to read: they are added, and show which windows are rare
   */
  constructor(anchors: Iterable<string>, texts: readonly string[]) {
    for (const anchor of anchors) if (!this.#ids.has(anchor)) this.#ids.set(anchor, this.#ids.size);
    const all = [...this.#ids.keys()];
    this.#holders = all.map(() => []);
    const distinct = new Set(texts);
    this.#windows = GRAM_SIZES.map((size, i) => {
      const longest = (GRAM_SIZES[i - 1] ?? Number.POSITIVE_INFINITY) - 1;
      return new Windows(size, all, ({ length }) => length >= size && length <= longest, distinct);
    });
    for (const text of distinct) this.add(text);
  }

  /** Returns the text's number; equal texts have the same number. */
  add(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const id = this.#texts.size;
    this.#texts.set(text, id);
    for (const windows of this.#windows) {
      windows.find(text, (anchor) => {
        const holders = this.#holders[anchor];
        if (holders && holders.at(-1) !== id) holders.push(id);
      });
    }
    return id;
  }

  /** Numbers of the texts that contain the anchor, in the order in which they were added. */
  holders(anchor: string): readonly number[] {
    const id = this.#ids.get(anchor);
    return (id === undefined ? undefined : this.#holders[id]) ?? [];
  }
}

/** The first size is for anchors of 8 or more characters, the second for numbers. */
const GRAM_SIZES: readonly number[] = [8, 4];

/** Finds many anchors in a text by a rolling hash over windows of one size. */
class Windows {
  readonly #size: number;
  readonly #anchors: readonly string[];
  /** The position of the window in each anchor. */
  readonly #offset: Int32Array;
  /** By slot, the first anchor of a chain; by anchor, the next one; -1 ends the chain. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #isEmpty: boolean;

  constructor(
    size: number,
    anchors: readonly string[],
    isMine: (anchor: string) => boolean,
    texts: Iterable<string>,
  ) {
    this.#size = size;
    this.#anchors = anchors;
    this.#offset = new Int32Array(anchors.length);
    this.#next = new Int32Array(anchors.length).fill(-1);
    this.#isEmpty = !anchors.some(isMine);
    this.#first = new Int32Array(this.#isEmpty ? 0 : SLOTS).fill(-1);
    if (this.#isEmpty) return;
    const counts = new Uint32Array(SLOTS);
    for (const text of texts)
      visitWindows(text, size, (slot) => {
        counts[slot] = (counts[slot] ?? 0) + 1;
      });
    for (const [id, anchor] of anchors.entries()) if (isMine(anchor)) this.#place(id, anchor, counts);
  }

  find(text: string, found: (anchor: number) => void): void {
    if (this.#isEmpty) return;
    visitWindows(text, this.#size, (slot, start) => {
      for (let id = this.#first[slot] ?? -1; id >= 0; id = this.#next[id] ?? -1) {
        const at = start - (this.#offset[id] ?? 0);
        if (at >= 0 && text.startsWith(this.#anchors[id] ?? "", at)) found(id);
      }
    });
  }

  /** Puts an anchor under its rarest window. */
  #place(id: number, anchor: string, counts: Uint32Array): void {
    let rarest = { slot: 0, start: 0, count: Number.POSITIVE_INFINITY };
    visitWindows(anchor, this.#size, (slot, start) => {
      const count = counts[slot] ?? 0;
      if (count < rarest.count) rarest = { slot, start, count };
    });
    this.#offset[id] = rarest.start;
    this.#next[id] = this.#first[rarest.slot] ?? -1;
    this.#first[rarest.slot] = id;
  }
}

const SLOT_BITS = 18;
const SLOTS = 1 << SLOT_BITS;
const BASE = 0x01000193;

/** Calls `visit` with the slot and the start of each window of `size` characters. */
function visitWindows(text: string, size: number, visit: (slot: number, start: number) => void): void {
  let leaving = 1;
  for (let i = 1; i < size; i++) leaving = Math.imul(leaving, BASE);
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    if (i >= size) hash = (hash - Math.imul(text.charCodeAt(i - size), leaving)) | 0;
    hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
    if (i >= size - 1) visit(Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - SLOT_BITS), i - size + 1);
  }
}
