import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { makePiCommand } from "../../formats/pi/command.ts";
import { readEntry } from "../../formats/pi/entry.ts";
import { parseCommand } from "../../transcript/session-command.ts";

/** The type of the entries that hold a person's commands. */
export const COMMAND_ENTRY = "coppice";

/**
 * The messages of a request with the commands that a person gave to Coppice. pi keeps commands in its history,
 * separate from messages: each command goes after the message that it followed.
 *
 *   branch    user  assistant  off  user        messages  user assistant user    ->  user assistant off user
 *
 * A command is left out if a compaction has removed the message before it.
 */
export function placeCommands(messages: readonly unknown[], branch: readonly unknown[]): readonly unknown[] {
  const commands = commandsByPlace(branch);
  if (commands.size === 0) return messages;
  return [
    ...(commands.get(FIRST) ?? []),
    ...messages.flatMap((message) => [message, ...(commands.get(placeOf(message)) ?? [])]),
  ];
}

const FIRST = "first";

function commandsByPlace(branch: readonly unknown[]): ReadonlyMap<string, readonly JsonRecord[]> {
  const commands = new Map<string, JsonRecord[]>();
  let place = FIRST;
  for (const entry of branch) {
    const command = toCommand(entry);
    const message = toMessage(entry);
    if (command) commands.set(place, [...(commands.get(place) ?? []), command]);
    if (message && message.role !== "system") place = placeOf(message);
  }
  return commands;
}

/** pi passes a copy of each message: Coppice identifies it by its content and time. */
function placeOf(message: unknown): string {
  if (!isRecord(message)) return "";
  const { role, timestamp, toolCallId = "" } = message;
  return `${String(role)} ${String(timestamp)} ${String(toolCallId)}`;
}

/**
 * The lists of messages that pi sent, with the commands in them: one up to each compaction, and one after the last.
 */
export function listSegments(branch: readonly unknown[]): readonly (readonly unknown[])[] {
  const segments: unknown[][] = [[]];
  for (const [index, entry] of branch.entries()) {
    if (isRecord(entry) && entry.type === "compaction") {
      const kept = branch
        .slice(0, index)
        .findIndex((each) => isRecord(each) && each.id === entry.firstKeptEntryId);
      const tail = kept < 0 ? [] : branch.slice(kept, index);
      segments.push([entry, ...tail].flatMap(listMessages));
    } else {
      segments.at(-1)?.push(...listMessages(entry));
    }
  }
  return segments;
}

function listMessages(entry: unknown): readonly unknown[] {
  const message = toCommand(entry) ?? toMessage(entry);
  return message ? [message] : [];
}

function toCommand(entry: unknown): JsonRecord | undefined {
  if (!isRecord(entry) || entry.type !== "custom" || entry.customType !== COMMAND_ENTRY) return undefined;
  const command = parseCommand(entry.data);
  return command && makePiCommand(command);
}

function toMessage(entry: unknown): JsonRecord | undefined {
  return isRecord(entry) ? readEntry(entry) : undefined;
}
