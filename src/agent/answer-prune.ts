import { isRef } from "../edits/refs.ts";
import type { Facts } from "../facts/facts.ts";
import type { Proposal } from "../strategies/strategy.ts";
import { proposeDiscard } from "./agent-discards.ts";
import { readAction, readTargets } from "./prune-call.ts";
import { describeUse } from "./subject.ts";

/** What the answer to a `context_prune` call is decided on: the session as of the last request. */
export interface AgentView {
  readonly facts: Facts;
  /** Why the cut can't be made, or `undefined`. */
  refusal(proposal: Proposal): string | undefined;
}

/** The definition to register with a host; plain JSON Schema without tuples, which several providers reject. */
export const pruneTool = {
  name: "context_prune",
  description:
    "Discard tool results that are no longer needed. Name them by the six hex digits in their <tool_hash> tag.",
  parameters: {
    type: "object",
    properties: {
      action: { type: "string", enum: ["discard"] },
      targets: { type: "array", items: { type: "array", items: { type: "string" } } },
    },
    required: ["action", "targets"],
  },
} as const;

/** Answers a call; the fold later reads from the answer what was accepted. */
export function answerPrune(input: unknown, view: AgentView): string {
  if (readAction(input) !== "discard") return 'Unknown action: use action "discard".';
  const targets = readTargets(input);
  if (targets.length === 0) return "No targets provided: give targets as [[ref], …].";
  const cut: string[] = [];
  const names: string[] = [];
  const refused: string[] = [];
  for (const target of targets) {
    const problem = findProblem(target, view);
    if (problem !== undefined) refused.push(`${target}: ${problem}`);
    else {
      cut.push(target);
      names.push(nameOf(target, view));
    }
  }
  const lines =
    cut.length > 0
      ? [`「 🗑️ discard ✓ 」- ⚙️ ${names.join(", ")}`, `Cut: ${cut.join(", ")}`]
      : ["Nothing discarded."];
  return [...lines, ...refused].join("\n");
}

function findProblem(target: string, { facts, refusal }: AgentView): string | undefined {
  if (!isRef(target)) return "Invalid hash format: exactly 6 lowercase hex digits.";
  const proposal = proposeDiscard(facts, target);
  return proposal ? refusal(proposal) : "unknown: use a ref from a <tool_hash> tag.";
}

function nameOf(target: string, { facts }: AgentView): string {
  const part = isRef(target) ? proposeDiscard(facts, target)?.part : undefined;
  const use = part === undefined ? undefined : facts.calls.of(part)?.use;
  return use ? describeUse(use) : "text";
}
