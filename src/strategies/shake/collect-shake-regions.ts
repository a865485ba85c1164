import { MessageBench } from "../../edits/message-bench.ts";
import { blockIndexOf } from "../../formats/blocks.ts";
import type { FormatChoice } from "../../formats/format.ts";
import type { ToolKinds } from "../../tool-kinds/tool-kinds.ts";
import { type Candidate, listCandidates } from "./list-candidates.ts";
import { fillShakeConfig, type ShakeConfig } from "./shake-config.ts";
import type { ShakeRegion } from "./shake-region.ts";

export interface ShakeOptions {
  /** For messages whose format can't be detected. */
  readonly format?: FormatChoice;
  /** The meaning of the tools, if different from the usual. */
  readonly toolKinds?: ToolKinds;
}

/**
 * The regions that a shake could cut: whole tool results and large blocks of text, in document order. Empty if all
 * of them together would not save the configured minimum. Accepts messages of any format, entries of a session, or
 * decoded messages. Missing configuration fields have the values of `DEFAULT_SHAKE_CONFIG`.
 *
 * @throws `TypeError` if the messages are of no known format, or the configuration is invalid
 */
export function collectShakeRegions(
  messages: readonly unknown[],
  config: Partial<ShakeConfig> = {},
  options: ShakeOptions = {},
): readonly ShakeRegion[] {
  const filled = fillShakeConfig(config);
  const bench = new MessageBench(messages, options);
  const shown = { tokens: bench.view.tokens, isCut: () => false, recut: false };
  return Array.from(listCandidates(bench.facts, filled, shown), (candidate) => toRegion(bench, candidate));
}

function toRegion(
  { facts, messages }: MessageBench<unknown>,
  { plan, text, tokens }: Candidate,
): ShakeRegion {
  const { transcript, calls } = facts;
  const part = transcript.part(plan.part);
  const entry = transcript.message[plan.part] ?? 0;
  const place = { entry, blockIndex: blockIndexOf(part.slot), tokens, originalText: text };
  if (part.kind === "result") {
    const fact = calls.of(plan.part);
    const call = fact && transcript.part(fact.call);
    const label = call?.kind === "call" ? call.tool : "tool";
    return { kind: "toolResult", ...place, start: 0, end: text.length, label };
  }
  const [{ from, to }] = plan.spans;
  const label = messages[entry]?.customType ?? part.role;
  return { kind: "block", ...place, start: from, end: to, label };
}
