import { formatByName } from "../src/entries/host.ts";
import type { FormatName } from "../src/formats/format.ts";

/** A session that a pruner has never seen. */
export interface Started {
  readonly messages: readonly unknown[];
  readonly format: FormatName;
}

/** Every text of a session. */
export function leavesOf({ messages, format }: Started): readonly string[] {
  const { decode } = formatByName(format);
  return messages.flatMap((message) =>
    decode(message).parts.flatMap(({ leaves }) => leaves.map(({ text }) => text)),
  );
}
