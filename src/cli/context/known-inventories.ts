import type { InventoryOf } from "../../analysis/prefix-share.ts";
import type { RecordingSource } from "../../recordings/recording.ts";
import { listLooks } from "./inventory-store.ts";

/** What `coppice context` calls the agents that recordings are of. */
const CLIENTS: Partial<Readonly<Record<RecordingSource, string>>> = {
  "claude-code": "claude",
  codex: "codex",
  "copilot-cli": "copilot",
  "gemini-cli": "gemini",
  opencode: "opencode",
  pi: "pi",
};

/**
 * The newest inventories that `coppice context` kept.
 *
 * @param maskProject how folders are written in sessions that are masked
 */
export function openInventories(maskProject: (project: string) => string): InventoryOf {
  const known = new Map(
    listLooks().map(({ client, project, look }) => [
      JSON.stringify([client, maskProject(project)]),
      look.items,
    ]),
  );
  return (agent, project) => known.get(JSON.stringify([CLIENTS[agent], project]));
}
