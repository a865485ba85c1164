import type { InventoryOf } from "../../analysis/prefix-share.ts";
import type { RecordingSource } from "../../recordings/recording.ts";
import { listLooks } from "./inventory-store.ts";

/** The names that `coppice context` uses for the agents of recordings. */
const CLIENTS: Partial<Readonly<Record<RecordingSource, string>>> = {
  "claude-code": "claude",
  codex: "codex",
  "copilot-cli": "copilot",
  "gemini-cli": "gemini",
  opencode: "opencode",
  pi: "pi",
};

/**
 * The newest inventories that `coppice context` stored.
 *
 * @param maskProject converts folders to their form in masked sessions
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
