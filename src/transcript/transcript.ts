import { estimateMedia, estimateTokens } from "./estimate.ts";
import { estimateLeaf } from "./estimate-leaf.ts";
import { PartKeys } from "./keys.ts";
import type { Part, PartKey } from "./part.ts";
import { UndoLog } from "./undo-log.ts";

/** Tokens that the wire adds around every part. */
const PART_OVERHEAD = 4;

/**
 * The flat list of parts, in wire order, append-only. Message, step and turn are columns of it. A part's index
 * identifies it inside the fold; its key identifies it after a restart too.
 */
export class Transcript {
  readonly undoLog: UndoLog = new UndoLog();
  readonly parts: Part[] = [];
  readonly keys: PartKey[] = [];
  /** Index of the host message. */
  readonly message: number[] = [];
  /** Number of model responses begun so far; inputs belong to the step before them. */
  readonly step: number[] = [];
  /** Number of user turns begun so far. */
  readonly turn: number[] = [];
  readonly tokens: number[] = [];
  /** First part of each step; element 0 is the input before the first. */
  readonly stepStart: number[] = [0];
  readonly turnStart: number[] = [0];
  /** Changes whenever the transcript grows or shrinks: values computed at the same version are still valid. */
  version = 0;
  readonly #byKey = new Map<PartKey, number>();
  readonly #keys = new PartKeys(this.undoLog);

  get length(): number {
    return this.parts.length;
  }

  get lastStep(): number {
    return this.stepStart.length - 1;
  }

  get lastTurn(): number {
    return this.turnStart.length - 1;
  }

  find(key: PartKey): number | undefined {
    return this.#byKey.get(key);
  }

  part(index: number): Part {
    const part = this.parts[index];
    if (!part) throw new RangeError(`no part ${index}: the transcript has ${this.parts.length}`);
    return part;
  }

  key(index: number): PartKey {
    const key = this.keys[index];
    if (!key) throw new RangeError(`no part ${index}: the transcript has ${this.keys.length}`);
    return key;
  }

  /** Appends the parts of one message, or of one step inside it. `opensTurn`: a person wrote it. */
  append(parts: readonly Part[], message: number, opensTurn: boolean): void {
    const { undoLog } = this;
    this.version++;
    if (parts[0]?.opensStep) undoLog.push(this.stepStart, this.parts.length);
    if (opensTurn) undoLog.push(this.turnStart, this.parts.length);
    const keys = this.#keys.name(parts);
    for (const [i, part] of parts.entries()) {
      const key = keys[i] as PartKey;
      undoLog.set(this.#byKey, key, this.parts.length);
      undoLog.push(this.parts, part);
      this.keys.push(key);
      this.message.push(message);
      this.step.push(this.lastStep);
      this.turn.push(this.lastTurn);
      this.tokens.push(countPart(part));
    }
  }

  /** Goes back to a position in the undo log. The columns are cut to the length of the list of parts. */
  rollback(mark: number): void {
    this.version++;
    this.undoLog.rollback(mark);
    for (const column of [this.keys, this.message, this.step, this.turn, this.tokens])
      column.length = this.parts.length;
  }

  /** Indices of a step's parts: its response, and the parts after it up to the next response. */
  stepRange(step: number): readonly [from: number, to: number] {
    return [this.stepStart[step] ?? this.length, this.stepStart[step + 1] ?? this.length];
  }
}

/** The estimated tokens of a part on the wire. */
export function countPart(part: Part): number {
  switch (part.kind) {
    case "marker":
      return sumLeaves(part);
    case "file":
      return PART_OVERHEAD + estimateMedia(part.media);
    case "opaque":
      return PART_OVERHEAD + countValue(part.raw);
    case "call":
      if (part.inText) return 0;
      return (
        PART_OVERHEAD +
        estimateTokens(part.tool) +
        (part.input === undefined ? sumLeaves(part) : countValue(part.input))
      );
    case "result":
      return (
        PART_OVERHEAD +
        (part.value === undefined ? sumLeaves(part) : countValue(part.value)) +
        (part.media ?? []).reduce((sum, media) => sum + estimateMedia(media), 0)
      );
    case "text":
    case "reasoning":
      return PART_OVERHEAD + sumLeaves(part);
  }
}

function sumLeaves(part: Part): number {
  let sum = 0;
  for (const leaf of part.leaves) sum += estimateLeaf(leaf);
  return sum;
}

/**
 * Counts a JSON-like value without serialising it; an object that occurs again (a cycle) is not counted again. Not
 * recursive, because a value may have any depth.
 */
function countValue(whole: unknown): number {
  const seen = new Set<unknown>();
  const left = [whole];
  let sum = 0;
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") sum += estimateTokens(value) + 1;
    else if (typeof value !== "object" || value === null || seen.has(value)) sum += 1;
    else {
      seen.add(value);
      sum += 2;
      for (const [key, item] of Object.entries(value)) {
        sum += Array.isArray(value) ? 1 : estimateTokens(key) + 2;
        left.push(item);
      }
    }
  }
  return sum;
}
