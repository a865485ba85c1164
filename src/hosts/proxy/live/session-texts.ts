import type { FormatName } from "../../../formats/format.ts";

/** The messages of one conversation, as its newest request had them. */
export interface HeldText {
  readonly format: FormatName;
  readonly messages: readonly unknown[];
  /** Characters of the request's body. */
  readonly size: number;
}

/** The messages of sessions, for their report pages: the newest ones, up to a limit in characters. */
export class SessionTexts {
  /** Keyed by session, with the one used last at the end; within each, by conversation root. */
  readonly #sessions = new Map<string, Map<string, HeldText>>();
  readonly #most: number;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  has(session: string): boolean {
    return this.#sessions.has(session);
  }

  of(session: string): ReadonlyMap<string, HeldText> | undefined {
    return this.#sessions.get(session);
  }

  /** Returns the sessions whose text was removed to make room. */
  put(session: string, root: string, text: HeldText): readonly string[] {
    const held = this.#sessions.get(session) ?? new Map<string, HeldText>();
    this.#size += text.size - (held.get(root)?.size ?? 0);
    held.set(root, text);
    this.#sessions.delete(session);
    this.#sessions.set(session, held);
    const gone: string[] = [];
    for (const oldest of this.#sessions.keys()) {
      if (this.#size <= this.#most) break;
      this.drop(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  drop(session: string): void {
    for (const { size } of this.#sessions.get(session)?.values() ?? []) this.#size -= size;
    this.#sessions.delete(session);
  }
}
