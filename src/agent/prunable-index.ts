import { isProtectedForNow } from "../protection/protection.ts";
import type { AgentView } from "./agent-view.ts";
import { asPrunable, type Prunable } from "./prunable.ts";

/**
 * The results of `asPrunable` for all parts of a session, largest first, then oldest first. Kept between requests,
 * and updated only where something may have changed, so that frequent reminders do not scan the whole session each
 * time.
 */
export class PrunableIndex {
  readonly #sorted: Prunable[] = [];
  readonly #byPart = new Map<number, Prunable>();
  /** Parts that are protected because they are new. */
  readonly #young = new Set<number>();
  /** The number of parts, and of the view's refreshed parts, that were processed. */
  #parts = 0;
  #refreshed: readonly number[] = [];
  #looked = 0;

  /** Call this before any query, and with views of one session only. */
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

  /** The largest parts, except `without`. */
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

  /** The index at which it is, or would be inserted. */
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
