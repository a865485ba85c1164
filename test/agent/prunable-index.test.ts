import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentView } from "../../src/agent/agent-view.ts";
import { findWaiting, listPrunable } from "../../src/agent/prunable.ts";
import { PrunableIndex } from "../../src/agent/prunable-index.ts";
import { createPruner, type Pruner, type PrunerOptions } from "../../src/pruner.ts";
import { Conversation, textOf } from "../conversation.ts";
import { render, scripts } from "../generate.ts";

/** The whole list, largest first, after processing only the changes. */
function expectSame(index: PrunableIndex, view: AgentView): number {
  index.update(view);
  const asked = new Set([...view.facts.transcript.parts.keys()].filter((part) => findWaiting(view, part)));
  const listed = listPrunable(view).toSorted((a, b) => b.tokens - a.tokens || a.part - b.part);
  expect(index.largest(Number.POSITIVE_INFINITY, asked)).toEqual(listed);
  expect(index.largest(2, asked)).toEqual(listed.slice(0, 2));
  return listed.length;
}

function viewAfter(pruner: Pruner, messages: readonly unknown[], meta: readonly object[]): AgentView {
  pruner.prune(messages, { meta });
  const view = pruner.agentView();
  if (!view) throw new Error("there is no session");
  return view;
}

/** The number of messages of each request in a session: any other number would undo the last request. */
function listRequests(messages: readonly unknown[]): readonly number[] {
  const isAnswer = (message: unknown) => (message as { role?: unknown } | undefined)?.role === "assistant";
  return [...messages.keys(), messages.length].filter(
    (end) => end > 0 && (end === messages.length || isAnswer(messages[end])),
  );
}

const SETTINGS: readonly (readonly [string, PrunerOptions])[] = [
  ["rent or buy", { agentTools: true }],
  // Without the agent's own pass, it may not cut a result that a newer one refers to.
  ["no passes", { agentTools: true, passes: [] }],
  ["eager", { agentTools: true, config: { schedule: { mode: "eager" } } }],
  ["pressed", { agentTools: true, config: { window: 2_000 } }],
];

test.each(SETTINGS)("equals a scan of the whole session, %s", (_, options) => {
  let listed = 0;
  fc.assert(
    fc.property(scripts({ reasoning: "plain" }), fc.array(fc.nat(200), { maxLength: 6 }), (script, ends) => {
      const { messages, meta } = render(script, "anthropic-messages");
      const pruner = createPruner(options);
      const index = new PrunableIndex();
      const undone = ends.map((end) => 1 + (end % messages.length));
      for (const end of [...listRequests(messages), ...undone]) {
        pruner.prune(messages.slice(0, end), { meta });
        const view = pruner.agentView();
        if (view) listed += expectSame(index, view);
      }
    }),
    { numRuns: 40 },
  );
  expect(listed).toBeGreaterThan(100);
});

test.each(SETTINGS)("parts with temporary protection, %s", (_, options) => {
  const conversation = new Conversation(textOf(90))
    .call("read", { filePath: "a.ts" }, textOf(400, 1))
    .call("context_recall", { ref: "a1b2c3" }, textOf(300, 2))
    .call("read", { filePath: "a.ts" }, "File unchanged since last read. Its text is in the earlier result.")
    .call("task", { prompt: "look" }, textOf(300, 3));
  for (let i = 0; i < 14; i++) conversation.call("bash", { command: `node ${i}.js` }, textOf(200 + i, i));
  const { messages, meta } = conversation.say(textOf(80, 4)).call("bash", { command: "ls" }, textOf(90));
  const pruner = createPruner(options);
  const index = new PrunableIndex();
  let listed = 0;
  for (const end of listRequests(messages))
    listed += expectSame(index, viewAfter(pruner, messages.slice(0, end), meta));
  expect(listed).toBeGreaterThan(0);
});
