import type { Recording, Segment } from "../../src/recordings/recording.ts";

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | null | readonly Block[];
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  /** OpenCode's. */
  readonly parts?: readonly Block[];
}

/** The messages as the tests look at them. */
export function read(segment: Segment | undefined): readonly Message[] {
  return (segment?.messages ?? []) as readonly Message[];
}

/** A provider's errors for the segments. OpenCode renders its messages itself. */
export function findFaults({ format, segments }: Recording): readonly string[] {
  return segments.flatMap((segment) => {
    const messages = read(segment);
    const faults =
      format === "openai-chat"
        ? findChatFaults(messages)
        : format === "anthropic-messages"
          ? findAnthropicFaults(messages)
          : [];
    if (segment.meta.length !== messages.length) faults.push("meta is not parallel to messages");
    if (segment.carried > messages.length) faults.push("more messages carried than there are");
    return faults;
  });
}

function findAnthropicFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  if (messages[0]?.role === "assistant") faults.push("an assistant begins");
  messages.forEach((message, index) => {
    const blocks = blocksOf(message);
    const before = messages[index - 1];
    const asked = before?.role === "assistant" ? idsOf(before) : [];
    const leading = blocks.findIndex(({ type }) => type !== "tool_result");
    const answers = blocks.slice(0, leading < 0 ? undefined : leading).map((block) => block.tool_use_id);
    const results = blocks.filter(({ type }) => type === "tool_result");
    if (answers.join() !== asked.join()) faults.push(`${index}: asked [${asked}], answered [${answers}]`);
    if (results.length !== answers.length) faults.push(`${index}: a result behind other blocks`);
    if (new Set(asked).size !== asked.length) faults.push(`${index}: an id twice`);
    if (message.role === "user" && before?.role === "user")
      faults.push(`${index}: two user messages in a row`);
    if (blocks.length === 0) faults.push(`${index}: empty`);
    if (blocks.some(({ type, text }) => type === "text" && text?.trim() === ""))
      faults.push(`${index}: blank`);
    if (message.role === "assistant" && blocks.at(-1)?.type === "thinking")
      faults.push(`${index}: ends thinking`);
  });
  const last = messages.at(-1);
  if (last?.role === "assistant" && idsOf(last).length > 0) faults.push("the last calls have no results");
  return faults;
}

function findChatFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      if (open.shift() !== message.tool_call_id) faults.push(`${index}: not the result that is due`);
      return;
    }
    if (open.length > 0) faults.push(`${index}: [${open}] not answered`);
    open = message.tool_calls?.map(({ id }) => id) ?? [];
    if (new Set(open).size !== open.length) faults.push(`${index}: an id twice`);
    if (message.content?.length === 0) faults.push(`${index}: empty`);
    if (message.content === null && open.length === 0) faults.push(`${index}: neither text nor calls`);
  });
  if (open.length > 0) faults.push(`[${open}] not answered at the end`);
  return faults;
}

function blocksOf({ content }: Message): readonly Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content ?? [];
}

function idsOf(message: Message): readonly string[] {
  return blocksOf(message).flatMap(({ type, id }) => (type === "tool_use" && id !== undefined ? [id] : []));
}
