import { expect, test } from "vitest";
import { markMessage } from "../../src/wires/cache-marks.ts";
import { startProvider } from "./provider.ts";

const LONG = "One more word. ".repeat(500);
const CALL = { type: "tool_use", id: "c", name: "read", input: {} };
const ASKED = { role: "assistant", content: [CALL] };
const RESULT = { type: "tool_result", tool_use_id: "c", content: LONG };
const THOUGHT = { type: "thinking", thinking: "Hm.", signature: "s" };

test.each([
  ["a text", [], { role: "user", content: [{ type: "text", text: LONG }] }],
  ["a text without a block", [], { role: "user", content: LONG }],
  ["a result", [{ role: "user", content: "Read." }, ASKED], { role: "user", content: [RESULT] }],
])("our mark on %s: the provider accepts it, and an entry ends there", async (_, before, message) => {
  const provider = await startProvider(() => ({ text: "Yes." }));
  const messages = [...before, markMessage(message, undefined)];
  const body = JSON.stringify({ model: "claude-sonnet-4-5", messages });
  for (let i = 0; i < 2; i++) await fetch(`${provider.url}/v1/messages`, { method: "POST", body });
  await provider.close();
  expect(provider.refused).toEqual([]);
  expect(provider.billed[1]).toMatchObject({ input: 0, cacheWrite: 0 });
  expect(provider.billed[1]?.cacheRead).toBeGreaterThan(1_024);
});

test.each([
  ["thinking", { role: "assistant", content: [THOUGHT] }],
  ["a blank text", { role: "user", content: [{ type: "text", text: " " }] }],
  ["nothing", { role: "user", content: [] }],
])("%s can't have our mark", (_, message) => {
  expect(markMessage(message, undefined)).toBeUndefined();
});
