import type { Amount, PartData, ReportData } from "./data.ts";

/** Tokens of calls and results by tool, and of everything by kind. Largest first. */
export function addUpTokens(parts: readonly PartData[]): ReportData["tokens"] {
  return {
    tools: addUp(parts, ({ kind, tool }) =>
      kind === "call" || kind === "result" ? (tool ?? "unknown tool") : undefined,
    ),
    kinds: addUp(parts, nameKind),
  };
}

function nameKind({ kind, role }: PartData): string | undefined {
  if (kind === "marker") return undefined;
  return kind === "text" ? `${role} text` : KINDS[kind];
}

const KINDS = {
  call: "calls",
  result: "results",
  reasoning: "reasoning",
  file: "files",
  opaque: "other",
} as const;

function addUp(
  parts: readonly PartData[],
  nameOf: (part: PartData) => string | undefined,
): readonly Amount[] {
  const amounts = new Map<string, Amount>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const { parts: count, raw, pruned } = amounts.get(name) ?? { parts: 0, raw: 0, pruned: 0 };
    amounts.set(name, { name, parts: count + 1, raw: raw + part.tokens, pruned: pruned + part.shown });
  }
  return [...amounts.values()].sort((a, b) => b.raw - a.raw || (a.name < b.name ? -1 : 1));
}
