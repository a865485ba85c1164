import { expect, test } from "vitest";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { makeBody } from "./bodies.ts";
import { post, setStage } from "./stage.ts";
import { respondWithEvents } from "./upstream.ts";

/* A client that asks the provider to clear old results itself. */

const edit = {
  type: "clear_tool_uses_20250919",
  trigger: { type: "input_tokens", value: 1_500 },
  keep: { type: "tool_uses", value: 3 },
};

/** The same session with this in its body, after this number of steps. */
function bodyWith(context: unknown, steps: number): string {
  return JSON.stringify({ ...(JSON.parse(makeBody(steps)) as object), context_management: context }, null, 1);
}

test("results that it clears are passed on unchanged, and a restarted proxy sends the same", async () => {
  const store = memoryStore();
  const settings = { schedule: { mode: "eager" } } as const;
  const first = await setStage(respondWithEvents, { store, settings });
  const ask = ({ proxy }: typeof first, steps: number, context: unknown) =>
    post(`${proxy.url}/v1/messages`, ["x-session-id", "s"], bodyWith(context, steps));
  const clearing = { edits: [{ type: "clear_thinking_20251015", keep: "all" }, edit] };
  // From the fourth step on every read makes an older one stale: one that the provider clears.
  for (const steps of [6, 9, 12]) await ask(first, steps, clearing);
  const sent = first.upstream.arrived.map(({ body }) => body.toString());
  expect(sent.at(-1)).toContain('"context_management"');
  const cut = (body: string | undefined) => body?.match(/\[superseded: /g)?.length ?? 0;
  expect(cut(sent.at(-1))).toBe(0);
  expect(sent.at(-1)).toBe(bodyWith(clearing, 12));
  const [row] = await store.listSessions();
  expect(row?.tokensWith).toBe(row?.tokensWithout);

  const second = await setStage(respondWithEvents, { store, settings });
  await ask(second, 12, clearing);
  expect(second.upstream.arrived[0]?.body.toString()).toBe(sent.at(-1));

  const alone = await setStage(respondWithEvents, { settings });
  for (const steps of [6, 9, 12]) await ask(alone, steps, { edits: [] });
  expect(cut(alone.upstream.arrived.at(-1)?.body.toString())).toBeGreaterThan(5);
});
