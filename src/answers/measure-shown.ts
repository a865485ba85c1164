import type { AgentView } from "../agent/agent-view.ts";
import type { Part } from "../transcript/part.ts";

/** Estimated tokens as sent, largest first. */
export interface ShownTokens {
  readonly kinds: readonly { readonly name: string; readonly tokens: number }[];
  /** Results, by tool. */
  readonly tools: readonly { readonly name: string; readonly tokens: number; readonly results: number }[];
}

export function measureShown({ facts, sent }: Pick<AgentView, "facts" | "sent">): ShownTokens {
  const kinds = new Map<string, number>();
  const tools = new Map<string, { tokens: number; results: number }>();
  for (const [i, part] of facts.transcript.parts.entries()) {
    const tokens = sent[i] ?? 0;
    const kind = nameKind(part);
    kinds.set(kind, (kinds.get(kind) ?? 0) + tokens);
    const tool = part.kind === "result" ? facts.calls.of(i)?.use.name : undefined;
    if (tool === undefined) continue;
    const sum = tools.get(tool) ?? { tokens: 0, results: 0 };
    tools.set(tool, { tokens: sum.tokens + tokens, results: sum.results + 1 });
  }
  return {
    kinds: sortByTokens([...kinds].map(([name, tokens]) => ({ name, tokens }))).filter(
      ({ tokens }) => tokens > 0,
    ),
    tools: sortByTokens([...tools].map(([name, sum]) => ({ name, ...sum }))),
  };
}

function nameKind(part: Part): string {
  switch (part.kind) {
    case "result":
      return "tool results";
    case "call":
      return "tool calls";
    case "reasoning":
      return "reasoning";
    case "file":
      return "files";
    case "text":
      if (part.role === "assistant") return "messages";
      return part.role === "user" ? "user messages" : "system text";
    default:
      return "other";
  }
}

/** Equal entries stay in the order of the transcript. */
function sortByTokens<T extends { readonly tokens: number }>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => b.tokens - a.tokens);
}
