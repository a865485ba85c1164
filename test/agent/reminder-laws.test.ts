import fc from "fast-check";
import { expect, test } from "vitest";
import { createReminder } from "../../src/agent/reminder.ts";
import { formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { decodeMessage } from "../../src/formats/intake/decode.ts";
import { requestEnds } from "../../src/formats/intake/request-ends.ts";
import { stripNote } from "../../src/formats/note.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import { createPruner, type PruneResult, type Pruner } from "../../src/pruner.ts";
import { render, scripts } from "../generate.ts";

const remind = createReminder({
  todoReminder: { enabled: true, initialTurns: 2, repeatTurns: 1, stuckTaskTurns: 2 },
  automataMode: { enabled: true, initialTurns: 2 },
});

const RULES = [
  ["none", "none"],
  ["field", "plain"],
  ["signed", "signed"],
] as const;
const FORMATS: readonly FormatName[] = ["opencode", "openai-chat", "anthropic-messages"];

test.each(RULES)("the laws that a note affects hold; reasoning: %s", (reasoning, thinking) => {
  let notes = 0;
  const profile = { ...profileFor("gpt-5"), reasoning };
  fc.assert(
    fc.property(scripts({ reasoning: thinking }), fc.constantFrom(...FORMATS), (script, name) => {
      const format = formatByName(name);
      const session = render(script, name);
      const decoded = session.messages.map((message, i) => decodeMessage(format, message, session.meta[i]));
      const prune = (pruner: Pruner, end: number) => {
        const result: PruneResult<unknown> = pruner.prune(session.messages.slice(0, end), {
          meta: session.meta,
        });
        const facts = pruner.agentView()?.facts;
        const { pressure } = result.report;
        // A stale item, so that there is something to report at any pressure.
        const listStale = () => [{ ref: "a1b2c3", label: "read a.ts", tokens: 900 }];
        return {
          result,
          note: facts && remind(facts, { profile, pressure, listPrunable: () => [], listStale }),
        };
      };
      const live = createPruner({ format: name });
      for (const end of requestEnds(decoded)) {
        const { result, note } = prune(live, end);
        if (note === undefined) continue;
        notes++;
        // 1 deterministic: a cold replay, and an undo and a redo, give the same note
        expect(prune(createPruner({ format: name }), end).note).toBe(note);
        prune(live, Math.ceil(end / 2));
        expect(prune(live, end).note).toBe(note);
        const placed = format.placeNote(result.messages, note);
        // 2 paired
        const codes = (messages: readonly unknown[]) =>
          format.validate(messages, reasoning).map(({ code }) => code);
        expect(codes(placed.messages)).toEqual(codes(result.messages));
        // 5 invertible
        expect(JSON.stringify(stripNote(placed))).toBe(JSON.stringify(result.messages));
        // 7 prefix-stable, 8 lossless: everything before the note is unchanged
        const kept = result.messages.slice(0, placed.added === "message" ? undefined : -1);
        for (const [i, message] of kept.entries()) expect(placed.messages[i]).toBe(message);
      }
    }),
    { numRuns: 25 },
  );
  expect(notes).toBeGreaterThan(10);
});
