import type { PruneAction } from "../agent/agent-settings.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { listPrunable, writeAvailable } from "../agent/prunable.ts";
import type { PrunableKind } from "../transcript/part.ts";

const SIGNS: Readonly<Record<PruneAction, string>> = {
  discard: "🗑️",
  distill: "✨",
  replace: "✂️",
  restore: "↩️",
};

export const KIND_SIGNS: Readonly<Record<PrunableKind | "user", string>> = {
  tool: "⚙️",
  message: "💬",
  reasoning: "🧠",
  user: "👤",
};

/** What was done to one part, for the first line of an answer. */
export interface Done {
  readonly kind: PrunableKind | "user";
  /** The tool's name. */
  readonly name: string;
}

/** Names beyond these are counted. */
const NAMES_SHOWN = 2;

/** `「 🗑️ discard ✓ 」- ⚙️ read, bash (+2) · 🧠 1` */
export function writeDone(action: PruneAction, done: readonly Done[]): string {
  const kinds = (["tool", "message", "reasoning", "user"] as const).flatMap((kind) => {
    const names = done.filter((each) => each.kind === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    return `${KIND_SIGNS[kind]} ${kind === "tool" ? writeNames(names) : names.length}`;
  });
  return `「 ${SIGNS[action]} ${action} ✓ 」- ${kinds.join(" · ")}`;
}

/** `read, bash (+2)`: each name once, and how many calls are not among those named. */
function writeNames(names: readonly string[]): string {
  const shown = [...new Set(names)].slice(0, NAMES_SHOWN);
  const others = names.length - shown.length;
  return others === 0 ? shown.join(", ") : `${shown.join(", ")} (+${others})`;
}

/** An answer that changes nothing: why, and what there is to choose from. */
export function writeRefusal(
  action: PruneAction | undefined,
  problems: readonly string[],
  view: AgentView,
): string {
  const head = action ? `「 ${SIGNS[action]} ${action} ✗ 」- nothing changed` : "Nothing changed";
  return [head, ...problems.map((problem) => `- ${problem}`), writeAvailable(listPrunable(view))].join("\n");
}
