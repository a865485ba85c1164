import { describeUse } from "../../../agent/subject.ts";
import { formatByName } from "../../../formats/detect.ts";
import { pairTexts } from "../../../formats/text-protocols/pair-texts.ts";
import { TEXT_PROTOCOLS } from "../../../formats/text-protocols/text-protocols.ts";
import { createToolKinds } from "../../../tool-kinds/tool-kinds.ts";
import type { DecodedMessage } from "../../../transcript/message.ts";
import type { PartKey } from "../../../transcript/part.ts";
import type { WireRequest } from "../../../wires/index.ts";

const KINDS = createToolKinds();

/** Names the calls that these parts belong to: `bash npm test`. Other parts get no name. */
export function nameCalls(
  parts: readonly PartKey[],
  { format, messages }: Pick<WireRequest, "format" | "messages">,
): ReadonlyMap<PartKey, string> {
  const wanted = new Map<string, PartKey[]>();
  for (const part of parts) {
    const id = callOf(part);
    if (id !== undefined) wanted.set(id, [...(wanted.get(id) ?? []), part]);
  }
  const names = new Map<PartKey, string>();
  const { decode } = formatByName(format);
  let previous: DecodedMessage | undefined;
  for (const message of messages) {
    if (wanted.size === 0) break;
    const decoded: DecodedMessage = pairTexts(decode(message), previous, TEXT_PROTOCOLS);
    previous = decoded;
    for (const part of decoded.parts) {
      if (part.kind !== "call") continue;
      const found = wanted.get(part.callId);
      if (!found) continue;
      for (const key of found) names.set(key, describeUse(KINDS.describe(part.tool, part.input)));
      wanted.delete(part.callId);
    }
  }
  return names;
}

/** `result:toolu_1#1` belongs to the call `toolu_1`. */
function callOf(part: PartKey): string | undefined {
  return /^(?:call|result):/.test(part)
    ? part.slice(part.indexOf(":") + 1, part.lastIndexOf("#"))
    : undefined;
}
