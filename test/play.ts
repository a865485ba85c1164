import { type Delta, Facts } from "../src/facts/facts.ts";
import { collectLeaves } from "../src/formats/json-leaves.ts";
import { PASSES } from "../src/strategies/passes.ts";
import { createToolKinds } from "../src/tool-kinds/tool-kinds.ts";
import type { Part } from "../src/transcript/part.ts";
import { Transcript } from "../src/transcript/transcript.ts";

/** A call and how it ended. */
export type Use = readonly [tool: string, input: unknown, outcome?: Outcome];
export type Outcome = "ok" | "error" | "pending" | undefined;

export interface Played {
  readonly transcript: Transcript;
  readonly facts: Facts;
  readonly deltas: readonly Delta[];
}

/** One step per list of uses, in `/work`; returns the facts and each step's delta. Calls are c0, c1, …. */
export function play(
  steps: readonly (readonly Use[])[],
  afterStep: (delta: Delta, facts: Facts) => void = () => {},
): Played {
  const transcript = new Transcript();
  const facts = new Facts(transcript, createToolKinds(), {
    directory: "/work",
    pruneProtect: 40_000,
    wanted: new Set(PASSES.flatMap((pass) => pass.facts ?? [])),
  });
  let serial = 0;
  const deltas = steps.map((uses) => {
    const from = transcript.length;
    const ids = uses.map(() => `c${serial++}`);
    const calls = uses.map(
      ([tool, input], i): Part => ({
        kind: "call",
        slot: `${i}`,
        role: "assistant",
        leaves: collectLeaves(input, "input"),
        callId: ids[i] ?? "",
        tool,
        input,
        ...(i === 0 && { opensStep: true }),
      }),
    );
    const results = uses.map(
      ([, , status = "ok"], i): Part => ({
        kind: "result",
        slot: `r${i}`,
        role: "tool",
        leaves: [{ id: "output", text: "some output of this call" }],
        callId: ids[i] ?? "",
        status,
      }),
    );
    transcript.append(calls, 0, false);
    transcript.append(results, 0, false);
    const delta = facts.ingest(from, transcript.length);
    afterStep(delta, facts);
    return delta;
  });
  return { transcript, facts, deltas };
}
