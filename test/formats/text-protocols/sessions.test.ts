import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../../src/config/config.ts";
import { applyLedger } from "../../../src/edits/apply.ts";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { placeMarks } from "../../../src/fold/place-marks.ts";
import { formatByName } from "../../../src/formats/detect.ts";
import type { FormatName } from "../../../src/formats/format.ts";
import { decodeMessages } from "../../../src/formats/intake/decode.ts";
import { takeIn } from "../../../src/formats/intake/intake.ts";
import type { OwnProtocol } from "../../../src/formats/text-protocols/own-protocol.ts";
import { createPruner, type PruneResult } from "../../../src/pruner.ts";
import { pruneRecordingText } from "../../../src/recordings/prune-file.ts";
import { restoreRecordingText } from "../../../src/recordings/restore-file.ts";
import type { Session } from "../../generate.ts";
import { askLaws, runLive } from "../../laws.ts";
import { dropPlan } from "../../plans.ts";
import { WRITERS, type Writer, writeSession } from "./text-sessions.ts";

const EAGER: PartialConfig = { schedule: { mode: "eager" } };

function prune({ messages, meta, format }: Session, config = EAGER): PruneResult<unknown> {
  return createPruner({ config, format }).prune(messages, { meta });
}

function textsOf(messages: readonly unknown[]): readonly string[] {
  return messages.map((message) => JSON.stringify(message));
}

describe.each(WRITERS)("$name", (writer) => {
  const session = writeSession(writer);

  test("outputs are cut, and the marks around them stay", () => {
    const { messages, report } = prune(session);
    const changed = textsOf(messages).filter((text, i) => text !== JSON.stringify(session.messages[i]));
    expect(changed.length).toBeGreaterThan(5);
    expect(report.edits.length).toBeGreaterThan(5);
    expect(messages.length).toBe(session.messages.length);
    for (const text of changed)
      for (const mark of writer.marks) expect(text).toContain(JSON.stringify(mark).slice(1, -1));
  });

  test("answers stay unchanged", () => {
    const { messages } = prune(session);
    for (const [i, message] of messages.entries()) if (i % 2 === 1) expect(message).toBe(session.messages[i]);
  });

  test.each(["rent-or-buy", "eager", "pressure"] as const)("every law holds, %s", (mode) => {
    const config = { schedule: { mode }, strategies: { pruneProtect: 2_000 }, window: 12_000 };
    askLaws(runLive(session, { agentTools: mode === "eager", config, prefixTokens: 2_000 }, "none"));
  });

  test("a pruner that knows the conversation gives the same result as a new one", () => {
    const pruner = createPruner({ config: EAGER, format: session.format });
    for (let end = 2; end <= session.messages.length; end++) {
      const [messages, meta] = [session.messages.slice(0, end), session.meta.slice(0, end)];
      const warm = pruner.prune(messages, { meta });
      const cold = prune({ ...session, messages, meta });
      expect(JSON.stringify(warm.messages)).toBe(JSON.stringify(cold.messages));
      expect(warm.report.edits).toEqual(cold.report.edits);
    }
  });

  test("a file is pruned, and restored byte for byte", () => {
    const file = JSON.stringify(session.messages, null, 1);
    const pruned = pruneRecordingText(file);
    if (!pruned.ok) throw new Error(pruned.issue.message);
    expect(pruned.value.report).toMatchObject({ left: 0 });
    expect(pruned.value.report.cuts).toBeGreaterThan(5);
    for (const mark of writer.marks)
      expect(pruned.value.text.split(JSON.stringify(mark).slice(1, -1)).length).toBe(
        file.split(JSON.stringify(mark).slice(1, -1)).length,
      );
    expect(restoreRecordingText(pruned.value.text, pruned.value.restoreFile)).toEqual({
      ok: true,
      value: file,
    });
  });
});

describe("a protocol of the user's own", () => {
  const rule: OwnProtocol = {
    call: { begin: "<run>", end: "</run>" },
    result: { begin: "<out>", end: "</out>" },
  };
  const writer: Omit<Writer, "name" | "marks"> = {
    format: "openai-chat",
    answer: ({ command }) => `I run <run>${command}</run>.`,
    content: ({ output }) => `<out>${output}</out>\nGo on.`,
  };
  const session = writeSession(writer);

  test("without the rule nothing is cut", () => {
    expect(prune(session).report.edits).toEqual([]);
  });

  test("with the rule outputs are cut, and their marks stay", () => {
    const { messages, report } = prune(session, { ...EAGER, textProtocols: [rule] });
    expect(report.edits.length).toBeGreaterThan(5);
    for (const message of messages as { role: string; content: string }[])
      if (message.content.startsWith("<out>")) expect(message.content).toMatch(/<\/out>\nGo on\.$/);
  });

  test("recorded edits are applied to the same messages", () => {
    const { messages, report } = prune(session, { ...EAGER, textProtocols: [rule] });
    const again = applyLedger(formatByName("openai-chat"), session.messages, report.edits, [rule]);
    expect(again.messages).toEqual(messages);
  });

  test("a file is pruned by it too", () => {
    const file = JSON.stringify(session.messages);
    const pruned = pruneRecordingText(file, { config: { textProtocols: [rule] } });
    if (!pruned.ok) throw new Error(pruned.issue.message);
    expect(pruned.value.report.cuts).toBeGreaterThan(5);
    expect(restoreRecordingText(pruned.value.text, pruned.value.restoreFile)).toEqual({
      ok: true,
      value: file,
    });
  });
});

describe("in other formats", () => {
  const [{ answer, content }] = WRITERS as [Writer];
  const chat = writeSession({ format: "openai-chat", answer, content });

  test.each<readonly [FormatName, (role: string, text: string) => unknown]>([
    ["gemini", (role, text) => ({ role: role === "user" ? role : "model", parts: [{ text }] })],
    ["ai-sdk", (role, text) => ({ role, content: [{ type: "text", text }] })],
    ["openai-responses", (role, content) => ({ type: "message", role, content })],
    ["openai-agents", (role, text) => toAgentItem(role, text)],
    ["anthropic-messages", (role, content) => ({ role, content })],
  ])("%s", (format, write) => {
    const messages = (chat.messages as { role: string; content: string }[]).map(({ role, content: text }) =>
      write(role, text),
    );
    const session = { ...chat, format, messages };
    expect(prune(session).report.edits.length).toBe(prune(chat).report.edits.length);
    askLaws(runLive(session, { config: EAGER }, "none"));
  });
});

function toAgentItem(role: string, text: string): unknown {
  return role === "user"
    ? { type: "message", role, content: text }
    : { type: "message", role, status: "completed", content: [{ type: "output_text", text }] };
}

describe("calls written as text are never dropped", () => {
  test.each(WRITERS)("$name", (writer) => {
    const { messages, format } = writeSession(writer);
    const bench = new MessageBench(messages, { format });
    const { parts, lastStep, step } = bench.transcript;
    const refused = parts.flatMap((_, part) => {
      if (step[part] === 0 || step[part] === lastStep) return [];
      const cut = bench.cut(dropPlan(part));
      return cut.ok ? ["dropped"] : [cut.issue.refusal.code];
    });
    expect([...new Set(refused)]).toEqual(["call-in-text"]);
  });
});

test("a cache mark on a block is after that block, whatever parts were made from it", () => {
  const cline = WRITERS.find(({ name }) => name === "Cline") as Writer;
  const { messages, format } = writeSession(cline);
  const { transcript } = takeIn(decodeMessages(formatByName(format), messages.slice(0, 3)));
  expect(transcript.parts.map(({ kind }) => kind)).toEqual([
    "text",
    "text",
    "text",
    "call",
    "result",
    "text",
  ]);
  const placeOf = (block: number) => placeMarks(transcript, [{ message: 2, block }], undefined)[0]?.blocks;
  expect([0, 1, 2].map(placeOf)).toEqual([3, 5, 6]);
});

test("an output is read again if the answer before it has changed", () => {
  const [writer] = WRITERS as [Writer];
  const session = writeSession(writer);
  const pruner = createPruner({ config: EAGER, format: session.format });
  pruner.prune(session.messages, { meta: session.meta });
  const messages = session.messages.with(3, { role: "assistant", content: "I need no command for that." });
  const fork = pruner.prune(messages, { meta: session.meta });
  const cold = prune({ ...session, messages });
  expect(JSON.stringify(fork.messages)).toBe(JSON.stringify(cold.messages));
  expect(fork.report.edits).toEqual(cold.report.edits);
  expect(fork.messages[4]).toBe(messages[4]);
});
