import type { ShownNames } from "../facts/shown-names.ts";
import type { MessageChanges } from "../formats/format.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import { findLeaf } from "../transcript/find-leaf.ts";
import { inFrame, type Leaf, type Part, type PartKey } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { carriesTag, countLeafShown } from "./count-shown.ts";
import type { Cut, ReplaceEdit } from "./edit.ts";
import { renderLeaf } from "./leaf-edits.ts";
import type { Ledger } from "./ledger.ts";

/** The transcript as it is sent: with the ledger's edits and with tags. Texts are rendered once and kept. */
export class View {
  /** Tokens per part as shown. */
  readonly tokens: number[] = [];
  readonly #sum = { tokens: 0, uncut: 0 };
  readonly #tags = new Map<number, string>();
  /** The parts that ever had a tag or an edit. All others are skipped. */
  readonly #touched = new Map<number, true>();
  /** By part, the leaves that differ from the original. Only a cache, so not in the undo log. */
  readonly #rendered = new Map<number, ReadonlyMap<string, string>>();
  /** By message, its changes. Only a cache too. */
  readonly #changes: (KnownChanges | undefined)[] = [];
  #refreshed: number[] = [];
  readonly #transcript: Transcript;
  readonly #ledger: Ledger;
  readonly #names: ShownNames | undefined;

  constructor(transcript: Transcript, ledger: Ledger, names?: ShownNames) {
    this.#transcript = transcript;
    this.#ledger = ledger;
    this.#names = names;
  }

  get total(): number {
    return this.#sum.tokens;
  }

  /** The total without edits: the originals with their tags. */
  get uncut(): number {
    return this.#sum.uncut;
  }

  /**
   * The parts whose edits have changed, in order; another list after a rollback. Callers that cache anything about
   * the view must check these parts again.
   */
  get refreshed(): readonly number[] {
    return this.#refreshed;
  }

  /** Adds the transcript's new parts. `tagOf` returns the tag line that a part has from its first send on. */
  extend(tagOf: (index: number) => string | undefined): void {
    const { undoLog, tokens } = this.#transcript;
    let added = 0;
    for (let i = this.tokens.length; i < tokens.length; i++) {
      const tag = tagOf(i);
      if (tag !== undefined) {
        undoLog.set(this.#tags, i, tag);
        undoLog.set(this.#touched, i, true);
      }
      const count = (tokens[i] ?? 0) + (tag === undefined ? 0 : estimateTokens(tag));
      undoLog.push(this.tokens, count);
      added += count;
    }
    undoLog.put(this.#sum, "tokens", this.#sum.tokens + added);
    undoLog.put(this.#sum, "uncut", this.#sum.uncut + added);
  }

  /** Counts parts again whose edits have changed. */
  refresh(keys: readonly PartKey[]): void {
    const { undoLog } = this.#transcript;
    for (const key of keys) {
      const index = this.#transcript.find(key);
      if (index === undefined) continue;
      this.#rendered.delete(index);
      this.#refreshed.push(index);
      this.#changes[this.#transcript.message[index] ?? 0] = undefined;
      undoLog.set(this.#touched, index, true);
      const count = this.#count(index, this.#ledger.cutsOf(key));
      undoLog.put(this.#sum, "tokens", this.#sum.tokens - (this.tokens[index] ?? 0) + count);
      undoLog.put(this.tokens, index, count);
      this.#names?.show(index, this.#texts(index, key));
    }
  }

  #texts(index: number, key: PartKey): readonly string[] {
    if (this.#ledger.isDropped(key)) return [];
    const shown = this.shown(index);
    return this.#transcript.part(index).leaves.map(({ id, text }) => shown.get(id) ?? text);
  }

  /** Tokens that this replacement would save. Counts the whole leaf with its tag, before and after. */
  savedBy(
    index: number,
    replacement: Pick<ReplaceEdit, "leaf" | "from" | "to" | "text" | "lossless">,
  ): number {
    const part = this.#transcript.part(index);
    const leaf = findLeaf(part, replacement.leaf);
    if (!leaf) return 0;
    const active = this.#ledger.replacementsOf(this.#transcript.key(index), leaf.id);
    const tag = this.#tagOf(index, leaf);
    return (
      countLeafShown(part, leaf, active, tag) - countLeafShown(part, leaf, [...active, replacement], tag)
    );
  }

  /** Tokens that would come back if this active cut were undone. */
  broughtBackBy(cut: Cut): number {
    let tokens = 0;
    for (const key of cut.type === "drop" ? cut.parts : [cut.part]) {
      const index = this.#transcript.find(key);
      if (index === undefined) continue;
      const others = this.#ledger.cutsOf(key).filter((other) => other !== cut);
      tokens += this.#count(index, others) - (this.tokens[index] ?? 0);
    }
    return tokens;
  }

  /** Forgets all rendered texts. Call this after a rollback. */
  forget(): void {
    this.#rendered.clear();
    this.#changes.length = 0;
    this.#refreshed = [];
  }

  /** By id, the leaves of a part that differ from the original, as shown. */
  shown(index: number): ReadonlyMap<string, string> {
    let leaves = this.#rendered.get(index);
    if (!leaves) {
      leaves = this.#render(index);
      this.#rendered.set(index, leaves);
    }
    return leaves;
  }

  /** The same edits without tags, for readers that can't use them. */
  withoutTags(): Pick<View, "changesFor"> {
    const bare = new View(this.#transcript, this.#ledger);
    for (const [index] of this.#touched) bare.#touched.set(index, true);
    return bare;
  }

  /** The changes to one message, or `undefined`. Takes its parts as decoded now: slots may have moved. */
  changesFor(parts: readonly Part[], first: number): MessageChanges | undefined {
    const message = this.#transcript.message[first];
    if (message === undefined || parts.length === 0) return undefined;
    const known = this.#changes[message];
    if (known && fits(known, parts)) {
      known.parts = parts;
      return known.changes;
    }
    const listed = this.#listChanges(parts, first);
    this.#changes[message] = listed;
    return listed.changes;
  }

  #listChanges(parts: readonly Part[], first: number): KnownChanges {
    const changed: number[] = [];
    let leaves: Map<string, ReadonlyMap<string, string>> | undefined;
    let dropped: Set<string> | undefined;
    for (let i = 0; i < parts.length; i++) {
      const index = first + i;
      const part = parts[i];
      if (!part || !this.#touched.has(index)) continue;
      if (this.#ledger.isDropped(this.#transcript.key(index))) {
        dropped ??= new Set();
        dropped.add(part.slot);
        changed.push(i);
        continue;
      }
      const shown = this.shown(index);
      if (shown.size === 0) continue;
      changed.push(i);
      leaves ??= new Map();
      leaves.set(part.slot, withFrames(part, shown));
    }
    if (changed.length === 0) return { parts, changes: undefined, changed: NOTHING_CHANGED };
    const changes = { leaves: leaves ?? NO_LEAVES, dropped: dropped ?? NONE_DROPPED };
    // The copy uses no more memory than it needs.
    return { parts, changes, changed: changed.slice() };
  }

  #render(index: number): ReadonlyMap<string, string> {
    const part = this.#transcript.part(index);
    const key = this.#transcript.key(index);
    const shown = new Map<string, string>();
    for (const leaf of part.leaves) {
      const active = this.#ledger.replacementsOf(key, leaf.id);
      if (active.length > 0) shown.set(leaf.id, renderLeaf(leaf.text, active));
      const tag = this.#tagOf(index, leaf);
      if (tag !== undefined && carriesTag(leaf, active))
        shown.set(leaf.id, (shown.get(leaf.id) ?? leaf.text) + tag);
    }
    return shown;
  }

  /** The part's tag if this is its last leaf: a tag is added at the end of the part. */
  #tagOf(index: number, leaf: Leaf): string | undefined {
    return leaf === this.#transcript.part(index).leaves.at(-1) ? this.#tags.get(index) : undefined;
  }

  /** The part's tokens as shown with these cuts. */
  #count(index: number, cuts: readonly Cut[]): number {
    if (cuts.some(({ type }) => type === "drop")) return 0;
    const edits = new Map<string, ReplaceEdit[]>();
    for (const cut of cuts) {
      if (cut.type !== "replace") continue;
      const own = edits.get(cut.leaf);
      if (own) own.push(cut);
      else edits.set(cut.leaf, [cut]);
    }
    const part = this.#transcript.part(index);
    let count = this.#transcript.tokens[index] ?? 0;
    for (const leaf of part.leaves) {
      const active = edits.get(leaf.id) ?? [];
      const tag = this.#tagOf(index, leaf);
      if (active.length === 0 && tag === undefined) continue;
      count += countLeafShown(part, leaf, active, tag) - countLeafShown(part, leaf, [], undefined);
    }
    return count;
  }
}

/** The texts with what stands around them in the host's strings. */
function withFrames(part: Part, shown: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (!part.leaves.some(({ frame }) => frame)) return shown;
  const framed = new Map(shown);
  for (const leaf of part.leaves) {
    const text = shown.get(leaf.id);
    if (text !== undefined) framed.set(leaf.id, inFrame(leaf, text));
  }
  return framed;
}

interface KnownChanges {
  /** The message's parts, as last decoded. */
  parts: readonly Part[];
  readonly changes: MessageChanges | undefined;
  /** The positions in `parts` of the changed ones. */
  readonly changed: readonly number[];
}

/** Do the changed parts still have the slots from when the changes were listed? */
function fits({ parts: listed, changed }: KnownChanges, parts: readonly Part[]): boolean {
  return parts === listed || changed.every((i) => parts[i]?.slot === listed[i]?.slot);
}

const NOTHING_CHANGED: KnownChanges["changed"] = [];

const NO_LEAVES: MessageChanges["leaves"] = new Map();
const NONE_DROPPED: MessageChanges["dropped"] = new Set();
