import type { FormatName } from "../../formats/format.ts";
import type { ModelOverride } from "../../models/profile.ts";

/**
 * What Coppice asks of an agent that people use, such as OpenCode or pi. Nothing here throws or rejects: a service that
 * fails gives an empty answer.
 */
export interface AgentHost {
  readonly format: FormatName;
  /** Shows the person a text for a moment, outside the conversation. */
  notify(text: string, severity: "info" | "warning" | "error"): void;
  /** What the host says of the user's models, by id; of two with the same id the first counts. */
  listModels(): Promise<readonly (readonly [id: string, model: ModelOverride])[]>;
  /** Was the session started by another one? */
  isSubagent(session: string): Promise<boolean>;
  /**
   * All that is stored of a session, as the lists that requests were made of: one up to each compaction, and one after
   * the last.
   */
  listSegments(session: string): Promise<readonly (readonly unknown[])[]>;
  /** The model that a request with these messages goes to. */
  modelOf(messages: readonly unknown[], session: string): string | undefined;
  /** Names the host's compaction that these messages begin with. */
  findCompaction(messages: readonly unknown[]): string | undefined;
}
