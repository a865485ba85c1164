import type { PricedRisk } from "../risk/risk.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { SCHEDULER } from "./authors.ts";
import { listSpans, type PlannedSpan, type SignedPlan } from "./cut-plan.ts";
import type { Cut, Edit } from "./edit.ts";
import type { Guard } from "./guard.ts";
import type { Ledger } from "./ledger.ts";
import type { Guarded, RefusalIssue } from "./refusal.ts";
import type { View } from "./view.ts";

export interface CuttingContext {
  readonly transcript: Transcript;
  readonly ledger: Ledger;
  readonly view: View;
  /** The number of the request that will be the first to show the edits. */
  readonly request: number;
  readonly guard: Guard;
}

/**
 * One cut while it is made. Allowed edits are recorded and shown at once; refused ones are listed. All of it is in
 * the undo log, so `attempt` can take it back.
 */
export class Cutting {
  readonly edits: Edit[] = [];
  readonly refused: RefusalIssue[] = [];
  readonly #context: CuttingContext;
  readonly #state = { from: Number.POSITIVE_INFINITY };

  constructor(context: CuttingContext) {
    this.#context = context;
  }

  /** The first part that it changes. */
  get from(): number {
    return this.#state.from;
  }

  /**
   * Makes the plan's cuts one by one; none if the first is refused. Returns the guard's answer to each.
   *
   * @param risk noted with the first edit
   */
  apply(plan: SignedPlan, risk?: PricedRisk): readonly [Guarded<Cut>, ...Guarded<Cut>[]] {
    const touched = new Set<PartKey>();
    const [main, ...others] = listSpans(plan);
    const checked: [Guarded<Cut>, ...Guarded<Cut>[]] = [this.#apply(plan, main, touched, risk)];
    if (checked[0].ok) {
      for (const span of others) checked.push(this.#apply(plan, span, touched));
      for (const each of "drop" in plan ? [] : (plan.along ?? []))
        checked.push(this.#apply(each, listSpans(each)[0], touched));
    }
    this.#context.view.refresh([...touched]);
    return checked;
  }

  /** Undoes active edits. */
  undo(targets: readonly Cut[], author: string, reason: string): void {
    const { view } = this.#context;
    for (const target of targets) {
      const touched = new Set<PartKey>();
      const saved = 0 - view.broughtBackBy(target);
      this.#record({ type: "undo", target: target.id, author, reason, saved }, target, touched);
      view.refresh([...touched]);
    }
  }

  #apply(
    plan: SignedPlan,
    span: PlannedSpan | undefined,
    touched: Set<PartKey>,
    risk?: PricedRisk,
  ): Guarded<Cut> {
    const checked = this.#context.guard(plan, span);
    if (!checked.ok) {
      this.#context.transcript.undoLog.push(this.refused, checked.issue);
      return checked;
    }
    const cut = risk ? Object.assign({}, checked.value, { risk }) : checked.value;
    this.#release(cut);
    this.#record(cut, cut, touched);
    return { ok: true, value: cut };
  }

  /** Edits that refer to the cut part, and yield, are undone and made again without that reference. */
  #release(cut: Cut): void {
    const { transcript, ledger, view } = this.#context;
    for (const part of cut.type === "drop" ? cut.parts : [cut.part]) {
      for (const edit of ledger.yieldingTo(part)) {
        this.undo([edit], SCHEDULER, "what it refers to is cut");
        const { yields, ...rest } = edit;
        const index = transcript.find(edit.part);
        const isThere = rest.type === "replace" && index !== undefined && !ledger.isDropped(edit.part);
        const saved = isThere ? view.savedBy(index, rest) : 0;
        // It saves nothing if another edit hides it, or its part is gone.
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
    const { undoLog } = transcript;
    undoLog.push(this.edits, edit);
    for (const key of ledger.record(edit, request)) touched.add(key);
    const parts = touches.type === "drop" ? touches.parts : [touches.part];
    const from = Math.min(this.#state.from, ...parts.map((part) => transcript.find(part) ?? 0));
    undoLog.put(this.#state, "from", from);
  }
}
