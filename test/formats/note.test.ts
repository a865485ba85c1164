import { expect, test } from "vitest";
import { formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";

const place = (format: FormatName, messages: readonly unknown[]) =>
  formatByName(format).placeNote(messages, "note");

const result = {
  type: "tool_result",
  tool_use_id: "t",
  content: "done",
  cache_control: { type: "ephemeral" },
};

test.each<[string, FormatName, unknown, unknown]>([
  [
    "Anthropic, in a tool loop: behind the results, in their message; the cache mark stays where it was",
    "anthropic-messages",
    { role: "user", content: [result] },
    { role: "user", content: [result, { type: "text", text: "note" }] },
  ],
  [
    "OpenAI chat, in a tool loop: a user message behind the tool messages",
    "openai-chat",
    { role: "tool", tool_call_id: "t", content: "done" },
    { role: "user", content: "note" },
  ],
])("%s", (_, format, last, expected) => {
  expect(place(format, [{ role: "user", content: "go" }, last]).messages.at(-1)).toEqual(expected);
});

test("Anthropic: a user's plain text stays the very same object", () => {
  const prompt = { role: "user", content: "go" };
  expect(place("anthropic-messages", [prompt]).messages).toEqual([prompt, { role: "user", content: "note" }]);
  expect(place("anthropic-messages", [prompt]).messages[0]).toBe(prompt);
});

test("OpenCode: a synthetic message with the fields of the newest user message, and no state of its own", () => {
  const common = { sessionID: "ses_1", agent: "build", model: { providerID: "p", modelID: "m" } };
  const user = (id: string, created: number) => ({
    info: { role: "user", id, time: { created }, ...common, summary: { diffs: [] }, system: "Be brief." },
    parts: [{ type: "text", text: id, id: `prt_${id}`, sessionID: "ses_1", messageID: id }],
  });
  const assistant = {
    info: { role: "assistant", id: "msg_2", sessionID: "ses_1", time: { created: 3 } },
    parts: [],
  };
  expect(place("opencode", [user("msg_0", 1), user("msg_1", 2), assistant]).messages.at(-1)).toEqual({
    info: { role: "user", id: "msg_coppice_note", time: { created: 2 }, ...common },
    parts: [
      {
        type: "text",
        text: "note",
        synthetic: true,
        id: "prt_coppice_note",
        sessionID: "ses_1",
        messageID: "msg_coppice_note",
      },
    ],
  });
});

test("OpenCode: a reminder that is read back is not part of the session", () => {
  const format = formatByName("opencode");
  const { messages } = format.placeNote([], "<system-reminder>\nnote\n</system-reminder>");
  expect(format.decode(messages[0]).parts.every(({ transient }) => transient)).toBe(true);
});
