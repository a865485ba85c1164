import type * as Core from "@langchain/core/messages";
import type { contextEditingMiddleware } from "langchain";
import type { Part } from "../../../src/transcript/part.ts";
import { countPart } from "../../../src/transcript/transcript.ts";
import type { Peer } from "./library-policy.ts";
import { type CallNames, textOf, type Unit } from "./units.ts";

type Messages = Pick<
  typeof Core,
  "AIMessage" | "HumanMessage" | "SystemMessage" | "ToolMessage" | "trimMessages"
>;
type Middleware = ReturnType<typeof contextEditingMiddleware>;

/**
 * LangChain's context editing with its defaults. As in its agents, it is given the session's own list, and what it
 * clears there stays cleared.
 */
export function editsContext(core: Messages, createMiddleware: () => Middleware): Peer {
  return (names) => {
    const messages: Core.BaseMessage[] = [];
    const wrap = createMiddleware().wrapModelCall;
    return async (added) => {
      messages.push(...added.map((unit) => toLangChain(core, unit, names)));
      // What it reads of a request are the messages; the answer is of no interest.
      const request = { messages, systemPrompt: "" } as unknown as Parameters<NonNullable<typeof wrap>>[0];
      const answer = new core.AIMessage("");
      await wrap?.(request, async () => answer);
      const contents = new Map(
        messages.flatMap((message) =>
          core.ToolMessage.isInstance(message) ? [[message.tool_call_id, message] as const] : [],
        ),
      );
      const isCleared = (part: Part): boolean =>
        contents.get(names.of(part))?.response_metadata.context_editing !== undefined;
      return {
        isDropped: (part) => part.kind === "result" && !contents.has(names.of(part)),
        replacement: (part) =>
          part.kind === "result" && isCleared(part)
            ? String(contents.get(names.of(part))?.content)
            : undefined,
      };
    };
  };
}

/**
 * LangChain's `trimMessages`: the last messages that fit. It may begin with an answer of the model: the documented
 * `startOn: "human"` leaves nothing at all of a long run of calls.
 */
export function trimsMessages(core: Messages, maxTokens: number): Peer {
  return (names) => {
    const messages: Core.BaseMessage[] = [];
    const unitOf = new Map<Part, string>();
    /** Tokens of all units before this one. */
    const before = new Map<string, number>();
    let total = 0;
    return async (added) => {
      for (const unit of added) {
        messages.push(toLangChain(core, unit, names));
        for (const part of unit.parts) unitOf.set(part, unit.id);
        before.set(unit.id, total);
        total += unit.parts.reduce((tokens, part) => tokens + countPart(part), 0);
      }
      if (total <= maxTokens) return { isDropped: () => false, replacement: () => undefined };
      const end = total;
      const kept = await core.trimMessages([...messages], {
        maxTokens,
        strategy: "last",
        startOn: ["human", "ai"],
        endOn: ["human", "tool"],
        includeSystem: true,
        // It asks for runs from the end only, newest first, behind the system message if there is one.
        tokenCounter: (run) => {
          const oldest = run.at(-1);
          return oldest ? end - (before.get(oldest.id ?? "") ?? 0) : 0;
        },
      });
      const ids = new Set(kept.map(({ id }) => id));
      return {
        isDropped: (part) => unitOf.has(part) && !ids.has(unitOf.get(part)),
        replacement: () => undefined,
      };
    };
  };
}

function toLangChain(core: Messages, { id, role, parts }: Unit, names: CallNames): Core.BaseMessage {
  const [first] = parts;
  const texts = parts.filter(({ kind }) => kind === "text" || kind === "result").map(textOf);
  const content = texts.join("\n");
  if (role === "system") return new core.SystemMessage({ id, content });
  if (role === "user") return new core.HumanMessage({ id, content });
  if (role === "tool" && first)
    return new core.ToolMessage({ id, content, tool_call_id: names.of(first), name: names.toolOf(first) });
  const calls = parts.filter((part) => part.kind === "call");
  return new core.AIMessage({
    id,
    content,
    tool_calls: calls.map((part) => ({
      id: names.of(part),
      name: part.tool,
      args: typeof part.input === "object" && part.input !== null ? { ...part.input } : {},
      type: "tool_call" as const,
    })),
  });
}
