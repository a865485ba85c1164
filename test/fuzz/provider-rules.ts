import type { Block, Sent } from "./read-messages.ts";

/** The rules of the provider of a model. */
export interface Provider {
  /** Each block of a response is a separate item: consecutive calls belong to one response. */
  readonly hasItems?: true;
  /** "messages: first message must use the user role"; a result comes first in its message; thinking comes first. */
  readonly isAnthropic?: true;
  /** "…function call turn comes immediately after a user turn or after a function response turn." */
  readonly isGemini?: true;
  /** "Unexpected role 'user' after role 'tool'". */
  readonly isMistral?: true;
}

/** The errors (400) that the provider documents. */
export function listFaults(messages: readonly Sent[], provider: Provider): readonly string[] {
  const talk = messages.filter(({ role }) => role !== "system");
  const faults = [...findUnpaired(talk, provider), ...messages.flatMap(findEmpty)];
  const isLed = provider.isAnthropic || provider.isGemini;
  if (isLed && talk[0]?.role !== "user") faults.push("the first message is not the user's");
  for (const [i, message] of talk.entries()) {
    const before = talk[i - 1];
    if (provider.isGemini && has(message, "call") && before?.role === "assistant" && !has(before, "result"))
      faults.push(`message ${i}: a call right behind another response`);
    if (provider.isMistral && message.role === "user" && before?.role === "tool")
      faults.push(`message ${i}: the user right behind a result`);
    if (provider.isAnthropic) faults.push(...findAnthropicOrder(message, i));
  }
  return faults;
}

/** Every call is answered directly after its response, once; nothing else is. */
function findUnpaired(messages: readonly Sent[], { hasItems }: Provider): readonly string[] {
  const faults: string[] = [];
  let open = new Set<unknown>();
  let isAnswering = true;
  const close = (i: number) => {
    for (const id of open) faults.push(`message ${i}: call ${String(id)} has no result`);
    open = new Set();
  };
  for (const [i, message] of messages.entries()) {
    const begins = message.role === "assistant" && (isAnswering || !hasItems);
    if (begins || (message.role === "user" && !has(message, "result"))) close(i);
    if (message.role === "assistant") isAnswering = false;
    for (const block of message.blocks) {
      if (block.kind === "call") open.add(block.id);
      if (block.kind !== "result") continue;
      isAnswering = true;
      if (!open.delete(block.id)) faults.push(`message ${i}: result ${String(block.id)} has no call`);
    }
  }
  close(messages.length);
  return faults;
}

function findEmpty({ role, blocks }: Sent, i: number): readonly string[] {
  if (blocks.length === 0) return [`message ${i} (${role}) is empty`];
  const isEmpty = (block: Block) => block.kind === "text" && block.text === "";
  return blocks.some(isEmpty) ? [`message ${i} (${role}) has an empty text`] : [];
}

function findAnthropicOrder({ role, blocks }: Sent, i: number): readonly string[] {
  const faults: string[] = [];
  const firstOther = blocks.findIndex(({ kind }) => kind !== "result");
  const isLate = (block: Block, at: number) => block.kind === "result" && at > firstOther && firstOther >= 0;
  if (role === "user" && blocks.some(isLate)) faults.push(`message ${i}: a result behind other content`);
  if (blocks.at(-1)?.kind === "thinking") faults.push(`message ${i}: thinking comes last`);
  return faults;
}

function has({ blocks }: Sent, kind: Block["kind"]): boolean {
  return blocks.some((block) => block.kind === kind);
}
