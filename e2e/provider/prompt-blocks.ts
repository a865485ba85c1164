import type { DialectName } from "./dialects.ts";
import { listOf } from "./sse.ts";

type Fields = { readonly [field: string]: unknown };

/** A piece of a prompt that a cache entry can end at. */
export interface PromptBlock {
  /** All of it that the model gets. Cache marks are left out. */
  readonly text: string;
  readonly type: string;
  /** A text without a character. */
  readonly isEmpty: boolean;
  /** Its mark for the cache, if it has one. */
  readonly mark: Mark | undefined;
}

export interface Mark {
  readonly ttl: "5m" | "1h";
}

/** The prompt in the order in which a provider assembles it: tools, system text, messages. */
export function listBlocks(dialect: DialectName, body: Fields): readonly PromptBlock[] {
  const tools = listOf(body.tools).map(toToolBlock);
  switch (dialect) {
    case "anthropic":
      return listMarked(body, tools);
    case "chat":
      return [...tools, ...listOf(body.messages).map(toBlock)];
    case "responses":
      return [...tools, ...[body.instructions ?? "", ...inList(body.input)].map(toBlock)];
    case "gemini":
      return [...tools, ...[body.systemInstruction ?? "", ...listOf(body.contents)].map(toBlock)];
  }
}

/** Every mark of the request, in order. A mark of the body itself comes last. */
export function listMarks(body: Fields): readonly Mark[] {
  const inBlocks = [...listOf(body.tools), ...inList(body.system), ...contentsOf(body)].flatMap(marksIn);
  return [...inBlocks, ...marksIn({ cache_control: body.cache_control })];
}

function listMarked(body: Fields, tools: readonly PromptBlock[]): readonly PromptBlock[] {
  const blocks = [
    ...[...tools, ...inList(body.system).map(toBlock)],
    ...listOf(body.messages).flatMap((message) => {
      const { role, content } = message as Fields;
      return inList(content).map((block) => {
        const { text, ...rest } = toBlock(block);
        return { ...rest, text: `${role}: ${text}` };
      });
    }),
  ];
  const [whole] = marksIn({ cache_control: body.cache_control });
  const last = blocks.at(-1);
  return whole && last ? [...blocks.slice(0, -1), { ...last, mark: last.mark ?? whole }] : blocks;
}

/** The blocks of all messages. */
function contentsOf({ messages }: Fields): readonly unknown[] {
  return listOf(messages).flatMap((message) => inList((message as Fields).content));
}

/** A plain text is a block, too. */
function inList(value: unknown): readonly unknown[] {
  return typeof value === "string" ? [{ type: "text", text: value }] : listOf(value);
}

function toBlock(value: unknown): PromptBlock {
  const { type, text } = (value ?? {}) as Fields;
  return {
    text: render(value),
    type: String(type ?? ""),
    isEmpty: type === "text" && text === "",
    mark: marksIn(value).at(-1),
  };
}

/** Names and proofs that no model reads. */
const UNREAD = new Set([
  ...["cache_control", "type", "id", "call_id", "tool_call_id", "tool_use_id", "status", "annotations"],
  ...["signature", "encrypted_content", "thoughtSignature", "internal_chat_message_metadata_passthrough"],
]);

/** The text of a message as the model reads it: without the escapes of JSON, which would count as tokens. */
function render(value: unknown): string {
  if (Array.isArray(value)) return value.map(render).join("\n");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .flatMap(([key, each]) => (UNREAD.has(key) ? [] : [`${key}: ${render(each)}`]))
    .join("\n");
}

/** The definition of a tool is read unchanged. */
function toToolBlock(tool: unknown): PromptBlock {
  const text = JSON.stringify(tool, (key, each: unknown) => (key === "cache_control" ? undefined : each));
  return { ...toBlock(tool), text };
}

/** The marks on a block and on the blocks inside it. */
function marksIn(block: unknown): readonly Mark[] {
  const { cache_control: mark, content } = (block ?? {}) as Fields;
  const own = mark ? [{ ttl: (mark as Fields).ttl === "1h" ? "1h" : "5m" } as const] : [];
  return [...listOf(content).flatMap(marksIn), ...own];
}
