import fc from "fast-check";
import { expect, test } from "vitest";
import { FORMAT_NAMES, formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { decodeMessages } from "../../src/formats/intake/decode.ts";
import { requestEnds } from "../../src/formats/intake/request-ends.ts";
import { createPruner } from "../../src/pruner.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { listNewIssues } from "../../src/replay/legality.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import type { ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { render, scripts } from "../generate.ts";
import { call, makeRecording, result, user } from "../replay/make-recording.ts";

/** Reminders at every step, and a window that is soon full. */
const OPTIONS = {
  agentTools: true,
  prefixTokens: 1_000,
  config: {
    window: 12_000,
    tools: { todoReminder: { initialTurns: 1, repeatTurns: 1 } },
    strategies: { pruneProtect: 500, aggressivePruning: { preset: "compact" as const } },
  },
};

/** How many requests of generated sessions have a note, and how many contain text that this provider refuses. */
function play(name: FormatName, model: string): { readonly notes: number; readonly refused: number } {
  const format = formatByName(name);
  let notes = 0;
  let refused = 0;
  fc.assert(
    fc.property(scripts({ reasoning: "plain" }), (script) => {
      const { messages } = render(script, name);
      const pruner = createPruner({ ...OPTIONS, format: name });
      for (const end of requestEnds(decodeMessages(format, messages))) {
        const input = messages.slice(0, end);
        const pruned = pruner.prune(input, { model });
        if (pruned.note) notes++;
        const rules = { reasoning: "none", userAfterResult: false } as const;
        if (listNewIssues(format, pruned.messages, input, rules).some(({ code }) => code === "role-order"))
          refused++;
      }
    }),
    { numRuns: Number(process.env.LAW_RUNS ?? 12) },
  );
  return { notes, refused };
}

test.each(FORMAT_NAMES)("%s: no user text directly after a result, for a model that refuses it", (name) => {
  const { notes, refused } = play(name, "devstral-medium-latest");
  expect(refused).toBe(0);
  expect(notes).toBeGreaterThan(0);
});

test("the same for a model that accepts it: there it is", () => {
  expect(play("openai-chat", "gpt-5").refused).toBeGreaterThan(10);
});

const LINES = [
  user("go"),
  ...Array.from({ length: 8 }, (_, i) => [
    call(`c${i}`, "bash", { command: `npm test ${i}` }),
    result(`c${i}`, "ok"),
  ]),
].flat();
const lines = LINES.map(({ message, meta }) => ({
  message,
  meta: { ...meta, model: "devstral-medium-latest" },
}));
const noteAtEnd: ReplayPolicy = {
  name: "note at the end",
  start: () => (messages) => [...messages, { role: "user", content: "Mind the todos." }],
};

test("a replay finds it, and finds none of ours", () => {
  const prices = { "*": { read: 0.1 } };
  const theirs = replayRecording(makeRecording(lines), noteAtEnd, { prices });
  expect(theirs.requests.map(({ illegal }) => illegal.length)).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
  const ours = replayRecording(makeRecording(lines), coppicePolicy(OPTIONS), { prices });
  expect(ours.requests.flatMap(({ illegal }) => illegal)).toEqual([]);
});
