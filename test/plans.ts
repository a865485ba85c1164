import type { DropPlan, ReplacePlan } from "../src/edits/cut-plan.ts";

type Signed<T> = T & { readonly author: string };

interface Replaced extends Partial<Omit<ReplacePlan, "spans">> {
  readonly part: number;
  readonly leaf: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A signed plan that replaces one span with this text. */
export function replacePlan({ leaf, from, to, text, ...more }: Replaced): Signed<ReplacePlan> {
  return { author: "test", reason: "old", spans: [{ leaf, from, to, render: () => text }], ...more };
}

/** A signed plan that drops a part. */
export function dropPlan(part: number): Signed<DropPlan> {
  return { author: "test", reason: "old", drop: true, part };
}
