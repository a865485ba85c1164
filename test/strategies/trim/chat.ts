import { Conversation, textOf } from "../../conversation.ts";

export interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

/** A conversation's messages, with a system message before them. */
export function chatOf(build: (conversation: Conversation) => unknown, prompt = "Fix it."): ChatMessage[] {
  const conversation = new Conversation(prompt);
  build(conversation);
  return [{ role: "system", content: "You are an agent." }, ...(conversation.messages as ChatMessage[])];
}

/** `count` reads of different files, of about `tokens` each. */
export function readFiles(conversation: Conversation, count: number, tokens = 300): Conversation {
  for (let i = 0; i < count; i++) conversation.call("read", { filePath: `src/f${i}.ts` }, textOf(tokens, i));
  return conversation;
}

/** Contents in short, for tables: the text, or the calls' ids. */
export function outline(messages: readonly ChatMessage[]): readonly string[] {
  return messages.map(({ content, tool_calls }) => {
    const calls = tool_calls?.map(({ id }) => id).join(" ");
    return [content === null ? "" : (content.split("\n")[0] ?? "").slice(0, 60), calls ?? ""]
      .filter(Boolean)
      .join(" + ");
  });
}
