import type { Cut, EditId } from "../edits/edit.ts";
import type { UndoLog } from "../transcript/undo-log.ts";

/** What showed in this session that a rule's cuts were a mistake. */
export interface Regret {
  /** The name of a pass. */
  readonly rule: string;
  readonly cuts: number;
  /** How many of them the agent fetched again, or would have needed for an edit that failed. */
  readonly fetched: number;
  /** Edits that failed because their text was not found, in files whose views the rule had cut. */
  readonly missedEdits: number;
  /** The rule makes no more cuts in this session. */
  readonly off: boolean;
}

/** A rule is switched off when so many of its cuts, and this share of them, were fetched again. */
const MOST_FETCHED_AGAIN = 4;
const LARGEST_SHARE = 0.25;

/**
 * A rule is switched off after so many edits that failed in files whose views it had cut. Agents fetch a text again for
 * many reasons; an edit that looks for a text that is not there was written from memory.
 */
const MOST_MISSED_EDITS = 2;

/** With few cuts a share says little: so many more are taken not to have been fetched. */
const PRIOR_CUTS = 10;

interface Count {
  readonly cuts: number;
  readonly fetched: number;
  readonly missedEdits: number;
}

const NONE: Count = { cuts: 0, fetched: 0, missedEdits: 0 };

/**
 * What the agent has fetched again after it was cut, by rule, and by rule and kind of text: in this session such cuts
 * cost more from then on, and a rule whose cuts keep being fetched is switched off. Edits that fail in files whose views
 * were cut count as well, and switch a rule off sooner.
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

  /** The agent has fetched what was cut. Each cut counts once. Gives the rule if this switches it off. */
  noteFetched({ id, author }: Cut, kind: string): Regret | undefined {
    if (this.#seen.has(id)) return undefined;
    const wasOff = this.isOff(author);
    this.#undoLog.set(this.#seen, id, true);
    this.#add(this.#rules, author, { fetched: 1 });
    this.#add(this.#kinds, nameKind(author, kind), { fetched: 1 });
    return this.isOff(author) && !wasOff ? this.#report(author) : undefined;
  }

  /** The agent works on what was cut: such cuts cost more, but the rule stays on. Each cut counts once. */
  noteEdited({ id, author }: Cut, kind: string): void {
    if (this.#seen.has(id)) return;
    this.#undoLog.set(this.#seen, id, true);
    this.#add(this.#kinds, nameKind(author, kind), { fetched: 1 });
  }

  /** An edit has failed in a file of which this rule had cut what the agent saw. Gives the rule if this switches it off. */
  noteMissedEdit(rule: string): Regret | undefined {
    const wasOff = this.isOff(rule);
    this.#add(this.#rules, rule, { missedEdits: 1 });
    return this.isOff(rule) && !wasOff ? this.#report(rule) : undefined;
  }

  /** Was anything fetched again, or worked on? */
  get hasAny(): boolean {
    return this.#seen.size > 0;
  }

  /** The share of such cuts that was fetched again, as far as few of them can tell. */
  shareOf(rule: string, kind: string): number {
    const { cuts, fetched } = this.#kinds.get(nameKind(rule, kind)) ?? NONE;
    return fetched / (cuts + PRIOR_CUTS);
  }

  isOff(rule: string): boolean {
    const count = this.#rules.get(rule) ?? NONE;
    const { cuts, fetched } = count;
    return missedTooMany(count) || (fetched >= MOST_FETCHED_AGAIN && fetched > LARGEST_SHARE * cuts);
  }

  /** The rules of whose cuts something was fetched again, or missed by an edit. */
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

/** Did more edits fail than a rule may cause? */
export function missedTooMany({ missedEdits }: Pick<Regret, "missedEdits">): boolean {
  return missedEdits >= MOST_MISSED_EDITS;
}

function nameKind(rule: string, kind: string): string {
  return `${rule} ${kind}`;
}
