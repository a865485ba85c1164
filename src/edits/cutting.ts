import type { Issue } from "../basics/issue.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { SCHEDULER } from "./authors.ts";
import type { Cut, Edit } from "./edit.ts";
import type { Draft } from "./guard.ts";
import type { Ledger } from "./ledger.ts";
import type { Guarded } from "./refusal.ts";
import type { View } from "./view.ts";

export interface CuttingContext {
  readonly transcript: Transcript;
  readonly ledger: Ledger;
  readonly view: View;
  /** The boundary whose request will be the first to show the edits. */
  readonly request: number;
  guard(draft: Draft): Guarded<Cut>;
}

/** A state of a `Cutting` that `backTo` can go back to. */
export interface CuttingMark {
  readonly edits: number;
  readonly refused: number;
  readonly from: number;
}

/** One cut being made: what the guard lets through is recorded and shown at once; what it refuses is reported. */
export class Cutting {
  readonly edits: Edit[] = [];
  readonly refused: Issue[] = [];
  readonly #context: CuttingContext;
  #from = Number.POSITIVE_INFINITY;

  constructor(context: CuttingContext) {
    this.#context = context;
  }

  /** The first part that it changes. */
  get from(): number {
    return this.#from;
  }

  /** All of them, or none when the first is refused: gives what the guard said of each that it was asked for. */
  apply([main, ...others]: readonly [Draft, ...Draft[]]): readonly [Guarded<Cut>, ...Guarded<Cut>[]] {
    const touched = new Set<PartKey>();
    const first = this.#apply(main, touched);
    const rest = first.ok ? others.map((draft) => this.#apply(draft, touched)) : [];
    this.#context.view.refresh([...touched]);
    return [first, ...rest];
  }

  /** Takes standing edits back. */
  undo(targets: readonly Cut[], author: string, reason: string): void {
    const { view } = this.#context;
    for (const target of targets) {
      const touched = new Set<PartKey>();
      const saved = 0 - view.broughtBackBy(target);
      this.#record({ type: "undo", target: target.id, author, reason, saved }, target, touched);
      view.refresh([...touched]);
    }
  }

  mark(): CuttingMark {
    return { edits: this.edits.length, refused: this.refused.length, from: this.#from };
  }

  /** To be called after a rollback of the journal: forgets what was done since the mark. */
  backTo({ edits, refused, from }: CuttingMark): void {
    this.edits.length = edits;
    this.refused.length = refused;
    this.#from = from;
  }

  #apply(draft: Draft, touched: Set<PartKey>): Guarded<Cut> {
    const checked = this.#context.guard(draft);
    if (checked.ok) {
      this.#release(checked.value);
      this.#record(checked.value, checked.value, touched);
    } else this.refused.push(checked.issue);
    return checked;
  }

  /** Edits that refer to what is cut now, and yield, go on without it: taken back, and made again. */
  #release(cut: Cut): void {
    const { transcript, ledger, view } = this.#context;
    for (const part of cut.type === "drop" ? cut.parts : [cut.part]) {
      for (const edit of ledger.yieldingTo(part)) {
        this.undo([edit], SCHEDULER, "what it refers to is cut");
        const { yields, ...rest } = edit;
        const index = transcript.find(edit.part);
        const isThere = rest.type === "replace" && index !== undefined && !ledger.isDropped(edit.part);
        const saved = isThere ? view.savedBy(index, rest) : 0;
        // Nothing where another edit hides it, or its part is gone.
        if (saved <= 0) continue;
        const again: Cut = { ...rest, id: ledger.nextId(edit.ref), needs: [], saved };
        this.#record(again, again, new Set());
        view.refresh([edit.part]);
      }
    }
  }

  /** Adds to `touched` the parts whose shown text has changed. */
  #record(edit: Edit, touches: Cut, touched: Set<PartKey>): void {
    const { transcript, ledger, request } = this.#context;
    this.edits.push(edit);
    for (const key of ledger.record(edit, request)) touched.add(key);
    const parts = touches.type === "drop" ? touches.parts : [touches.part];
    for (const part of parts) this.#from = Math.min(this.#from, transcript.find(part) ?? 0);
  }
}
