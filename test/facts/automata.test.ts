import { expect, test } from "vitest";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { Automata } from "../../src/facts/automata.ts";
import type { Part } from "../../src/transcript/part.ts";
import { Transcript } from "../../src/transcript/transcript.ts";
import { Conversation } from "../conversation.ts";

const sinceIn = (messages: readonly unknown[]) => new MessageBench(messages).facts.automata.since;

test.each<[string, boolean]>([
  ["Use automata mode.", true],
  ["AUTOMATA", true],
  ["Explain cellular automata!", true],
  ["automatable", false],
  ["my_automata", false],
  ["éautomata", false],
  ["automatic", false],
  ["<system-reminder>automata</system-reminder>go on", false],
  ["<system-reminder>x</system-reminder>automata", true],
  ["automata <system-reminder>never closed", true],
])("%j: %s", (text, expected) => {
  expect(sinceIn([{ role: "user", content: text }]) !== undefined).toBe(expected);
});

test("since the step before its first use", () => {
  const asked = new Conversation("Go.")
    .call("bash", {}, "x")
    .say("automata")
    .call("bash", {}, "x")
    .say("automata");
  expect(sinceIn(asked.messages)).toBe(1);
});

test("from a tool, the model or the system it has no effect", () => {
  const { messages } = new Conversation("Go.")
    .call("bash", { command: "automata" }, "automata")
    .answer("automata");
  expect(sinceIn([{ role: "system", content: "automata" }, ...messages])).toBeUndefined();
  const result = { type: "tool_result", tool_use_id: "t", content: "automata" };
  const call = { type: "tool_use", id: "t", name: "bash", input: {} };
  expect(
    sinceIn([
      { role: "user", content: "Go." },
      { role: "assistant", content: [call] },
      { role: "user", content: [result] },
    ]),
  ).toBeUndefined();
});

test("in the host's text in a person's name it has no effect, and a rollback undoes it", () => {
  const transcript = new Transcript();
  const automata = new Automata(transcript);
  const say = (synthetic: boolean) => {
    const leaves = [{ id: "text", text: "automata" }];
    const part: Part = {
      kind: "text",
      slot: "0",
      role: "user",
      leaves,
      ...(synthetic && { synthetic: true }),
    };
    transcript.append([part], 0, true);
    automata.ingest(transcript.length - 1, transcript.length);
    return automata.since;
  };
  expect(say(true)).toBeUndefined();
  const mark = transcript.undoLog.mark();
  expect(say(false)).toBe(0);
  transcript.rollback(mark);
  expect(automata.since).toBeUndefined();
});
