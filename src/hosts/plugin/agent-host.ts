import type { FormatName } from "../../formats/format.ts";
import type { ModelOverride } from "../../models/profile.ts";

/**
 * The services that Coppice needs from an agent for people, such as OpenCode or pi. Nothing here throws or rejects:
 * a service that fails returns an empty answer.
 */
export interface AgentHost {
  readonly format: FormatName;
  /** Shows the person a text for a moment, outside the conversation. */
  notify(text: string, severity: "info" | "warning" | "error"): void;
  /** The host's data on the user's models, by id. If two have the same id, the first is used. */
  listModels(): Promise<readonly (readonly [id: string, model: ModelOverride])[]>;
  /** Did another session start this one? */
  isSubagent(session: string): Promise<boolean>;
  /**
   * The stored messages of a session, as the lists that were sent: one up to each compaction, and one after the
   * last.
   */
  listSegments(session: string): Promise<readonly (readonly unknown[])[]>;
  /** The model that a request with these messages is sent to. */
  modelOf(messages: readonly unknown[], session: string): string | undefined;
  /** The id of the host's compaction that these messages begin with. */
  findCompaction(messages: readonly unknown[]): string | undefined;
}
