import type { AssistantContent, ModelMessage, pruneMessages, ToolContent } from "ai";
import type { Part } from "../../../src/transcript/part.ts";
import type { Peer } from "./library-policy.ts";
import { type CallNames, textOf, type Unit } from "./units.ts";

export type PruneMessages = typeof pruneMessages;
export type PruneSettings = Omit<Parameters<PruneMessages>[0], "messages">;

/** The AI SDK's own function, before every request as its documentation has it (`prepareStep`). */
export function prunesMessages(prune: PruneMessages, settings: PruneSettings): Peer {
  return (names) => {
    const messages: ModelMessage[] = [];
    const partOf = new Map<object, Part>();
    return (added) => {
      for (const unit of added) messages.push(toModelMessage(unit, names, partOf));
      const pruned = prune({ messages: [...messages], ...settings });
      const kept = new Set(pruned.flatMap(({ content }) => listParts(content, partOf)));
      const known = new Set(partOf.values());
      return { isDropped: (part) => known.has(part) && !kept.has(part), replacement: () => undefined };
    };
  };
}

function listParts(content: ModelMessage["content"], partOf: ReadonlyMap<object, Part>): readonly Part[] {
  return typeof content === "string" ? [] : content.flatMap((each) => partOf.get(each) ?? []);
}

function toModelMessage(unit: Unit, names: CallNames, partOf: Map<object, Part>): ModelMessage {
  const note = <T extends object>(part: Part, content: T): T => {
    partOf.set(content, part);
    return content;
  };
  if (unit.role === "system") return { role: "system", content: unit.parts.map(textOf).join("\n") };
  if (unit.role === "user")
    return {
      role: "user",
      content: unit.parts.map((part) => note(part, { type: "text" as const, text: textOf(part) })),
    };
  if (unit.role === "tool")
    return { role: "tool", content: unit.parts.map((part) => toResult(part, names, note)) };
  return {
    role: "assistant",
    content: unit.parts.map((part): Exclude<AssistantContent, string>[number] => {
      if (part.kind === "call")
        return note(part, {
          type: "tool-call" as const,
          toolCallId: names.of(part),
          toolName: part.tool,
          input: part.input,
        });
      return note(part, {
        type: part.kind === "reasoning" ? "reasoning" : "text",
        text: textOf(part),
      } as const);
    }),
  };
}

function toResult(
  part: Part,
  names: CallNames,
  note: <T extends object>(part: Part, content: T) => T,
): ToolContent[number] {
  return note(part, {
    type: "tool-result" as const,
    toolCallId: names.of(part),
    toolName: names.toolOf(part),
    output: { type: "text" as const, value: textOf(part) },
  });
}
