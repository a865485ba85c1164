import { describe, expect, test } from "vitest";
import { isHeldOut } from "../../../src/analysis/held-out.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { makeBody } from "./bodies.ts";
import { post, setStage } from "./stage.ts";
import { respondWithEvents } from "./upstream.ts";

const SESSIONS = Array.from({ length: 20 }, (_, i) => `session-${i}`);
const named = (wanted: boolean) => SESSIONS.find((name) => isHeldOut(name, 50) === wanted) ?? "";

describe("a holdout of 50 in a hundred", () => {
  test("leaves a session and its related ones unpruned, prunes the others, and counts both arms", async () => {
    const store = memoryStore();
    const { upstream, proxy } = await setStage(respondWithEvents, { holdout: 50, store });
    const ask = (headers: readonly string[], body: string) => post(`${proxy.url}/v1/messages`, headers, body);
    await ask(["x-claude-code-session-id", named(true)], makeBody());
    await ask(["x-claude-code-session-id", named(true)], makeBody(12, "After its compaction."));
    await ask(
      ["x-claude-code-session-id", named(true), "x-claude-code-agent-id", "a1"],
      makeBody(12, "A subagent."),
    );
    await ask(["x-claude-code-session-id", named(false)], makeBody());
    expect(upstream.arrived.map(({ body }) => body.length)).toEqual([
      makeBody().length,
      makeBody(12, "After its compaction.").length,
      makeBody(12, "A subagent.").length,
      expect.any(Number),
    ]);
    expect(upstream.arrived[3]?.body.length).toBeLessThan(0.7 * makeBody().length);
    const rows = await store.listSessions();
    expect(new Map(rows.map(({ id, arms }) => [id, arms]))).toEqual(
      new Map([
        [named(true), { pruned: 0, heldOut: 2 }],
        [`${named(true)}/a1`, { pruned: 0, heldOut: 1 }],
        [named(false), { pruned: 1, heldOut: 0 }],
      ]),
    );
    const left = rows.find(({ id }) => id === named(true));
    expect(left?.tokensWith).toBe(left?.tokensWithout);
    expect(left?.cost).toBeGreaterThan(0);
  });

  test("without one, nothing is counted as an arm", async () => {
    const store = memoryStore();
    const { proxy } = await setStage(respondWithEvents, { store });
    await post(`${proxy.url}/v1/messages`, ["x-claude-code-session-id", named(true)], makeBody());
    expect((await store.listSessions())[0]?.arms).toEqual({ pruned: 0, heldOut: 0 });
  });
});
