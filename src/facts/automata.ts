import { REMINDER_CLOSE, REMINDER_OPEN } from "../tool-kinds/host-tags.ts";
import type { Part } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** When a person turned automata mode on, by using the word in a message. */
export class Automata {
  readonly #state: { since: number | undefined } = { since: undefined };
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The number of steps when the word was first used; `undefined`: never. */
  get since(): number | undefined {
    return this.#state.since;
  }

  ingest(from: number, to: number): void {
    const { undoLog, step } = this.#transcript;
    for (let i = from; i < to && this.#state.since === undefined; i++) {
      if (saysAutomata(this.#transcript.part(i))) undoLog.put(this.#state, "since", step[i] ?? 0);
    }
  }
}

const WORD = /(?<![\p{L}\p{N}_])automata(?![\p{L}\p{N}_])/iu;

function saysAutomata(part: Part): boolean {
  if (part.kind !== "text" || part.role !== "user" || part.synthetic) return false;
  return part.leaves.some(({ text }) => WORD.test(text) && WORD.test(withoutHostText(text)));
}

/** Hosts add their own text to a person's message, between these tags. */
function withoutHostText(text: string): string {
  let own = "";
  let at = 0;
  for (let open = text.indexOf(REMINDER_OPEN); open >= 0; open = text.indexOf(REMINDER_OPEN, at)) {
    const close = text.indexOf(REMINDER_CLOSE, open);
    if (close < 0) break;
    own += `${text.slice(at, open)}\n`;
    at = close + REMINDER_CLOSE.length;
  }
  return own + text.slice(at);
}
