import type { Cut, EditId } from "../edits/edit.ts";
import type { Journal } from "../transcript/journal.ts";

/** How often a rule's cuts were fetched again in this session. */
export interface Regret {
  /** The name of a pass. */
  readonly rule: string;
  readonly cuts: number;
  readonly fetched: number;
  /** The rule makes no more cuts in this session. */
  readonly off: boolean;
}

/** A rule is switched off when so many of its cuts, and this share of them, were fetched again. */
const MOST_FETCHED_AGAIN = 4;
const LARGEST_SHARE = 0.25;

/** With few cuts a share says little: so many more are taken not to have been fetched. */
const PRIOR_CUTS = 10;

interface Count {
  readonly cuts: number;
  readonly fetched: number;
}

const NONE: Count = { cuts: 0, fetched: 0 };

/**
 * What the agent has fetched again after it was cut, by rule, and by rule and kind of text: in this session such cuts
 * are dearer from then on, and a rule whose cuts keep being fetched is switched off.
 */
export class Regrets {
  readonly #rules = new Map<string, Count>();
  /** By rule and kind. */
  readonly #kinds = new Map<string, Count>();
  readonly #seen = new Map<EditId, true>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  noteCut(rule: string, kind: string): void {
    this.#add(this.#rules, rule, 1, 0);
    this.#add(this.#kinds, nameKind(rule, kind), 1, 0);
  }

  /** The agent has fetched what was cut. Each cut counts once. Gives the rule if this switches it off. */
  noteFetched({ id, author }: Cut, kind: string): Regret | undefined {
    if (this.#seen.has(id)) return undefined;
    const wasOff = this.isOff(author);
    this.#journal.set(this.#seen, id, true);
    this.#add(this.#rules, author, 0, 1);
    this.#add(this.#kinds, nameKind(author, kind), 0, 1);
    return this.isOff(author) && !wasOff ? this.#report(author) : undefined;
  }

  /** Was anything fetched again? */
  get hasAny(): boolean {
    return this.#seen.size > 0;
  }

  /** The share of such cuts that was fetched again, as far as few of them can tell. */
  shareOf(rule: string, kind: string): number {
    const { cuts, fetched } = this.#kinds.get(nameKind(rule, kind)) ?? NONE;
    return fetched / (cuts + PRIOR_CUTS);
  }

  isOff(rule: string): boolean {
    const { cuts, fetched } = this.#rules.get(rule) ?? NONE;
    return fetched >= MOST_FETCHED_AGAIN && fetched > LARGEST_SHARE * cuts;
  }

  /** The rules of whose cuts something was fetched again. */
  list(): readonly Regret[] {
    return [...this.#rules.keys()].map((rule) => this.#report(rule)).filter(({ fetched }) => fetched > 0);
  }

  #report(rule: string): Regret {
    return { rule, ...(this.#rules.get(rule) ?? NONE), off: this.isOff(rule) };
  }

  #add(counts: Map<string, Count>, key: string, cuts: number, fetched: number): void {
    const before = counts.get(key) ?? NONE;
    this.#journal.set(counts, key, { cuts: before.cuts + cuts, fetched: before.fetched + fetched });
  }
}

function nameKind(rule: string, kind: string): string {
  return `${rule} ${kind}`;
}
