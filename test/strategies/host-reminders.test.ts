import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { exportLedger, restoreMessages } from "../../src/edits/inverse.ts";
import { createPruner, type PrunerOptions } from "../../src/pruner.ts";
import { numbered, textOf } from "../conversation.ts";
import { askLaws, runLive } from "../laws.ts";

/* A reminder that the host adds to every read, word for word, is sent once: the newest stays. */

const REMINDER =
  "<system-reminder>\nWhenever you read a file, consider whether it is safe to change. You may always explain what " +
  "it does, write reports about it and answer questions, but you must not make it worse than it was.\n</system-reminder>\n";

const file = (seed: number, lines = 30) =>
  numbered(Array.from({ length: lines }, (_, i) => `const value${seed}x${i} = 1;\t`).join("\n"));
const trimmed = (view: string) => view.replaceAll(/^ +/gm, "");
const view = (seed: number, reminder = REMINDER) => `${file(seed)}\n\n${reminder}`;

interface Call {
  readonly name: string;
  readonly input: object;
  readonly output: string;
}

const read = (seed: number, output = view(seed)): Call => ({
  name: "Read",
  input: { file_path: `/src/f${seed}.ts` },
  output,
});
const run = (command: string, output: string): Call => ({ name: "Bash", input: { command }, output });

/** A session of steps, each with one or more calls. */
function write(steps: readonly (readonly Call[])[]): readonly unknown[] {
  const messages: unknown[] = [{ role: "user", content: "Look at these files." }];
  for (const [step, calls] of steps.entries()) {
    const id = (i: number) => `t${step}-${i}`;
    messages.push(
      {
        role: "assistant",
        content: calls.map(({ name, input }, i) => ({ type: "tool_use", id: id(i), name, input })),
      },
      {
        role: "user",
        content: calls.map(({ output }, i) => ({ type: "tool_result", tool_use_id: id(i), content: output })),
      },
    );
  }
  return messages;
}

const pruner = (config: PartialConfig, more: PrunerOptions = {}) =>
  createPruner({ ...more, format: "anthropic-messages", config });

/** Results in the newest request, after all requests before it. */
function send(messages: readonly unknown[], config: PartialConfig = {}): readonly string[] {
  const live = pruner(config);
  let sent: readonly unknown[] = [];
  for (let end = 3; end <= messages.length; end += 2)
    sent = live.prune(messages.slice(0, end), { session: "s" }).messages;
  return resultsIn(sent);
}

function resultsIn(messages: readonly unknown[]): readonly string[] {
  return messages.flatMap((message) => {
    const { content } = message as { content: unknown };
    const blocks = Array.isArray(content) ? content : [];
    return blocks.flatMap((block) => (block.type === "tool_result" ? [String(block.content)] : []));
  });
}

const count = (texts: readonly string[]) => texts.filter((text) => text.includes("<system-reminder>")).length;

describe("when it costs nothing", () => {
  test("results of one step: only the newest is sent with it, and the files stay whole", () => {
    const texts = send(write([[read(0), read(1), read(2)]]));
    expect(texts).toEqual([trimmed(file(0)), trimmed(file(1)), `${trimmed(file(2))}\n\n${REMINDER}`]);
  });

  test("in any mode without a cache to break", () => {
    const texts = send(write([[read(0)], [read(1)], [read(2)], [read(3)]]), { schedule: { mode: "eager" } });
    expect(texts).toEqual([
      ...[0, 1, 2].map((seed) => trimmed(file(seed))),
      `${trimmed(file(3))}\n\n${REMINDER}`,
    ]);
  });

  test("two equal ones are not enough, nor are three different ones", () => {
    expect(count(send(write([[read(0), read(1)]])))).toBe(2);
    const other = (day: number) => REMINDER.replace("Whenever", `It is day ${day}. Whenever`);
    const calls = [1, 2, 3].map((day) => read(day, view(day, other(day))));
    expect(count(send(write([calls])))).toBe(3);
  });
});

describe("when a cut would cost a rewrite", () => {
  const list = (length: number) => Array.from({ length }, (_, i) => [read(i)]);

  test("it waits", () => {
    expect(count(send(write(list(12))))).toBe(12);
  });

  test("it is cut with a cut before it, and the newest stays", () => {
    const messages = write([[run("make", textOf(20_000))], ...list(12)]);
    const live = pruner({ schedule: { ingestCap: null } });
    const sent = messages.flatMap((_, i) => {
      if (i % 2 === 1 || i === 0) return [];
      const { messages: now, report } = live.prune(messages.slice(0, i + 1), { session: "s" });
      return [{ texts: resultsIn(now), reason: report.cut?.reason }];
    });
    const bought = sent.filter(({ reason }) => reason === "rent-paid");
    expect(bought.map(({ texts }) => count(texts))).toEqual([1]);
    expect(bought[0]?.texts.at(-1)).toContain(REMINDER);
    const texts = sent.at(-1)?.texts ?? [];
    for (const [i, text] of texts.slice(1).entries()) expect(text).toContain(trimmed(file(i)));
    expect(texts.at(-1)).toContain(REMINDER);
  });
});

describe("with a cut of its own result", () => {
  const config: PartialConfig = {
    strategies: { aggressivePruning: { aggressiveFilePrune: true } },
    schedule: { mode: "eager" },
  };

  test("it is cut if a newer result has it", () => {
    const texts = send(write([[read(0)], [read(1)], [read(2)], [read(0)], [read(1)], [read(2)]]), config);
    for (const text of texts.slice(0, 3)) expect(text).toMatch(/^\[superseded: [^\n]*\]$/);
    expect(texts.map((text) => count([text]))).toEqual([0, 0, 0, 0, 0, 1]);
  });

  test("it stays if too few results have it, and in the newest, whatever is cut", () => {
    const few = send(write([[read(0)], [read(0)]]), config);
    expect(few[0]).toMatch(/^\[superseded: [^\n]*\]\n<system-reminder>/);
    const edit = { name: "Write", input: { file_path: "/src/f2.ts", content: "1" }, output: "ok" };
    const newest = send(write([[read(0)], [read(1)], [read(2)], [edit]]), config);
    expect(newest[2]).toMatch(/^\[superseded: [^\n]*\]\n<system-reminder>/);
    expect(count(newest)).toBe(1);
  });
});

test("after the tag of a result that was sent before, a reminder is still recognised", () => {
  const config: PartialConfig = { schedule: { mode: "eager" } };
  const tagged = resultsIn(pruner(config, { agentTools: true }).prune(write([[read(0)]])).messages);
  expect(tagged[0]).toMatch(/<\/system-reminder>\n\n<tool_hash>[0-9a-f]{6}<\/tool_hash>$/);
  const texts = send(write([[read(0, tagged[0])], [read(0)]]), config);
  expect(texts[0]).toMatch(/^\[superseded: [^\n]*\]\n<system-reminder>/);
});

describe("text that only looks like one stays", () => {
  test.each<[string, Call]>([
    ["in the output of a command", run("cat notes.txt && make", `${textOf(100)}\n\n${REMINDER}`)],
    ["in the lines of a file", read(0, numbered(`${textOf(100)}\n\n${REMINDER}`))],
    ["of a server's own tool", { name: "mcp__docs__read_file", input: { path: "a" }, output: view(0) }],
  ])("%s", (_, call) => {
    const texts = send(write([[call, call, call, read(9)]]), { schedule: { mode: "eager" } });
    expect(texts[2]).toContain("<system-reminder>");
  });
});

test("it comes back byte for byte, survives a restart, and all laws hold", () => {
  const messages = write([
    [read(0), read(1), read(2)],
    [run("make", textOf(900))],
    [read(3)],
    [read(0)],
    ...Array.from({ length: 8 }, (_, i) => [run(`make ${i}`, textOf(300, i)), read(10 + i)]),
  ]);
  for (const mode of ["eager", "rent-or-buy"] as const) {
    const config = { schedule: { mode } };
    const pruned = pruner(config).prune(messages);
    expect(pruned.report.edits.some(({ edit }) => edit.author === "host-reminders")).toBe(true);
    const ledger = exportLedger(messages, pruned, pruned.report.edits);
    expect(restoreMessages(pruned.messages, ledger)).toEqual(messages);
    expect(resultsIn(pruned.messages)).toEqual(send(messages, config));
    const session = { format: "anthropic-messages", messages, meta: messages.map(() => ({})) } as const;
    for (const agentTools of [false, true]) askLaws(runLive(session, { agentTools, config }, "none"));
  }
});
