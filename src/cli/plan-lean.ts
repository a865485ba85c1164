import { chooseLean } from "../analysis/choose-lean.ts";
import { measureRate } from "../analysis/prefix-rate.ts";
import { LEAST_SESSIONS, listHistories } from "../analysis/tool-history.ts";
import { countOf, formatDollars, formatNumber } from "../basics/numbers.ts";
import type { Config } from "../config/config.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import { type InventoryItem, sumLoaded } from "../prefix/inventory.ts";
import type { Client } from "./clients/client.ts";
import { findUses } from "./context/find-uses.ts";
import { readLastLook } from "./context/inventory-store.ts";
import { currentPlace, lookAtClient } from "./context/look-at-client.ts";
import type { Probe } from "./context/probe.ts";
import { PROBES } from "./context/probes.ts";
import { Failure } from "./failure.ts";

export interface LeanPlan {
  /** Arguments for the client that come before the user's own. */
  readonly args: readonly string[];
  /** What is left out, and its savings; or why nothing is left out. */
  readonly line: string;
}

/** How long a result stays valid, in milliseconds: clients get new tools with every version. */
const FRESH = 7 * 86_400_000;

/** Leaves out the tools that no session of this project ever called, with the client's own option. */
export async function planLean(
  client: Client,
  args: readonly string[],
  keep: readonly string[],
  config: Config,
): Promise<LeanPlan> {
  const probe = PROBES[client.name];
  if (!probe?.lean)
    throw new Failure(
      `${client.title} can't turn off single tools: name tools in prefix.dropTools of the configuration instead.`,
      2,
    );
  const { needed, resuming, words } = probe.lean;
  if (args.some((arg) => resuming.test(arg)))
    return {
      args: [],
      line: "no tools are left out, because this conversation was started before: it keeps the tools it began with.",
    };
  const project = currentPlace().directory;
  const uses = await findUses(client, probe);
  const histories = listHistories(uses, project);
  if (!histories.isOfProject) {
    const own = uses.filter((use) => use.project === project).length;
    const line = `no tools are left out: this project has ${countOf(own, "recorded session")}, and Coppice needs ${LEAST_SESSIONS} to see which tools are never used.`;
    return { args: [], line };
  }
  const { items, model, billed } = await readItems(client, probe, config);
  const isKept = (name: string) => needed.test(name) || keep.includes(name);
  const left = chooseLean(items, { histories, isKept });
  const sessions = countOf(histories.sessions, "session");
  if (left.length === 0)
    return {
      args: [],
      line: `no tools are left out: each tool was called in the last ${sessions} of this project.`,
    };
  const names = left.map(({ name }) => name);
  const tokens = sumLoaded(left);
  const { prices, model: pricedAs } = config.schedule;
  const rate = measureRate(uses, Date.now(), (each) => profilePricedAs(each, pricedAs, prices));
  const money =
    rate?.dollarsPerToken === undefined
      ? ""
      : `, ${formatDollars(tokens * billed * rate.dollarsPerToken)} a month`;
  return {
    args: words(names),
    line: `without ${names.join(", ")}, which the last ${sessions} of this project never called: ${formatNumber(tokens)} of ${formatNumber(sumLoaded(items))} tokens less with each request${model === undefined ? "" : ` to ${model}`}${money}. --lean=keep:${names[0]} keeps one.`,
  };
}

interface Items {
  readonly items: readonly InventoryItem[];
  readonly model?: string;
  /** The provider's price of one of the tokens. */
  readonly billed: number;
}

/** From the last result for the client in this project, if it is recent; or else from a new one. */
async function readItems(client: Client, probe: Probe, config: Config): Promise<Items> {
  const last = readLastLook(client.name, currentPlace().directory);
  if (last && Date.now() - last.time < FRESH) return last;
  const terms = { args: [], isRemote: false, config, isExplicit: true };
  const { prefix, billed } = await lookAtClient(client, probe, terms);
  const items = prefix.groups.flatMap((group) => group.items);
  return { items, billed, ...(prefix.model !== undefined && { model: prefix.model }) };
}
