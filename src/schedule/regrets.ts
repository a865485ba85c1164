import type { Cut, EditId } from "../edits/edit.ts";
import type { UndoLog } from "../transcript/undo-log.ts";

/** Signs in this session that a rule's cuts were a mistake. */
export interface Regret {
  /** The name of a pass. */
  readonly rule: string;
  readonly cuts: number;
  /** The number of cuts whose text the agent fetched again, or would have needed for an edit that failed. */
  readonly fetched: number;
  /** Edits that failed because their text was not found, in files whose views the rule had cut. */
  readonly missedEdits: number;
  /** The rule makes no more cuts in this session. */
  readonly off: boolean;
}

/** A rule is switched off when at least this many of its cuts, and more than this share, were fetched again. */
const MOST_FETCHED_AGAIN = 4;
const LARGEST_SHARE = 0.25;

/**
 * A rule is switched off after this many failed edits in files whose views it had cut. Agents fetch a text again for
 * many reasons; but an edit that does not find its text was written from memory.
 */
const MOST_MISSED_EDITS = 2;

/** A share of few cuts says little. So this many cuts that were not fetched again are added to the count. */
const PRIOR_CUTS = 10;

interface Count {
  readonly cuts: number;
  readonly fetched: number;
  readonly missedEdits: number;
}

const NONE: Count = { cuts: 0, fetched: 0, missedEdits: 0 };

/**
 * Counts the cuts whose text the agent has fetched again, by rule, and by rule and kind of text. From then on such
 * cuts cost more in this session, and a rule whose cuts are fetched too often is switched off. Edits that fail in
 * files whose views were cut count too, and switch a rule off sooner.
 */
export class Regrets {
  readonly #rules = new Map<string, Count>();
  /** By rule and kind. */
  readonly #kinds = new Map<string, Count>();
  readonly #seen = new Map<EditId, true>();
  readonly #undoLog: UndoLog;

  constructor(undoLog: UndoLog) {
    this.#undoLog = undoLog;
  }

  noteCut(rule: string, kind: string): void {
    this.#add(this.#rules, rule, { cuts: 1 });
    this.#add(this.#kinds, nameKind(rule, kind), { cuts: 1 });
  }

  /** The agent has fetched the text of this cut. Each cut counts once. Returns the rule if this switches it off. */
  noteFetched({ id, author }: Cut, kind: string): Regret | undefined {
    if (this.#seen.has(id)) return undefined;
    const wasOff = this.isOff(author);
    this.#undoLog.set(this.#seen, id, true);
    this.#add(this.#rules, author, { fetched: 1 });
    this.#add(this.#kinds, nameKind(author, kind), { fetched: 1 });
    return this.isOff(author) && !wasOff ? this.#report(author) : undefined;
  }

  /** The agent works on the text of this cut: such cuts cost more, but the rule stays on. Each cut counts once. */
  noteEdited({ id, author }: Cut, kind: string): void {
    if (this.#seen.has(id)) return;
    this.#undoLog.set(this.#seen, id, true);
    this.#add(this.#kinds, nameKind(author, kind), { fetched: 1 });
  }

  /** An edit has failed in a file whose views this rule had cut. Returns the rule if this switches it off. */
  noteMissedEdit(rule: string): Regret | undefined {
    const wasOff = this.isOff(rule);
    this.#add(this.#rules, rule, { missedEdits: 1 });
    return this.isOff(rule) && !wasOff ? this.#report(rule) : undefined;
  }

  /** Was anything fetched again, or worked on? */
  get hasAny(): boolean {
    return this.#seen.size > 0;
  }

  /** The share of such cuts that was fetched again, smoothed by `PRIOR_CUTS`. */
  shareOf(rule: string, kind: string): number {
    const { cuts, fetched } = this.#kinds.get(nameKind(rule, kind)) ?? NONE;
    return fetched / (cuts + PRIOR_CUTS);
  }

  isOff(rule: string): boolean {
    const count = this.#rules.get(rule) ?? NONE;
    const { cuts, fetched } = count;
    return missedTooMany(count) || (fetched >= MOST_FETCHED_AGAIN && fetched > LARGEST_SHARE * cuts);
  }

  /** The rules whose cuts were fetched again, or missed by an edit. */
  list(): readonly Regret[] {
    return [...this.#rules.keys()]
      .map((rule) => this.#report(rule))
      .filter(({ fetched, missedEdits }) => fetched + missedEdits > 0);
  }

  #report(rule: string): Regret {
    return { rule, ...(this.#rules.get(rule) ?? NONE), off: this.isOff(rule) };
  }

  #add(counts: Map<string, Count>, key: string, added: Partial<Count>): void {
    const before = counts.get(key) ?? NONE;
    this.#undoLog.set(counts, key, {
      cuts: before.cuts + (added.cuts ?? 0),
      fetched: before.fetched + (added.fetched ?? 0),
      missedEdits: before.missedEdits + (added.missedEdits ?? 0),
    });
  }
}

/** Has the rule caused too many failed edits? */
export function missedTooMany({ missedEdits }: Pick<Regret, "missedEdits">): boolean {
  return missedEdits >= MOST_MISSED_EDITS;
}

function nameKind(rule: string, kind: string): string {
  return `${rule} ${kind}`;
}
