import type { InventoryItem } from "../prefix/inventory.ts";
import { sumLoaded } from "../prefix/inventory.ts";
import type { RecordingSource } from "../recordings/recording.ts";
import type { Carried, SessionAnalysis } from "./session-analysis.ts";

/** The cost of reading and writing the prefix, for the requests with recorded usage. */
export interface PrefixCost extends Carried {
  /** The whole bill with recorded usage: answers and subagents included. */
  readonly bill: number;
}

/** The prefix (system prompt, tool definitions, and other text before the messages) as a share of the bill. */
export interface PrefixShare extends PrefixCost {
  readonly share: number;
  readonly unused?: UnusedTools;
}

/**
 * Definitions of tools that no session of their project called. Their sizes are current: recordings do not contain
 * them.
 */
export interface UnusedTools {
  /** As a share of the prefix cost of these sessions. */
  readonly share: number;
  readonly dollars: number;
  /** Sessions of projects with a known inventory. */
  readonly sessions: number;
}

export interface PrefixAnalysis extends PrefixShare {
  /** The largest bill first. */
  readonly agents: readonly (PrefixShare & { readonly agent: RecordingSource })[];
}

/** An agent's inventory in a project, if one is stored. */
export type InventoryOf = (agent: RecordingSource, project: string) => readonly InventoryItem[] | undefined;

/** `undefined` if no usage was recorded. */
export function sharePrefix(
  sessions: readonly SessionAnalysis[],
  inventoryOf: InventoryOf,
): PrefixAnalysis | undefined {
  const projects = listProjects(sessions, inventoryOf);
  if (projects.every(({ cost }) => cost.bill === 0)) return undefined;
  const agents = [...new Set(projects.map(({ agent }) => agent))].map((agent) => ({
    agent,
    ...addUp(projects.filter((each) => each.agent === agent)),
  }));
  return {
    ...addUp(projects),
    agents: agents
      .filter(({ bill }) => bill > 0)
      .sort((a, b) => b.bill - a.bill || (a.agent < b.agent ? -1 : 1)),
  };
}

/** The sessions of one agent in one project. */
interface ProjectPrefix {
  readonly agent: RecordingSource;
  readonly sessions: number;
  readonly cost: PrefixCost;
  /** The share of the prefix for tools that were never called; missing if the inventory is unknown. */
  readonly unused?: number;
}

function listProjects(
  sessions: readonly SessionAnalysis[],
  inventoryOf: InventoryOf,
): readonly ProjectPrefix[] {
  const projects = new Map<string, SessionAnalysis[]>();
  for (const session of sessions) {
    const key = JSON.stringify([session.source, session.project]);
    const others = projects.get(key);
    if (others) others.push(session);
    else projects.set(key, [session]);
  }
  return [...projects.values()].flatMap((own): readonly ProjectPrefix[] => {
    const [first] = own;
    if (!first) return [];
    const { source: agent, project } = first;
    const items = project === undefined ? undefined : inventoryOf(agent, project);
    const unused = items && shareUnused(items, new Set(own.flatMap(({ called }) => called)));
    const cost = addCosts(own.flatMap(({ days }) => days.map(({ prefix }) => prefix)));
    return [{ agent, sessions: own.length, cost, ...(unused !== undefined && { unused }) }];
  });
}

function shareUnused(items: readonly InventoryItem[], called: ReadonlySet<string>): number | undefined {
  const all = sumLoaded(items);
  if (all === 0) return undefined;
  return sumLoaded(items.filter(({ isTool, name }) => isTool && !called.has(name))) / all;
}

function addUp(projects: readonly ProjectPrefix[]): PrefixShare {
  const cost = addCosts(projects.map((each) => each.cost));
  const known = projects.filter(({ unused, cost: { dollars } }) => unused !== undefined && dollars > 0);
  const paid = known.reduce((sum, each) => sum + each.cost.dollars, 0);
  const dollars = known.reduce((sum, each) => sum + each.cost.dollars * (each.unused ?? 0), 0);
  return {
    ...cost,
    share: cost.bill === 0 ? 0 : cost.dollars / cost.bill,
    ...(paid > 0 && {
      unused: {
        share: dollars / paid,
        dollars,
        sessions: known.reduce((sum, { sessions }) => sum + sessions, 0),
      },
    }),
  };
}

function addCosts(costs: readonly PrefixCost[]): PrefixCost {
  const sum = { tokens: 0, dollars: 0, bill: 0 };
  for (const { tokens, dollars, bill } of costs) {
    sum.tokens += tokens;
    sum.dollars += dollars;
    sum.bill += bill;
  }
  return sum;
}
