import { formatByName } from "../../../src/formats/detect.ts";
import { decodeMessage } from "../../../src/formats/intake/decode.ts";

/** What a conversation consists of, in any format: something said, or a call with its result. */
export type Item =
  | readonly [role: "user" | "assistant" | "developer", text: string]
  | readonly [tool: "call", name: string, input: Readonly<Record<string, unknown>>, output: string];

export const KINDS = ["openai-chat", "anthropic-messages", "opencode", "decoded"] as const;
export type Kind = (typeof KINDS)[number];

/** An item is one message; in chat and for Anthropic a call is two, the second being its result. */
export function writeMessages(kind: Kind, items: readonly Item[]): readonly unknown[] {
  if (kind !== "decoded") return items.flatMap((item, i) => WRITERS[kind](item, i));
  const chat = formatByName("openai-chat");
  return writeMessages("openai-chat", items).map((message) => decodeMessage(chat, message, undefined));
}

/** The index of an item's text or result among the messages. */
export function entryOf(kind: Kind, items: readonly Item[], index: number): number {
  return writeMessages(kind, items.slice(0, index + 1)).length - 1;
}

const WRITERS: Readonly<Record<Exclude<Kind, "decoded">, (item: Item, index: number) => readonly unknown[]>> =
  {
    "openai-chat": (item, i) =>
      item[0] === "call"
        ? [
            {
              role: "assistant",
              content: null,
              tool_calls: [
                {
                  id: `c${i}`,
                  type: "function",
                  function: { name: item[1], arguments: JSON.stringify(item[2]) },
                },
              ],
            },
            { role: "tool", tool_call_id: `c${i}`, content: item[3] },
          ]
        : [{ role: item[0], content: item[1] }],
    "anthropic-messages": (item, i) =>
      item[0] === "call"
        ? [
            {
              role: "assistant",
              content: [{ type: "tool_use", id: `c${i}`, name: item[1], input: item[2] }],
            },
            { role: "user", content: [{ type: "tool_result", tool_use_id: `c${i}`, content: item[3] }] },
          ]
        : [{ role: item[0], content: [{ type: "text", text: item[1] }] }],
    opencode: (item, i) =>
      item[0] === "call"
        ? [
            {
              info: { id: `m${i}`, role: "assistant" },
              parts: [
                { type: "step-start" },
                {
                  type: "tool",
                  callID: `c${i}`,
                  tool: item[1],
                  state: { status: "completed", input: item[2], output: item[3], metadata: {}, time: {} },
                },
              ],
            },
          ]
        : [{ info: { id: `m${i}`, role: item[0] }, parts: [{ type: "text", text: item[1] }] }],
  };
