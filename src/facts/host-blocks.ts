import type { Transcript } from "../transcript/transcript.ts";
import { findBehindFile, type Instructions } from "./behind-file.ts";
import type { CallFact } from "./calls.ts";

/** A block that occurs word for word in this many results is a reminder that the host adds to each. */
const REMINDER_USES = 3;

/** Instructions that a host has added to results, and which of them repeat. */
export class HostBlocks {
  /** By text: the results that end with it, in order. */
  readonly #holders = new Map<string, number[]>();
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  ingest(completed: readonly CallFact[]): void {
    const { undoLog } = this.#transcript;
    for (const fact of completed) {
      for (const text of this.#textsIn(fact)) {
        const holders = this.#holders.get(text);
        if (holders) undoLog.push(holders, fact.result);
        else undoLog.set(this.#holders, text, [fact.result]);
      }
    }
  }

  /**
   * The newest result, if it is newer than this part and ends with the same block, and the host adds that block to
   * many results.
   */
  findCopy(text: string, part: number): number | undefined {
    const holders = this.#holders.get(text.trimEnd()) ?? NONE;
    const newest = holders.at(-1) ?? part;
    return holders.length >= REMINDER_USES && newest > part ? newest : undefined;
  }

  /** The results with a block that these parts, or later ones, repeat; each once in a session. */
  listRepeated(completed: readonly CallFact[], from: number): readonly number[] {
    const repeated = new Set<number>();
    for (const text of new Set(completed.flatMap((fact) => this.#textsIn(fact)))) {
      const holders = this.#holders.get(text) ?? NONE;
      if (holders.length < REMINDER_USES) continue;
      let known = holders.length;
      while (known > 0 && (holders[known - 1] ?? 0) >= from) known--;
      const first = known < REMINDER_USES ? 0 : known - 1;
      for (const part of holders.slice(first, -1)) repeated.add(part);
    }
    return [...repeated].sort((a, b) => a - b);
  }

  #textsIn(fact: CallFact): readonly string[] {
    return findBehindFile(this.#transcript, fact).map((found) =>
      textOf(this.#transcript, fact.result, found),
    );
  }
}

const NONE: readonly number[] = [];

function textOf(transcript: Transcript, part: number, { leaf, from, to }: Instructions): string {
  const text = transcript.part(part).leaves.find(({ id }) => id === leaf)?.text ?? "";
  return text.slice(from, to).trimEnd();
}
