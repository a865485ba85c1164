import { homedir } from "node:os";
import { VERSION } from "../../basics/version.ts";
import type { ClientPlace } from "../clients/client.ts";
import { CLIENTS } from "../clients/clients.ts";
import { Failure } from "../failure.ts";
import { type Planned, planChanges } from "./apply-changes.ts";
import type { FileChange } from "./change.ts";
import { findAgents } from "./find-agents.ts";
import { opencodeChange } from "./opencode-change.ts";
import { SETUPS } from "./setups.ts";

export const NAMES: readonly string[] = ["opencode", ...Object.keys(SETUPS)];

/** The planned changes for one agent. */
export interface AgentPlan {
  readonly name: string;
  readonly title: string;
  readonly changes: readonly FileChange[];
  readonly planned: readonly Planned[];
}

/** An agent on this machine that `init` does not set up. */
export interface LeftOut {
  readonly name: string;
  readonly title: string;
  /** The step for the user, or the reason why the setup would not work. */
  readonly why: string;
}

export interface AgentOptions {
  readonly url: string;
  /** For OpenCode: the plugin to load, and whether for all projects. */
  readonly plugin?: string | undefined;
  readonly global?: boolean | undefined;
  /** For Claude Code. */
  readonly statusLine?: unknown;
}

/** @throws if the setup can't be written, or would not work */
export async function planAgent(name: string, place: ClientPlace, options: AgentOptions): Promise<AgentPlan> {
  const refusal = Object.hasOwn(SETUPS, name) ? SETUPS[name]?.refusal?.(place) : undefined;
  if (refusal !== undefined) throw new Failure(`Nothing was changed: ${refusal}.`);
  const changes = listChanges(name, place, options);
  return { name, title: titleOf(name), changes, planned: await planChanges(changes) };
}

/** Plans the agents on this machine: those that can be set up, and the others. */
export async function planFound(
  place: ClientPlace,
  options: AgentOptions,
): Promise<readonly (AgentPlan | LeftOut)[]> {
  return Promise.all(
    findAgents(place, options.url).map(async ({ name, title, byHand }) => {
      const [detour] = CLIENTS.find((client) => client.name === name)?.detours?.(place) ?? [];
      const why = byHand ?? detour;
      if (why !== undefined) return { name, title, why };
      try {
        return await planAgent(name, place, { ...options, global: true });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { name, title, why: error.message };
      }
    }),
  );
}

export function listChanges(
  name: string,
  place: ClientPlace,
  { url, plugin, global = false, statusLine }: AgentOptions,
): readonly FileChange[] {
  if (name === "opencode") return [opencodeChange(global, plugin ?? `coppice@${VERSION}`)];
  const setup = Object.hasOwn(SETUPS, name) ? SETUPS[name] : undefined;
  if (setup) return setup.changes(place, url, name === "claude" ? statusLine : undefined);
  const known = CLIENTS.find((client) => client.name === name);
  if (known) throw new Failure(`${known.title} can't be set up permanently: ${WITHOUT[name] ?? ""}`, 2);
  throw new Failure(`Coppice can't set up ${JSON.stringify(name)}: only ${NAMES.join(", ")}.`, 2);
}

/** Why `init` can't write anything for an agent. */
const WITHOUT: Readonly<Record<string, string>> = {
  copilot:
    "it reads the model's address only from its environment. Use coppice wrap copilot, or export COPILOT_PROVIDER_BASE_URL in your shell's profile.",
  pi: "it reads addresses from extensions. Install Coppice's: pi install npm:coppice",
};

export function titleOf(name: string): string {
  return CLIENTS.find((client) => client.name === name)?.title ?? name;
}

/** A path as people write it: `~/.claude/settings.json`. */
export function shortenPath(path: string, home: string = homedir()): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
