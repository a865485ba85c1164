import { isProtectedForNow } from "../protection/protection.ts";
import type { AgentView } from "./agent-view.ts";
import { asPrunable, type Prunable } from "./prunable.ts";

/**
 * What `asPrunable` says of all parts of a session, largest first and of equals the oldest first. It is kept from one
 * request to the next, and only what may have changed is asked again: a session that is reminded often would otherwise be
 * gone through as often.
 */
export class PrunableIndex {
  readonly #sorted: Prunable[] = [];
  readonly #byPart = new Map<number, Prunable>();
  /** Parts that are protected for being new. */
  readonly #young = new Set<number>();
  /** How many parts, and how many of the view's refreshed ones, were looked at. */
  #parts = 0;
  #refreshed: readonly number[] = [];
  #looked = 0;

  /** Must be called before anything is asked; with views of one session only. */
  update(view: AgentView): void {
    const { refreshed } = view.view;
    if (refreshed !== this.#refreshed) this.#forget(refreshed);
    const changed = new Set([...this.#young, ...view.facts.rereads.referred()]);
    for (; this.#looked < refreshed.length; this.#looked++) changed.add(refreshed[this.#looked] ?? 0);
    for (const part of changed) if (part < this.#parts) this.#take(view, part);
    for (; this.#parts < view.facts.transcript.length; this.#parts++) this.#take(view, this.#parts);
  }

  get size(): number {
    return this.#sorted.length;
  }

  get(part: number): Prunable | undefined {
    return this.#byPart.get(part);
  }

  /** The largest, without some. */
  largest(most: number, without: ReadonlySet<number>): readonly Prunable[] {
    const largest: Prunable[] = [];
    for (const each of this.#sorted) {
      if (largest.length >= most) break;
      if (!without.has(each.part)) largest.push(each);
    }
    return largest;
  }

  #take(view: AgentView, part: number): void {
    const before = this.#byPart.get(part);
    const now = asPrunable(view, part);
    if (!now && isProtectedForNow(view.facts, part)) this.#young.add(part);
    else this.#young.delete(part);
    if (before?.tokens === now?.tokens) return;
    if (before) this.#sorted.splice(this.#place(before), 1);
    this.#byPart.delete(part);
    if (!now) return;
    this.#sorted.splice(this.#place(now), 0, now);
    this.#byPart.set(part, now);
  }

  /** Where it stands, or would. */
  #place({ tokens, part }: Prunable): number {
    let from = 0;
    let to = this.#sorted.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#sorted[middle];
      if (other && (other.tokens - tokens || part - other.part) > 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #forget(refreshed: readonly number[]): void {
    this.#sorted.length = 0;
    this.#byPart.clear();
    this.#young.clear();
    this.#parts = 0;
    this.#refreshed = refreshed;
    this.#looked = refreshed.length;
  }
}
