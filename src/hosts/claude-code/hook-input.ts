import { isRecord, type JsonRecord } from "../../basics/json.ts";

/** The input of a hook from Claude Code, as far as it is used here. */
export interface HookInput {
  readonly event: string;
  readonly session: string;
  /** The file with the session's transcript. */
  readonly transcript: string;
  readonly directory: string;
  /** The whole input. */
  readonly all: JsonRecord;
}

/** Returns `undefined` for a value that is not the input of a hook. */
export function readHookInput(value: unknown): HookInput | undefined {
  if (!isRecord(value)) return undefined;
  const { hook_event_name: event, session_id: session, transcript_path: transcript, cwd: directory } = value;
  if (typeof event !== "string" || typeof session !== "string") return undefined;
  if (typeof transcript !== "string" || typeof directory !== "string") return undefined;
  return { event, session, transcript, directory, all: value };
}
