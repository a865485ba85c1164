import { isRecord } from "../basics/json.ts";

/** `shadow`: nothing changes, and the report says what would be cut. */
export type SessionStatus = "on" | "off" | "shadow";

/** The change that a person's slash command makes in a session. */
export type SessionChange =
  | { readonly action: "shake"; readonly aggressive: boolean }
  /** `target`: a ref, or `all`. */
  | { readonly action: "restore"; readonly target: string }
  | { readonly action: "off" | "on" | "shadow" };

/**
 * A person's slash command: a change, or only a look. It is stored in the history, in a part that the model does
 * not see, so that the fold finds it again after a restart, and an undo in the host also undoes the command.
 */
export type SessionCommand = SessionChange | { readonly action: "look" };

/** The field of a host part's metadata that contains the command. */
const METADATA_KEY = "coppice";

/** Metadata for the part that carries the command. */
export function serialiseCommand(command: SessionCommand): { readonly [METADATA_KEY]: SessionCommand } {
  return { [METADATA_KEY]: command };
}

/** The command in a part's metadata; `undefined` for anything else. */
export function parseCommand(metadata: unknown): SessionCommand | undefined {
  const command = isRecord(metadata) ? metadata[METADATA_KEY] : undefined;
  if (!isRecord(command)) return undefined;
  const { action, aggressive, target } = command;
  if (action === "shake") return { action, aggressive: aggressive === true };
  if (action === "restore") return typeof target === "string" ? { action, target } : undefined;
  return action === "off" || action === "on" || action === "shadow" || action === "look"
    ? { action }
    : undefined;
}
