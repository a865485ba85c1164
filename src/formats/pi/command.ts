import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { parseCommand, type SessionCommand, serialiseCommand } from "../../transcript/session-command.ts";

/** The type of messages that carry a person's command. They are never sent. */
const CUSTOM_TYPE = "coppice-command";

/** A message to stand among pi's where a person told Coppice something. */
export function makePiCommand(command: SessionCommand): JsonRecord {
  return { role: "custom", customType: CUSTOM_TYPE, content: [], details: serialiseCommand(command) };
}

/** The command that a message carries; `undefined` for any other message. */
export function readPiCommand(message: unknown): SessionCommand | undefined {
  return isRecord(message) && message.role === "custom" && message.customType === CUSTOM_TYPE
    ? parseCommand(message.details)
    : undefined;
}
