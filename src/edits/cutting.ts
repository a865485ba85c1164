import type { Issue } from "../basics/issue.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
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
  readonly boundary: number;
  guard(draft: Draft): Guarded<Cut>;
}

/** How far a cut has come. */
export interface CuttingMark {
  readonly edits: number;
  readonly refused: number;
  readonly from: number;
}

/** One cut in the making: what the guard lets through is recorded and shown at once; what it refuses is noted. */
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

  /** After a rollback of the journal: what came since the mark never happened. */
  backTo({ edits, refused, from }: CuttingMark): void {
    this.edits.length = edits;
    this.refused.length = refused;
    this.#from = from;
  }

  #apply(draft: Draft, touched: Set<PartKey>): Guarded<Cut> {
    const checked = this.#context.guard(draft);
    if (checked.ok) this.#record(checked.value, checked.value, touched);
    else this.refused.push(checked.issue);
    return checked;
  }

  /** `touched` gets the parts that show something else now. */
  #record(edit: Edit, touches: Cut, touched: Set<PartKey>): void {
    const { transcript, ledger, boundary } = this.#context;
    this.edits.push(edit);
    for (const key of ledger.record(edit, boundary)) touched.add(key);
    const parts = touches.type === "drop" ? touches.parts : [touches.part];
    for (const part of parts) this.#from = Math.min(this.#from, transcript.find(part) ?? 0);
  }
}
