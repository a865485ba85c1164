import type { PruneAction } from "../agent/agent-settings.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { listPrunable, writeAvailable } from "../agent/prunable.ts";
import type { PrunableKind } from "../transcript/part.ts";

const ACTION_SIGNS: Readonly<Record<PruneAction, string>> = {
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

/** A part that was changed, for the first line of an answer. */
export interface Done {
  readonly kind: PrunableKind | "user";
  /** The tool's name. */
  readonly name: string;
}

/** The most names to show; the others are only counted. */
const NAMES_SHOWN = 2;

/** `「 🗑️ discard ✓ 」- ⚙️ read, bash (+2) · 🧠 1` */
export function writeDone(action: PruneAction, done: readonly Done[]): string {
  const kinds = (["tool", "message", "reasoning", "user"] as const).flatMap((kind) => {
    const names = done.filter((each) => each.kind === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    return `${KIND_SIGNS[kind]} ${kind === "tool" ? writeNames(names) : names.length}`;
  });
  return `「 ${ACTION_SIGNS[action]} ${action} ✓ 」- ${kinds.join(" · ")}`;
}

/** `read, bash (+2)`: two different names, and how many more calls there are. */
function writeNames(names: readonly string[]): string {
  const shown = [...new Set(names)].slice(0, NAMES_SHOWN);
  const others = names.length - shown.length;
  return others === 0 ? shown.join(", ") : `${shown.join(", ")} (+${others})`;
}

/** An answer that changes nothing: gives the reasons and how much could be cut. */
export function writeRefusal(
  action: PruneAction | undefined,
  problems: readonly string[],
  view: AgentView,
): string {
  const head = action ? `「 ${ACTION_SIGNS[action]} ${action} ✗ 」- nothing changed` : "Nothing changed";
  return [head, ...problems.map((problem) => `- ${problem}`), writeAvailable(listPrunable(view))].join("\n");
}
