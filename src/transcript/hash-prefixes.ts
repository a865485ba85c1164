import { remember } from "../basics/remember.ts";
import { writeJson } from "../basics/write-json.ts";
import { hashText } from "./hash.ts";
import { hashLeaf } from "./hash-leaf.ts";
import type { DecodedMessage } from "./message.ts";
import type { Leaf, Part } from "./part.ts";

/**
 * A hash for every prefix of a transcript, by content: element n is the hash of the first n messages. Times, models
 * and usage are ignored.
 */
export function hashPrefixes(messages: readonly DecodedMessage[]): readonly string[] {
  return extendPrefixes([], 0, messages);
}

/** The same, given the hashes of a list that begins with the same messages: the first `same` of them. */
export function extendPrefixes(
  known: readonly string[],
  same: number,
  messages: readonly DecodedMessage[],
): readonly string[] {
  const hashes = known.length > same ? known.slice(0, same + 1) : [""];
  for (let i = hashes.length - 1; i < messages.length; i++)
    hashes.push(hashText(`${hashes[i]} ${hashMessage(messages[i] as DecodedMessage)}`));
  return hashes;
}

/** The hash of a message's content. A recognised message is hashed only once. */
export const hashMessage: (message: DecodedMessage) => string = remember(({ role, parts }) =>
  hashText([role, ...parts.map(describePart)].join("\u0000")),
);

function describePart(part: Part): string {
  const id = part.kind === "call" || part.kind === "result" ? part.callId : "";
  const tool = part.kind === "call" ? part.tool : "";
  return [part.kind, id, tool, ...part.leaves.flatMap(hashWhole), describeRest(part)].join("\u0000");
}

function hashWhole(leaf: Leaf): readonly string[] {
  const { frame } = leaf;
  return frame ? [hashLeaf(leaf), hashText(frame.before), hashText(frame.after)] : [hashLeaf(leaf)];
}

/** The contents of a part without text: an unknown block. */
function describeRest(part: Part): string {
  if (part.kind !== "opaque" || part.leaves.length > 0) return "";
  try {
    return hashText(writeJson(part.raw) ?? "");
  } catch {
    // Cycles and big integers, which no host sends.
    return "";
  }
}
