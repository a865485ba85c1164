import type { GroupReport, ItemReport, PrefixReport, ServerReport } from "../../analysis/prefix-report.ts";
import type { ToolHistory } from "../../analysis/tool-history.ts";
import { countOf, formatDollars, formatNumber } from "../../basics/numbers.ts";
import type { PrefixChange } from "../../prefix/compare-inventories.ts";
import { plain } from "../format-analysis.ts";
import type { Screen } from "../screen.ts";
import { type Column, drawBar, formatTable, wrap } from "../table.ts";
import type { ContextReport } from "./context-report.ts";

type Canvas = Pick<Screen, "columns" | "isTerminal" | "paint">;

/**
 * Formats the text that a client sends before the first message: groups, tools with their cost, other items by
 * size, changes.
 */
export function formatContext(report: ContextReport, top: number, canvas: Canvas): string {
  const { paint, columns } = canvas;
  const { prefix, changes } = report;
  const section = (title: string, body: string): string =>
    body === "" ? "" : `\n${paint.bold(title)}\n${body}`;
  const tools = prefix.groups.flatMap(({ items }) =>
    items.filter(({ isTool, isHidden }) => isTool && !isHidden),
  );
  const isDeferred = ({ group }: ItemReport) => group === "deferred tools";
  return [
    formatHead(report, canvas),
    section("By group", formatGroups(prefix, canvas)),
    section("MCP servers", formatServers(prefix, canvas)),
    section(
      "Tools",
      formatTools(
        tools.filter((tool) => !isDeferred(tool)),
        prefix,
        top,
        canvas,
      ),
    ),
    ...prefix.groups
      .map((group) => ({ ...group, items: group.items.filter((item) => !item.isTool) }))
      .filter(({ group, items }) => group !== "deferred tools" && items.length > 0)
      .map((group) => section(nameGroup(group), formatItems(group, top, canvas))),
    section("Deferred tools: the model has to search for them", formatDeferred(prefix, columns)),
    changes
      ? section(
          `Since ${formatDay(changes.since)}`,
          changes.list.length === 0
            ? wrap("Nothing has changed.", columns)
            : formatChanges(changes.list.slice(0, top), canvas),
        )
      : "",
    formatNotes(report, canvas),
  ].join("");
}

function formatHead({ title, project, prefix }: ContextReport, { paint, columns }: Canvas): string {
  const { tokens, model, dollars, rate } = prefix;
  const line = `${title} in ${project} sends ${formatNumber(tokens)} tokens before your first word${model === undefined ? "" : `, to ${model}`}.`;
  const money =
    dollars === undefined || !rate
      ? ""
      : paint.yellow(
          wrap(
            `At your ${countOf(rate.requests, "request")} a month that is ${rate.isEstimate ? "about " : ""}${formatDollars(dollars)} a month.`,
            columns,
            0,
          ),
        );
  return paint.bold(wrap(line, columns, 0)) + money;
}

const BAR = 16;

function formatGroups({ groups, tokens: all }: PrefixReport, canvas: Canvas): string {
  const columns: readonly Column[] = [
    { title: "group", align: "left" },
    { title: "tokens", align: "right" },
    { title: "share", align: "right", spare: 2 },
    ...(hasMoney(groups) ? [MONTH] : []),
    ...(canvas.isTerminal
      ? [{ title: "", align: "left", spare: 1, paint: canvas.paint.green } as const]
      : []),
  ];
  const rows = groups.map(({ group, tokens, dollars }) => {
    const share = all === 0 ? 0 : tokens / all;
    return [
      group,
      formatNumber(tokens),
      `${Math.round(share * 100)} %`,
      ...(hasMoney(groups) ? [showMonth(dollars)] : []),
      ...(canvas.isTerminal ? [drawBar(share, BAR)] : []),
    ];
  });
  return formatTable(columns, rows, { width: canvas.columns, paint: canvas.paint });
}

const MONTH: Column = { title: "a month", align: "right", spare: 3 };

function hasMoney(rows: readonly { readonly dollars?: number }[]): boolean {
  return rows.some(({ dollars }) => dollars !== undefined);
}

function showMonth(dollars: number | undefined): string {
  return dollars === undefined ? "" : formatDollars(dollars);
}

interface Row {
  readonly name: string;
  readonly tokens: number;
  readonly dollars?: number;
  readonly used?: ToolHistory;
  readonly switch?: string;
}

/** Tokens, money, last use, and how to turn it off. */
function formatRows(
  title: string,
  rows: readonly Row[],
  { history }: PrefixReport,
  { paint, columns: width }: Canvas,
): string {
  const isUsed = history.sessions > 0;
  const columns: readonly Column[] = [
    { title, align: "left", atLeast: 14 },
    { title: "tokens", align: "right" },
    ...(hasMoney(rows) ? [MONTH] : []),
    ...(isUsed
      ? ([
          { title: "used in", align: "right" },
          { title: "last used", align: "left", spare: 4 },
        ] as const)
      : []),
    { title: "turned off by", align: "left", atLeast: 16, spare: 5, paint: paint.dim },
  ];
  const cells = rows.map(({ name, tokens, dollars, used, switch: turnOff }) => [
    plain(name),
    formatNumber(tokens),
    ...(hasMoney(rows) ? [showMonth(dollars)] : []),
    ...(isUsed ? [`${used?.sessions ?? 0} of ${history.sessions}`, showLast(used)] : []),
    plain(turnOff ?? ""),
  ]);
  return formatTable(columns, cells, { width, paint });
}

function showLast(used: ToolHistory | undefined): string {
  if (!used || used.sessions === 0) return "never";
  return used.last === undefined ? "" : formatDay(used.last);
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function formatServers(prefix: PrefixReport, canvas: Canvas): string {
  if (prefix.servers.length === 0) return "";
  const rows = prefix.servers.map((server: ServerReport) => ({
    ...server,
    name: `${server.server} (${countOf(server.tools, "tool")})`,
  }));
  return formatRows("server", rows, prefix, canvas);
}

function formatTools(
  tools: readonly ItemReport[],
  prefix: PrefixReport,
  top: number,
  canvas: Canvas,
): string {
  if (tools.length === 0) return "";
  const sorted = tools.toSorted((a, b) => b.tokens - a.tokens);
  const rows = sorted.slice(0, top).map((tool) => ({
    ...tool,
    name: tool.within === undefined ? tool.name : `${tool.within}: ${tool.name}`,
  }));
  return formatRows("tool", rows, prefix, canvas) + formatMore(sorted.slice(top), canvas);
}

function nameGroup({ group, tokens }: GroupReport): string {
  return `${group[0]?.toUpperCase()}${group.slice(1)}, ${formatNumber(tokens)} tokens`;
}

function formatItems({ items }: GroupReport, top: number, canvas: Canvas): string {
  const columns: readonly Column[] = [
    { title: "", align: "left", atLeast: 20 },
    { title: "", align: "right" },
    { title: "", align: "left", atLeast: 16, spare: 1, paint: canvas.paint.dim },
  ];
  const rows = items
    .slice(0, top)
    .map(({ name, server, tokens, switch: turnOff }) => [
      plain(server === undefined ? name : `${server}: ${name}`),
      formatNumber(tokens),
      plain(turnOff ?? ""),
    ]);
  return (
    formatTable(columns, rows, { width: canvas.columns, paint: canvas.paint }) +
    formatMore(items.slice(top), canvas)
  );
}

function formatMore(rest: readonly ItemReport[], { columns, paint }: Canvas): string {
  if (rest.length === 0) return "";
  const tokens = rest.reduce((sum, item) => sum + item.tokens, 0);
  return paint.dim(wrap(`${formatNumber(rest.length)} more, ${formatNumber(tokens)} tokens: --top`, columns));
}

/** Their names cost little, and their definitions cost nothing until the model searches for them. */
function formatDeferred({ groups }: PrefixReport, columns: number): string {
  const items = groups.find(({ group }) => group === "deferred tools")?.items ?? [];
  const tools = items.filter(({ isTool }) => isTool).map(({ name }) => name);
  return tools.length === 0 ? "" : wrap(plain(tools.join(", ")), columns);
}

function formatChanges(changes: readonly PrefixChange[], { columns: width, paint }: Canvas): string {
  const rows = changes.map(({ group, name, before, after }) => [
    plain(name),
    group,
    after === 0
      ? "is gone"
      : before === 0
        ? "is new"
        : `${after > before ? "grew" : "shrank"} from ${formatNumber(before)}`,
    after === 0 ? `−${formatNumber(before)}` : `${formatNumber(after)}`,
  ]);
  return formatTable(
    [
      { title: "", align: "left", atLeast: 16 },
      { title: "", align: "left", spare: 1 },
      { title: "", align: "left" },
      { title: "tokens", align: "right" },
    ],
    rows,
    { width, paint },
  );
}

function formatNotes(
  { prefix, refused, counted, billed }: ContextReport,
  { columns, paint }: Canvas,
): string {
  const { rate, history } = prefix;
  const notes = [
    history.sessions === 0
      ? "No recorded sessions of this client were found, so what is used, and its monthly cost, is unknown."
      : `Used in: the last ${countOf(history.sessions, "session")} ${history.isOfProject ? "of this project" : "of all projects, as this one has fewer than 10"}.`,
    rate && prefix.dollars !== undefined
      ? `A month: ${formatNumber(rate.requests)} requests, as in the last ${rate.days} days, at the model's prices for cached and new input.`
      : "",
    counted === "estimate"
      ? "Tokens are estimated: install ai-tokenizer to count them (npm install ai-tokenizer)."
      : billed > 1.05
        ? `Tokens as the ${counted} tokenizer counts them; the provider bills about ${billed.toFixed(1)} times as many, and the dollar amounts are for those.`
        : "",
    refused.length > 0
      ? `Nothing left this machine. Not reached: ${refused.join(", ")}. MCP servers elsewhere are only counted with --remote.`
      : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? "" : `\n${notes.map((note) => paint.dim(wrap(note, columns, 0))).join("")}`;
}
