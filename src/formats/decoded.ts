import { isRecord } from "../basics/json.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import { EMPTIED, type Part } from "../transcript/part.ts";
import { hasChanges } from "./blocks.ts";
import type { Codec, MessageChanges } from "./format.ts";
import { replaceLeaves } from "./json-leaves.ts";

/** Messages that a format has already decoded. They are never sent, so no provider's rules apply. */
export const decodedMessages: Codec = {
  decode: (message) => toDecoded(message),
  rewrite: (message, changes) =>
    hasChanges(changes) ? rewriteDecoded(toDecoded(message), changes) : message,
};

export function isDecoded(messages: readonly unknown[]): boolean {
  return messages.length > 0 && messages.every(isDecodedMessage);
}

function isDecodedMessage(message: unknown): message is DecodedMessage {
  return (
    isRecord(message) &&
    typeof message.role === "string" &&
    Array.isArray(message.parts) &&
    message.parts.every(
      (part) =>
        isRecord(part) &&
        typeof part.kind === "string" &&
        typeof part.slot === "string" &&
        Array.isArray(part.leaves),
    )
  );
}

function toDecoded(message: unknown): DecodedMessage {
  if (isDecodedMessage(message)) return message;
  throw new TypeError("One of the decoded messages is not a decoded message.");
}

function rewriteDecoded(message: DecodedMessage, changes: MessageChanges): DecodedMessage | undefined {
  const opened = message.parts[0]?.opensStep;
  const parts = message.parts.flatMap((part) => {
    if (changes.dropped.has(part.slot)) return [];
    const texts = changes.leaves.get(part.slot);
    return [texts ? rewritePart(part, texts) : part];
  });
  const [first, ...others] = parts;
  if (!first) return undefined;
  return {
    ...message,
    parts: opened && !first.opensStep ? [{ opensStep: true, ...first }, ...others] : parts,
  };
}

function rewritePart(part: Part, texts: ReadonlyMap<string, string>): Part {
  const leaves = part.leaves.map((leaf) => {
    const text = texts.get(leaf.id);
    return text === undefined ? leaf : { id: leaf.id, text: text || (part.kind === "call" ? "" : EMPTIED) };
  });
  switch (part.kind) {
    case "call":
      return { ...part, leaves, input: replaceLeaves(part.input, "input", texts) };
    case "result":
      return part.value === undefined
        ? { ...part, leaves }
        : { ...part, leaves, value: replaceLeaves(part.value, "output", texts) };
    case "file": {
      const { slot, role } = part;
      const text = leaves[0]?.text ?? EMPTIED;
      return { kind: "text", slot, role, leaves: [{ id: "text", text }] };
    }
    default:
      return { ...part, leaves };
  }
}
