import { formatByName } from "../../formats/detect.ts";
import type { FormatName } from "../../formats/format.ts";
import type { SessionStatus } from "../../transcript/session-command.ts";

/** The messages that the host's compactions removed from a session's list. The host's storage still has them. */
export interface Past {
  /** The compaction that the list now begins with. */
  readonly compaction: string;
  /** The messages up to each compaction, and Coppice's status before them. */
  readonly segments: readonly PastSegment[];
  /** The status since then, if a person set it in a message that is gone. */
  readonly status: SessionStatus | undefined;
}

export interface PastSegment {
  readonly messages: readonly unknown[];
  readonly status: SessionStatus | undefined;
}

/** @param all the lists that were sent; the last one has not been compacted */
export function readPast(all: readonly (readonly unknown[])[], compaction: string, format: FormatName): Past {
  const segments: PastSegment[] = [];
  let status: SessionStatus | undefined;
  for (const messages of all.slice(0, -1)) {
    segments.push({ messages, status });
    status = lastSwitch(messages, format) ?? status;
  }
  return { compaction, segments, status };
}

function lastSwitch(messages: readonly unknown[], name: FormatName): SessionStatus | undefined {
  const format = formatByName(name);
  const switches = messages.flatMap((message) =>
    format.decode(message).parts.flatMap((part): readonly SessionStatus[] => {
      const action = part.kind === "marker" ? part.command?.action : undefined;
      return action === "on" || action === "off" || action === "shadow" ? [action] : [];
    }),
  );
  return switches.at(-1);
}
