import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { exportLedger, restoreMessages } from "../../src/edits/inverse.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { decodeMessages } from "../../src/formats/intake/decode.ts";
import { createPruner } from "../../src/pruner.ts";
import { textOf } from "../conversation.ts";
import { askLaws, runLive } from "../laws.ts";

/* Cline and Roo Code end every user message with what is open in the editor. The newest stays. */

const state = (minute: number, more = "") =>
  `<environment_details>\n# VSCode Visible Files\nsrc/f${minute}.ts\n\n# Current Time\n10:${minute} (UTC)\n${more}</environment_details>`;
const TREE = "\n# Current Workspace Directory (/w) Files\nREADME.md\nsrc/\n";

const text = (said: string) => ({ type: "text", text: said });
const user = (...texts: readonly string[]) => ({ role: "user", content: texts.map(text) });
const asks = (path: string) => ({
  role: "assistant",
  content: [text(`I read it.\n<read_file>\n<path>${path}</path>\n</read_file>`)],
});
const answers = (path: string, output: string, ...behind: readonly string[]) =>
  user(`[read_file for '${path}'] Result:`, output, ...behind);

/** A task and steps that each read another file. */
function write(steps: number, first = state(0)): readonly unknown[] {
  const messages: unknown[] = [user("<task>\nLook at these files.\n</task>", first)];
  for (let step = 1; step <= steps; step++) {
    const path = `src/f${step}.ts`;
    messages.push(asks(path), answers(path, textOf(60, step), state(step)));
  }
  return messages;
}

const EAGER: PartialConfig = { schedule: { mode: "eager" } };

/** The messages of the newest request, after all requests before it. */
function send(messages: readonly unknown[], config: PartialConfig = EAGER): readonly string[] {
  const live = createPruner({ format: "anthropic-messages", config });
  let sent: readonly unknown[] = [];
  for (let end = 1; end <= messages.length; end += 2)
    sent = live.prune(messages.slice(0, end), { session: "s" }).messages;
  return sent.map((message) => JSON.stringify(message));
}

/** The places of the messages that say how the editor is. */
function listStates(sent: readonly string[]): readonly number[] {
  return sent.flatMap((message, i) => (message.includes("environment_details>") ? [i] : []));
}

test("only the newest stays, and the one in the newest prompt; nothing else is touched", () => {
  const sent = send(write(4));
  expect(listStates(sent)).toEqual([0, 8]);
  expect(sent[8]).toContain("10:4 (UTC)");
  for (const message of [2, 4, 6])
    expect(sent[message]).toMatch(/"\[superseded: newer state · [0-9a-f]{6}\]"/);
  for (const step of [1, 2, 3])
    expect(sent[2 * step]).toContain(JSON.stringify(textOf(60, step)).slice(1, -1));
});

test("that of an older prompt goes, but for one with a section that the newest does not have", () => {
  const next = [asks("a.ts"), user("<feedback>\nGo on.\n</feedback>", state(9))];
  expect(listStates(send([...write(3), ...next]))).toEqual([8]);
  const sent = send([...write(3, state(0, TREE)), ...next]);
  expect(listStates(sent)).toEqual([0, 8]);
  expect(sent[0]).toContain("README.md");
});

test("with tools that the provider knows it is the same", () => {
  const call = (i: number) => ({
    role: "assistant",
    content: [{ type: "tool_use", id: `t${i}`, name: "read_file", input: { path: `src/f${i}.ts` } }],
  });
  const result = (i: number) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: `t${i}`, content: textOf(60, i) }, text(state(i))],
  });
  const messages = [
    user("<task>\nLook.\n</task>", state(0)),
    ...[1, 2, 3].flatMap((i) => [call(i), result(i)]),
  ];
  expect(listStates(send(messages))).toEqual([0, 6]);
});

test("it waits where a cut would cost a rewrite", () => {
  expect(listStates(send(write(5), {}))).toEqual([0, 2, 4, 6, 8, 10]);
});

test("nobody has said it, so it names no file of the task", () => {
  const [prompt] = decodeMessages(formatByName("anthropic-messages"), write(0));
  expect(prompt?.parts.map((part) => part.kind === "text" && part.synthetic === true)).toEqual([false, true]);
});

describe("what only looks like one stays", () => {
  const behind = [asks("a.ts"), answers("a.ts", "1", state(7)), asks("b.ts"), answers("b.ts", "2", state(8))];

  test.each<[string, { readonly role: string; readonly content: unknown }]>([
    ["a whole message", user(state(1))],
    ["a message that is one text", { role: "user", content: state(1) }],
    ["in the words of a person", user("Look at this:", `My log:\n${state(1)}`)],
    ["with words of a person behind it", user("Look at this:", `${state(1)}\nWhy is it empty?`)],
    ["two in one text", user("Look at this:", `${state(1)}\nand\n${state(2)}`)],
    [
      "without sections",
      user("Look at this:", "<environment_details>\nmy own words\n</environment_details>"),
    ],
  ])("%s", (_, message) => {
    const sent = send([message, ...behind]);
    expect(sent[0]).toBe(JSON.stringify(message));
    expect(listStates(sent)).toEqual([0, 4]);
  });

  test("in the output of a command", () => {
    const sent = send([
      user("<task>\nLook.\n</task>", state(0)),
      asks("a.ts"),
      answers("a.ts", state(1), state(2)),
    ]);
    expect(sent[2]).toContain("10:1 (UTC)");
  });
});

test("it comes back byte for byte, survives a restart, and all laws hold", () => {
  const messages = write(12, state(0, TREE));
  for (const mode of ["eager", "rent-or-buy"] as const) {
    const config = { schedule: { mode } };
    const pruned = createPruner({ format: "anthropic-messages", config }).prune(messages);
    const ledger = exportLedger(messages, pruned, pruned.report.edits);
    expect(restoreMessages(pruned.messages, ledger)).toEqual(messages);
    expect(pruned.messages.map((message) => JSON.stringify(message))).toEqual(send(messages, config));
    const session = { format: "anthropic-messages", messages, meta: messages.map(() => ({})) } as const;
    for (const agentTools of [false, true]) askLaws(runLive(session, { agentTools, config }, "none"));
  }
});
