import { listSpans, type PlanPrice, type PricedPlan, type SignedPlan } from "./cut-plan.ts";
import type { Guard } from "./guard.ts";
import { type Guarded, refuse } from "./refusal.ts";

/** In tokens. A smaller saving is not worth a marker. This also keeps a marker from replacing another marker. */
const MINIMUM_SAVING = 10;

/**
 * Checks whether the guard would allow a plan now, and computes its saving. Leaves out additional cuts that the guard
 * refuses.
 */
export function pricePlan(plan: SignedPlan, guard: Guard, since = 0): Guarded<PricedPlan> {
  const [main, ...others] = listSpans(plan);
  const first = guard(plan, main);
  if (!first.ok) return first;
  const { ref, part } = first.value;
  let saves = first.value.saved;
  const shown = others.length > 0 ? withPrice(plan, { ref, saves, since }) : plan;
  for (const span of others) {
    const checked = guard(shown, span);
    if (checked.ok) saves += checked.value.saved;
  }
  if (saves < MINIMUM_SAVING && !plan.requested) return refuse(plan, part, { code: "too-little", saves });
  const price = { ref, saves, since };
  if ("drop" in plan || !plan.along) return { ok: true, value: withPrice(plan, price) };
  const along = plan.along
    .map((each) => withPrice(each, price))
    .filter((each) => guard(each, listSpans(each)[0]).ok);
  return { ok: true, value: withPrice({ ...plan, along }, price) };
}

/** Without a spread: adding a field after one takes a microsecond, and gives every plan its own hidden class. */
function withPrice(plan: SignedPlan, price: PlanPrice): PricedPlan {
  return Object.assign({}, plan, { price });
}
