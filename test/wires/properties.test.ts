import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySplices, invertSplices } from "../../src/basics/splices.ts";
import { createPruner } from "../../src/pruner.ts";
import { PRESET_NAMES } from "../../src/strategies/pass-setting.ts";
import type { WireRequest } from "../../src/wires/wire.ts";
import { planSplices } from "../../src/wires/write-messages.ts";
import { render, scripts } from "../generate.ts";
import { bodyOf, mustReadBody, WIRE_OF, wireNamed } from "./bodies.ts";
import { makeDice, writeOdd } from "./odd-json.ts";

/** The rules for a pruned body; returns whether anything changed. */
function checkWritten(
  request: WireRequest,
  messages: readonly unknown[],
  sources: readonly (number | undefined)[],
): boolean {
  const { body, place } = request;
  const wire = wireNamed(request.format as "openai-chat");
  const written = wire.write(request, messages, sources);
  if (written === undefined) throw new Error("not written");
  const parsed = JSON.parse(written);
  expect(parsed).toStrictEqual({ ...JSON.parse(body), [place.path[0] ?? ""]: messages });
  if (written === body) return false;
  const splices = planSplices(request, messages, sources) ?? [];
  expect(applySplices(body, splices)).toBe(written);
  let [back, at] = ["", 0];
  for (const { at: from, length, was } of invertSplices(body, splices)) {
    back += written.slice(at, from) + was;
    at = from + length;
  }
  expect(back + written.slice(at) === body).toBe(true);
  return true;
}

describe.each(["anthropic-messages", "openai-chat", "openai-responses"] as const)("%s", (format) => {
  test("a pruned body contains the pruner's messages, in the client's own spelling", () => {
    let changed = 0;
    fc.assert(
      fc.property(
        scripts({ reasoning: "plain" }),
        fc.constantFrom(...PRESET_NAMES),
        fc.boolean(),
        fc.integer(),
        (script, preset, agentTools, seed) => {
          const session = render(script, format);
          const body = writeOdd(bodyOf(WIRE_OF[format] ?? "openai-chat", session.messages), makeDice(seed));
          const request = mustReadBody(format, body);
          expect(request.messages).toEqual(session.messages);
          expect(wireNamed(format).write(request, [...request.messages], [])).toBe(body);
          const strategies = { aggressivePruning: { preset }, pruneProtect: 500 };
          const pruner = createPruner({
            agentTools,
            config: { schedule: { mode: "eager" }, strategies, window: 12_000 },
          });
          const { messages, sources } = pruner.prune(request.messages, { meta: session.meta });
          if (checkWritten(request, messages, sources)) changed++;
        },
      ),
      { numRuns: 60 },
    );
    expect(changed).toBeGreaterThan(40);
  });
});

test("messages that are copies, not the same objects, leave the body unchanged", () => {
  fc.assert(
    fc.property(scripts({ reasoning: "signed" }), fc.integer(), (script, seed) => {
      const { messages } = render(script, "anthropic-messages");
      const body = writeOdd(bodyOf("anthropic-messages", messages), makeDice(seed));
      const request = mustReadBody("anthropic-messages", body);
      const copies = structuredClone(request.messages);
      expect(wireNamed("anthropic-messages").write(request, copies, [...copies.keys()])).toBe(body);
    }),
    { numRuns: 50 },
  );
});
