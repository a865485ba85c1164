import type { Transcript } from "../transcript/transcript.ts";

/** The most older states to remember. Each has a section that no newer state has. */
const MOST_OPEN = 8;

/** The host's reports about its environment: see `TextPart.state`. */
export class HostStates {
  /** The newest state, and older ones that are not replaced yet, oldest first. */
  readonly #state: { newest?: number; open: readonly number[] } = { open: [] };
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /**
   * Returns true for an older state. A state in the newest prompt never counts as old, because that message stays as
   * it is.
   */
  isOld(part: number): boolean {
    return this.#isState(part) && this.#state.newest !== part && !this.#isOfPrompt(part);
  }

  /** Takes in the parts `from … to`. Returns the older states that the newest replaces: it has all their sections. */
  ingest(from: number, to: number): readonly number[] {
    const { undoLog } = this.#transcript;
    const { newest, open } = this.#state;
    const added: number[] = [];
    for (let i = from; i < to; i++) if (this.#isState(i)) added.push(i);
    const last = added.pop();
    if (last === undefined) return [];
    const known = this.#listSections(last);
    const older = [...open, ...(newest === undefined ? [] : [newest]), ...added];
    const isReplaced = (part: number) =>
      !this.#isOfPrompt(part) && [...this.#listSections(part)].every((section) => known.has(section));
    undoLog.put(this.#state, "newest", last);
    undoLog.put(this.#state, "open", older.filter((part) => !isReplaced(part)).slice(-MOST_OPEN));
    return older.filter(isReplaced);
  }

  #isOfPrompt(part: number): boolean {
    const { message, turnStart } = this.#transcript;
    return message[part] === message[turnStart.at(-1) ?? 0];
  }

  #isState(index: number): boolean {
    const part = this.#transcript.part(index);
    return part.kind === "text" && part.state === true;
  }

  /**
   * `# Current Workspace Directory (/w) Files` and `# Current Workspace Directory (/v) Files` count as the same
   * section.
   */
  #listSections(part: number): ReadonlySet<string> {
    const text = this.#transcript.part(part).leaves[0]?.text ?? "";
    return new Set([...text.matchAll(/^# ([^\n(]{1,80})/gm)].map(([, name = ""]) => name.trim()));
  }
}
