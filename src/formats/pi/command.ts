import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { parseCommand, type SessionCommand, serialiseCommand } from "../../transcript/session-command.ts";

/** The type of messages that carry a person's command. They are never sent. */
const CUSTOM_TYPE = "coppice-command";

/** A message that carries a person's command to Coppice in pi's list. */
export function makePiCommand(command: SessionCommand): JsonRecord {
  return { role: "custom", customType: CUSTOM_TYPE, content: [], details: serialiseCommand(command) };
}

/** The command in a message; `undefined` for any other message. */
export function readPiCommand(message: unknown): SessionCommand | undefined {
  return isRecord(message) && message.role === "custom" && message.customType === CUSTOM_TYPE
    ? parseCommand(message.details)
    : undefined;
}
