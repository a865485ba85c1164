import type { JsonRecord } from "../../basics/json.ts";

/*
 * The parts of pi's extension interface that Coppice uses, as in pi 0.73 to 1.5 and oh-my-pi 18. Values are checked
 * where they are read.
 */

export interface PiApi {
  on(event: string, handler: (event: JsonRecord, context: PiContext) => unknown): unknown;
  registerTool(tool: PiTool): void;
  registerCommand(name: string, command: PiCommand): void;
  /** Adds an entry to the session's history that no model sees. */
  appendEntry(customType: string, data: unknown): void;
}

export interface PiContext {
  /** Is there a user interface? */
  readonly hasUI: boolean;
  readonly ui: { notify(text: string, severity: "info" | "warning" | "error"): void };
  readonly model?: unknown;
  readonly modelRegistry: { getAvailable(): unknown };
  readonly sessionManager: {
    getSessionId(): string;
    /** The entries from the root to the user's current position. */
    getBranch(): readonly unknown[];
  };
}

interface PiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  /** oh-my-pi: available from the start, not only through a search. */
  readonly loadMode: "essential";
  /** oh-my-pi: needs no approval. */
  readonly approval: "read";
  execute(
    callId: string,
    input: unknown,
    signal: unknown,
    onUpdate: unknown,
    context: PiContext,
  ): Promise<{
    readonly content: readonly { readonly type: "text"; readonly text: string }[];
    readonly details: object;
  }>;
}

interface PiCommand {
  readonly description: string;
  handler(text: string, context: PiContext): Promise<void>;
}
