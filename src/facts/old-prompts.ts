import type { Transcript } from "../transcript/transcript.ts";

/**
 * What users wrote and attached, once it is old: it has left the protect window, and it is no longer of the newest user
 * message. Where a long turn pushes its own prompt out of the window, the prompt waits for the next user message.
 */
export class OldPrompts {
  readonly #state: { held: readonly number[] } = { held: [] };
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** Takes in the parts that have just left the protect window, and gives those that are old now, oldest first. */
  ingest(aged: readonly number[]): readonly number[] {
    const { undoLog, turn, lastTurn } = this.#transcript;
    const { held } = this.#state;
    const fresh = aged.filter((index) => this.#isPrompt(index));
    // All that is held belongs to one turn.
    if (fresh.length === 0 && (held[0] === undefined || turn[held[0]] === lastTurn)) return fresh;
    const prompts = [...held, ...fresh];
    undoLog.put(
      this.#state,
      "held",
      prompts.filter((index) => turn[index] === lastTurn),
    );
    return prompts.filter((index) => turn[index] !== lastTurn);
  }

  #isPrompt(index: number): boolean {
    const { role, kind } = this.#transcript.part(index);
    return role === "user" && (kind === "text" || kind === "file");
  }
}
