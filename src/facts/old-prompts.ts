import type { Transcript } from "../transcript/transcript.ts";

/**
 * Texts and attachments of users, once they are old: they have left the protect window, and no longer belong to the
 * newest user message. If a long turn pushes its own prompt out of the window, the prompt waits for the next user
 * message.
 */
export class OldPrompts {
  readonly #state: { held: readonly number[] } = { held: [] };
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** Adds the parts that have just left the protect window, and returns those that are old now, oldest first. */
  ingest(aged: readonly number[]): readonly number[] {
    const { undoLog, turn, lastTurn } = this.#transcript;
    const { held } = this.#state;
    const fresh = aged.filter((index) => this.#isPrompt(index));
    // All held parts belong to one turn.
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
