import type { Issue, Result } from "../issue.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { Cut, Edit } from "./edit.ts";
import type { Draft } from "./guard.ts";
import type { Ledger } from "./ledger.ts";
import type { View } from "./view.ts";

export interface CuttingContext {
  readonly transcript: Transcript;
  readonly ledger: Ledger;
  readonly view: View;
  /** The boundary whose request will be the first to show the edits. */
  readonly boundary: number;
  guard(draft: Draft): Result<Cut>;
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

  /** All of them, or none when the first is refused. Gives the tokens saved. */
  apply([main, ...others]: readonly [Draft, ...Draft[]]): number {
    const touched = new Set<PartKey>();
    let saved = this.#apply(main, touched);
    if (saved === undefined) return 0;
    for (const draft of others) saved += this.#apply(draft, touched) ?? 0;
    this.#context.view.refresh([...touched]);
    return saved;
  }

  /** Takes standing edits back. */
  undo(targets: readonly Cut[], author: string, reason: string): void {
    const touched = new Set<PartKey>();
    for (const target of targets)
      this.#record({ type: "undo", target: target.id, author, reason }, target, touched);
    this.#context.view.refresh([...touched]);
  }

  /** After a rollback of the journal: it never happened. */
  forget(): void {
    this.edits.length = 0;
    this.refused.length = 0;
    this.#from = Number.POSITIVE_INFINITY;
  }

  #apply(draft: Draft, touched: Set<PartKey>): number | undefined {
    const checked = this.#context.guard(draft);
    if (!checked.ok) {
      this.refused.push(checked.issue);
      return undefined;
    }
    this.#record(checked.value, checked.value, touched);
    return checked.value.saved;
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
