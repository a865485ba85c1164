import { coversRange } from "../tool-kinds/line-range.ts";
import type { FileTouch } from "../tool-kinds/tool-use.ts";
import { isUnchangedStub } from "../tool-kinds/unchanged-stub.ts";
import { mayBeMarked } from "../transcript/may-be-marked.ts";
import type { Ref } from "../transcript/refs.ts";
import { listPartRefs } from "../transcript/refs.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact } from "./calls.ts";
import type { FileFacts } from "./files.ts";
import { readPointer } from "./pointer.ts";
import type { Repeat } from "./repeats.ts";

/** A result that the agent has just requested again is protected for this many steps. */
const STEPS = 10;

/**
 * Reads that a host answers with a stub: the file is unchanged, and its text is in an earlier result. A stub shows
 * nothing, so it makes nothing stale. Two other reads count as stubs: a read that repeats an earlier one and can be
 * replaced with a pointer to it, and a read that Coppice has already replaced, if the transcript was pruned before.
 * Until something newer happens to the file, the earlier result counts as being as recent as the stub.
 */
export class Rereads {
  /** By the result of the earlier read: the newest stub that refers to it. */
  readonly #stubs = new Map<number, CallFact>();
  /** By the result of the stub: the earlier read. */
  readonly #originals = new Map<number, CallFact>();
  /** By the result of a read that shows nothing new. */
  readonly #repeats = new Map<number, Repeat>();
  readonly #transcript: Transcript;
  readonly #files: FileFacts;
  readonly #callOf: (ref: Ref) => CallFact | undefined;

  constructor(transcript: Transcript, files: FileFacts, callOf: (ref: Ref) => CallFact | undefined) {
    this.#transcript = transcript;
    this.#files = files;
    this.#callOf = callOf;
  }

  isStub(fact: CallFact): boolean {
    const { use, result, ok } = fact;
    const texts = this.#transcript.part(result).leaves.map(({ text }) => text);
    return ok && (isUnchangedStub(use, texts) || this.#pointsTo(fact) !== undefined);
  }

  ingest(stubs: Iterable<CallFact>): void {
    for (const stub of stubs) {
      const pointed = this.#pointsTo(stub);
      const original = pointed === undefined ? this.#findOriginal(stub) : this.#callOf(pointed);
      if (original) this.#refer(stub, original);
    }
  }

  /** Adds a read that shows nothing new. */
  repeat(again: CallFact, repeat: Repeat): void {
    this.#transcript.undoLog.set(this.#repeats, again.result, repeat);
    this.#refer(again, repeat.copy);
  }

  repeatOf({ result }: CallFact): Repeat | undefined {
    return this.#repeats.get(result);
  }

  /** The earlier read that a stub refers to. */
  originalOf(stub: CallFact): CallFact | undefined {
    return this.#originals.get(stub.result);
  }

  /** The results that stubs refer to. */
  referred(): Iterable<number> {
    return this.#stubs.keys();
  }

  /** Does a stub refer to this result, and is the file unchanged since? */
  isCurrent(result: number): boolean {
    const stub = this.#stubs.get(result);
    return stub?.use.files.every(({ path }) => this.#lastStep(path) <= stub.step) ?? false;
  }

  /** Did a recent stub refer the agent back to this result? */
  isNeeded(result: number): boolean {
    const { lastStep } = this.#transcript;
    return this.isCurrent(result) && lastStep - (this.#stubs.get(result)?.step ?? 0) < STEPS;
  }

  /**
   * The call that becomes old with this call: none while a stub keeps it recent; with the newest stub, the earlier
   * read.
   */
  agedWith(fact: CallFact): CallFact | undefined {
    const original = this.#originals.get(fact.result);
    if (original) return this.#stubs.get(original.result) === fact ? original : undefined;
    return this.isCurrent(fact.result) ? undefined : fact;
  }

  #refer(stub: CallFact, original: CallFact): void {
    const { undoLog } = this.#transcript;
    undoLog.set(this.#stubs, original.result, stub);
    undoLog.set(this.#originals, stub.result, original);
  }

  /** The ref in a pointer of ours. */
  #pointsTo({ result }: CallFact): Ref | undefined {
    const { leaves } = this.#transcript.part(result);
    const marked = leaves.filter(mayBeMarked);
    if (marked.length === 0) return undefined;
    const refs = listPartRefs(this.#transcript.key(result));
    return marked.map(({ text }) => readPointer(text, refs)).find((ref) => ref !== undefined);
  }

  #lastStep(path: string): number {
    return this.#files.history(path).at(-1)?.fact.step ?? 0;
  }

  /** The newest read that shows all requested files, if nothing has changed them since. */
  #findOriginal({ use: { files } }: CallFact): CallFact | undefined {
    const [first, ...others] = files;
    const original = first && this.#findRead(first);
    return original && others.every((touch) => this.#findRead(touch) === original) ? original : undefined;
  }

  #findRead({ path, range }: FileTouch): CallFact | undefined {
    const history = this.#files.history(path);
    for (let i = history.length - 1; i >= 0; i--) {
      const { touch, fact } = history[i] ?? {};
      if (!touch || !fact || touch.operation !== "read") return undefined;
      if (coversRange(touch.range, range)) return fact;
    }
    return undefined;
  }
}
