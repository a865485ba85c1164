import { isRecord } from "../../basics/json.ts";
import { formatByName } from "../../formats/detect.ts";
import type { SessionStatus } from "../../transcript/session-command.ts";
import { listEpochs } from "./list-epochs.ts";

/** What OpenCode's compactions have removed from a session's list of messages. It is still in OpenCode's storage. */
export interface Past {
  /** The id of the compaction message that the list now begins with. */
  readonly compaction: string;
  /** The messages up to each compaction, and whether Coppice was on, off or in shadow before them. */
  readonly epochs: readonly PastEpoch[];
  /** Whether Coppice is on, off or in shadow since, if a person said so in a message that is gone. */
  readonly standing: SessionStatus | undefined;
}

export interface PastEpoch {
  readonly messages: readonly unknown[];
  readonly standing: SessionStatus | undefined;
}

/** The id of the compaction that these messages begin with. */
export function findCompaction([first]: readonly unknown[]): string | undefined {
  if (!isRecord(first) || !isRecord(first.info) || !Array.isArray(first.parts)) return undefined;
  const isCompaction = first.parts.some((part) => isRecord(part) && part.type === "compaction");
  return isCompaction && typeof first.info.id === "string" ? first.info.id : undefined;
}

/** @param stored all messages of the session */
export function readPast(stored: readonly unknown[], compaction: string): Past {
  const epochs: PastEpoch[] = [];
  let standing: SessionStatus | undefined;
  for (const messages of listEpochs(stored).slice(0, -1)) {
    epochs.push({ messages, standing });
    standing = lastSwitch(messages) ?? standing;
  }
  return { compaction, epochs, standing };
}

function lastSwitch(messages: readonly unknown[]): SessionStatus | undefined {
  const format = formatByName("opencode");
  const switches = messages.flatMap((message) =>
    format.decode(message).parts.flatMap((part): readonly SessionStatus[] => {
      const action = part.kind === "marker" ? part.command?.action : undefined;
      return action === "on" || action === "off" || action === "shadow" ? [action] : [];
    }),
  );
  return switches.at(-1);
}
