import fc from "fast-check";
import { expect, test } from "vitest";
import { Conversations } from "../../../src/hosts/conversation/conversations.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { Conversation, textOf } from "../../conversation.ts";

const QUESTION = { role: "user", content: "Summarize what was done." };
const FORMAT = { format: "openai-chat", model: "claude-sonnet-4-5" } as const;

/** A file read twice, among others. */
const talk = () =>
  Array.from({ length: 8 }).reduce<Conversation>(
    (conversation, _, i) => conversation.call("read", { filePath: `${i % 3}.ts` }, textOf(800, i % 3)),
    new Conversation(),
  );

test("a question without tools about a conversation with calls shows its cuts, and cuts nothing new", async () => {
  const conversations = new Conversations({ schedule: { mode: "eager" } });
  const { messages } = talk();
  const sent = await conversations.prune(messages, FORMAT);
  const asked = await conversations.prune([...messages, QUESTION], { ...FORMAT, hasTools: false });
  expect(sent.report.edits.length).toBeGreaterThan(0);
  expect(asked.report.edits).toEqual(sent.report.edits);
  expect(asked.messages.slice(0, -1)).toEqual(sent.messages);
});

test("such a question about an agent that has our tools shows the agent's cuts, without tags", async () => {
  const conversations = new Conversations({ schedule: { ingestCap: null } });
  const conversation = talk();
  const sent = await conversations.prune(conversation.messages, { ...FORMAT, agentTools: true });
  const ref = /<tool_hash>([0-9a-f]{6})/.exec(JSON.stringify(sent.messages))?.[1] ?? "";
  const input = { action: "discard", targets: [[ref]] };
  sent.answered({ calls: ["call_8"] });
  conversation.call(
    "context_prune",
    input,
    conversations.answer("context_prune", input, { callId: "call_8" }),
  );
  const pruned = await conversations.prune(conversation.messages, { ...FORMAT, agentTools: true });
  expect(pruned.report.edits.map(({ edit }) => edit.author)).toContain("agent");
  const asked = await conversations.prune([...conversation.messages, QUESTION], {
    ...FORMAT,
    hasTools: false,
  });
  expect(asked.report.edits).toEqual(pruned.report.edits);
  expect(JSON.stringify(asked.messages)).not.toContain("_hash>");
});

test("a chat without tools is not a client's own question", async () => {
  const conversations = new Conversations({ window: 6_000, schedule: { ingestCap: null } });
  const messages = [1, 2, 3, 4].flatMap((i) => [
    { role: "user", content: `\`\`\`\n${textOf(1_500, i)}\n\`\`\`` },
    { role: "assistant", content: "I see." },
  ]);
  const turn = await conversations.prune([...messages, QUESTION], { ...FORMAT, hasTools: false });
  expect(turn.report.edits.length).toBeGreaterThan(0);
});

test("without a store, every report says what a restart may cost; with one, none does", async () => {
  const codes = async (conversations: Conversations) =>
    (await conversations.prune(talk().messages, FORMAT)).report.issues.map(({ code }) => code);
  expect(await codes(new Conversations())).toContain("journal-in-memory");
  expect(await codes(new Conversations({ store: memoryStore() }))).not.toContain("journal-in-memory");
});

test("the row of a request is written before it is sent, and its answer when it arrives", async () => {
  const store = memoryStore();
  const turn = await new Conversations({ store, clock: () => 7 }).prune(talk().messages, FORMAT);
  const [row] = await store.readRequests([turn.report.key]);
  expect(row).toMatchObject({ terms: { time: 7, model: "claude-sonnet-4-5" } });
  const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 };
  turn.answered({ usage, model: "claude-sonnet-4-5-20250929" });
  const [answered] = await store.readRequests([turn.report.key]);
  expect(answered).toMatchObject({ usage, answeredBy: "claude-sonnet-4-5-20250929" });
});

test("a call from outside gets an answer for any input, and accepts nothing that does not exist", async () => {
  const complaints: string[] = [];
  const conversations = new Conversations({ onIssue: (_, text) => complaints.push(text) });
  for (const prompt of ["Alpha.", "Beta."]) {
    const talk = new Conversation(prompt).call("read", { filePath: "a.ts" }, textOf(800));
    await conversations.prune(talk.messages, { ...FORMAT, agentTools: true });
  }
  const tool = fc.constantFrom("context_prune", "context_recall", "context_info", "rm");
  const target = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("a1b2c3", "a1b2c3@9f2c", ["a1b2c3@ff"], ["x", "y", "z"]),
  );
  const input = fc.oneof(
    fc.jsonValue(),
    fc.record({
      action: fc.constantFrom("discard", "replace", "restore", 7),
      targets: fc.oneof(fc.array(target), target),
      ref: target,
    }),
  );
  const hints = fc.record({ callId: fc.string(), session: fc.string() }, { requiredKeys: [] });
  fc.assert(
    fc.property(tool, input, hints, (name, given, said) => {
      const answer = conversations.answerOutside({ tool: name, input: given, ...said });
      expect(answer).not.toBe("");
      expect(answer).not.toMatch(/^(?:Cut|Restored): /m);
    }),
  );
  expect(complaints).toEqual([]);
});

test("an unknown tool, and a call of no conversation, still get an answer", () => {
  const conversations = new Conversations();
  expect(conversations.answer("rm", {}, { callId: "x" })).toBe("There is no tool rm.");
  expect(conversations.answer("context_info", {}, { callId: "x" })).toBe(
    "Nothing was sent in this conversation yet.",
  );
});
