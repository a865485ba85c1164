import { hashText } from "./hash.ts";
import type { DecodedMessage } from "./message.ts";
import type { Part } from "./part.ts";

/**
 * A hash for every prefix of a transcript, by content: element n is the hash of the first n messages. Times, models and
 * usage do not count.
 */
export function hashPrefixes(messages: readonly DecodedMessage[]): readonly string[] {
  const names = [""];
  for (const { role, parts } of messages)
    names.push(hashText([names.at(-1), role, ...parts.map(describePart)].join("\u0000")));
  return names;
}

function describePart(part: Part): string {
  const id = part.kind === "call" || part.kind === "result" ? part.callId : "";
  const tool = part.kind === "call" ? part.tool : "";
  return [part.kind, id, tool, ...part.leaves.map(({ text }) => hashText(text))].join("\u0000");
}
