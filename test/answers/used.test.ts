import { describe, expect, test } from "vitest";
import { formatByName } from "../../src/formats/detect.ts";
import { decodeMessages } from "../../src/formats/intake/decode.ts";
import { stripNote } from "../../src/formats/note.ts";
import type { PruneResult, PrunerOptions } from "../../src/pruner.ts";
import { countPart } from "../../src/transcript/transcript.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { textOf } from "../conversation.ts";

const PREFIX = 2_000;

/** Tokens of a request: the text before the messages, and the messages without a final reminder. */
function countSent({ messages, note }: PruneResult<unknown>): number {
  const own = note ? stripNote({ messages, added: note }) : messages;
  const parts = decodeMessages(formatByName("openai-chat"), own).flatMap((message) => message.parts);
  return PREFIX + parts.reduce((sum, part) => sum + countPart(part), 0);
}

/** The figures in `context_info`, and in a reminder. */
function readUsed(session: AgentSession, result: PruneResult<unknown>): { info: number; share: string } {
  const [, used = ""] = /^Context: ([\d,]+) of/.exec(session.info()) ?? [];
  const [, share = ""] = /Context: (\d+)% of/.exec(JSON.stringify(result.messages.at(-1))) ?? [];
  return { info: Number(used.replaceAll(",", "")), share };
}

function fill(options: PrunerOptions = {}, steps = 9): AgentSession {
  const session = new AgentSession({
    prefixTokens: PREFIX,
    ...options,
    config: {
      window: 20_000,
      tools: { todoReminder: { initialTurns: 1, repeatTurns: 1 } },
      // A reminder may come after any result.
      schedule: { ingestCap: null, prices: { "*": { reasoning: "none" } } },
      strategies: { spent: { enabled: false } },
      ...options.config,
    },
  });
  for (let i = 0; i < steps; i++) session.call("bash", { command: `run ${i}` }, textOf(1_900, i));
  return session;
}

describe("the reported size of the context", () => {
  test("report, reminder and context_info agree on what is sent, even at a cut", () => {
    const session = fill({}, 0);
    let cuts = 0;
    for (let i = 0; i < 14; i++) {
      session.call("bash", { command: `run ${i}` }, textOf(1_900, i));
      const result = session.prune();
      const { used, window, share } = result.report.pressure;
      // Tags are counted separately: each may be off by one token.
      expect(Math.abs(used - countSent(result))).toBeLessThanOrEqual(i + 1);
      const read = readUsed(session, result);
      expect(read.info).toBe(used);
      if (result.note) expect(read.share).toBe(`${Math.round(share * 100)}`);
      expect(window).toBe(20_000);
      if (result.report.cut?.reason === "pressure" && result.note) cuts++;
    }
    expect(cuts).toBeGreaterThan(0);
  });

  test.each(["off", "shadow"] as const)("where Coppice is %s it equals the input, without tags", (status) => {
    const session = fill({ config: { schedule: { mode: "eager" }, window: 12_000 } });
    session.status = status;
    const result = session.prune();
    expect(result.messages).toEqual(session.messages);
    expect(result.report.pressure.used).toBe(countSent(result));
    const info = session.info();
    expect(readUsed(session, result).info).toBe(countSent(result));
    const [, kinds = ""] = /^By kind: (.*)$/m.exec(info) ?? [];
    const tokens = [...kinds.matchAll(/ ([\d,]+)(?: ·|$)/g)].map(([, each = ""]) =>
      Number(each.replaceAll(",", "")),
    );
    expect(PREFIX + tokens.reduce((sum, each) => sum + each, 0)).toBe(countSent(result));
    expect(info).toContain("Saved so far: nothing: pruning is off in this session.");
  });
});
