import { groupItems, type Inventory, type InventoryItem, sumLoaded } from "../prefix/inventory.ts";
import type { PieceName, PrefixGroup } from "../prefix/piece.ts";
import type { PrefixRate } from "./prefix-rate.ts";
import type { ToolHistories, ToolHistory } from "./tool-history.ts";

/** The cost of an item of a prefix, and its use. */
export interface ItemReport extends PieceName {
  readonly tokens: number;
  /** Dollars a month, if the rate and the price are known. */
  readonly dollars?: number;
  /** For tools: the newest sessions that called it. */
  readonly used?: ToolHistory;
  /** The client's own setting that leaves it out. */
  readonly switch?: string;
}

/** A whole MCP server: its tools and its instructions, deferred ones separately. */
export interface ServerReport {
  readonly server: string;
  readonly tokens: number;
  readonly dollars?: number;
  readonly tools: number;
  readonly used: ToolHistory;
  readonly switch?: string;
}

export interface GroupReport {
  readonly group: PrefixGroup;
  readonly tokens: number;
  readonly dollars?: number;
  /** Largest first. */
  readonly items: readonly ItemReport[];
}

/** The text that a client sends before the first message. Plain data. */
export interface PrefixReport {
  readonly model?: string;
  /** Everything that the model gets with every request. */
  readonly tokens: number;
  readonly dollars?: number;
  readonly groups: readonly GroupReport[];
  readonly servers: readonly ServerReport[];
  readonly rate?: PrefixRate;
  readonly history: { readonly sessions: number; readonly isOfProject: boolean };
}

export interface PrefixReportInput {
  readonly histories: ToolHistories;
  readonly rate: PrefixRate | undefined;
  /** Provider tokens per token of ours. */
  readonly billed: number;
  readonly switchOff: (item: InventoryItem) => string | undefined;
  readonly switchOffServer: (server: string) => string | undefined;
}

export function reportPrefix({ model, items }: Inventory, terms: PrefixReportInput): PrefixReport {
  const { histories, rate, billed, switchOff, switchOffServer } = terms;
  const price = (tokens: number): { readonly dollars?: number } =>
    rate?.dollarsPerToken === undefined ? {} : { dollars: tokens * billed * rate.dollarsPerToken };
  const describe = (item: InventoryItem): ItemReport => {
    const turnOff = switchOff(item);
    return {
      ...item,
      ...(item.isHidden ? {} : price(item.tokens)),
      ...(item.isTool && { used: histories.of([item.name]) }),
      ...(turnOff !== undefined && { switch: turnOff }),
    };
  };
  const tokens = sumLoaded(items);
  return {
    ...(model !== undefined && { model }),
    tokens,
    ...price(tokens),
    groups: groupItems(items).map(({ group, items: own, tokens: size }) => ({
      ...{ group, tokens: size, ...price(sumLoaded(own)) },
      items: own.map(describe).sort((a, b) => b.tokens - a.tokens),
    })),
    servers: [...new Set(items.flatMap(({ server }) => server ?? []))]
      .map((server): ServerReport => {
        const own = items.filter((item) => item.server === server);
        const size = sumLoaded(own);
        const tools = own.filter(({ isTool }) => isTool).map(({ name }) => name);
        const turnOff = switchOffServer(server);
        return {
          ...{ server, tokens: size, ...price(size), tools: tools.length, used: histories.of(tools) },
          ...(turnOff !== undefined && { switch: turnOff }),
        };
      })
      .sort((a, b) => b.tokens - a.tokens),
    ...(rate && { rate }),
    history: { sessions: histories.sessions, isOfProject: histories.isOfProject },
  };
}
