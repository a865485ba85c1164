import type { UsageBlock } from "../analysis/list-blocks.ts";
import { HOUR } from "../analysis/session-hours.ts";
import { countOf, formatDollars, formatNumber, shortCount } from "../basics/numbers.ts";
import type { Screen } from "./screen.ts";
import { type Column, drawBar, formatTable, wrap } from "./table.ts";

interface BlocksView {
  readonly zone: string;
  readonly now: number;
  /** The number of blocks to show, counted from the newest. */
  readonly top: number;
}

const BAR = 16;

/** Shows five-hour blocks, oldest first, the gaps without requests, and the projected totals of the running block. */
export function formatBlocks(
  blocks: readonly UsageBlock[],
  { zone, now, top }: BlocksView,
  { columns, isTerminal, paint }: Pick<Screen, "columns" | "isTerminal" | "paint">,
): string {
  const shown = blocks.slice(-top);
  const sources = new Set(shown.map(({ source }) => source));
  const most = Math.max(0, ...shown.map(({ dollars }) => dollars));
  const { day, clock } = clocksOf(zone);
  const table: readonly Column[] = [
    { title: "block", align: "left" },
    ...(sources.size > 1 ? [{ title: "agent", align: "left", atLeast: 8, spare: 3 } as const] : []),
    { title: "requests", align: "right", spare: 2 },
    { title: "tokens", align: "right" },
    { title: "money", align: "right" },
    { title: "avoidable", align: "right", spare: 4, paint: paint.yellow },
    ...(isTerminal ? [{ title: "", align: "left", spare: 5, paint: paint.green } as const] : []),
  ];
  const last = new Map<string, number>();
  const rows = shown.flatMap((block) => {
    const { source, start, end, first, requests, sent, written, dollars, estimated, avoidable } = block;
    const before = last.get(source);
    last.set(source, block.last);
    const isPriced = block.unpriced < requests;
    const agent = sources.size > 1 ? [source] : [];
    const row = [
      `${day(start)} ${clock(start)} to ${clock(end)}${block.running ? " *" : ""}`,
      ...agent,
      formatNumber(requests),
      shortCount(sent + written),
      isPriced ? `${estimated > 0 ? "≈" : ""}${formatDollars(dollars)}` : "?",
      isPriced ? formatDollars(avoidable) : "?",
      ...(isTerminal ? [drawBar(most === 0 ? 0 : dollars / most, BAR)] : []),
    ];
    const gap = before === undefined ? 0 : first - before;
    return gap >= 5 * HOUR ? [[paint.dim(`no requests for ${showLength(gap)}`), ...agent], row] : [row];
  });
  const running = blocks.filter((block) => block.running !== undefined);
  return [
    paint.bold(`Five-hour blocks, in the time zone ${zone}\n`),
    formatTable(table, rows, { width: columns, paint }),
    blocks.length > shown.length
      ? wrap(
          `${countOf(blocks.length - shown.length, "earlier block")} not shown: --top ${blocks.length}`,
          columns,
        )
      : "",
    ...running.map((block) => `\n${wrap(sayRunning(block, now, clock, sources.size > 1), columns, 0)}`),
    `\n${paint.dim(wrap("A block begins with the hour of its first request. Coppice does not know the limits of your plan.", columns, 0))}`,
  ].join("");
}

function sayRunning(
  { source, end, running, sent, written, dollars, requests, unpriced }: UsageBlock,
  now: number,
  clock: (time: number) => string,
  isNamed: boolean,
): string {
  const money = (amount: number): string => (unpriced < requests ? ` and ${formatDollars(amount)}` : "");
  const { tokens = 0, dollars: projected = 0 } = running ?? {};
  return (
    `* ${isNamed ? `${source}: r` : "R"}unning until ${clock(end)}, ${showLength(end - now)} from now: ` +
    `${shortCount(sent + written)} tokens${money(dollars)} so far, ` +
    `${shortCount(tokens)} tokens${money(projected)} by its end at this rate.`
  );
}

/** `1 h 12 min`, `16 days` */
function showLength(time: number): string {
  const minutes = Math.max(0, Math.round(time / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return countOf(Math.floor(hours / 24), "day");
  return hours === 0 ? `${minutes} min` : `${hours} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

/** Functions that format a time: `2026-11-18`, `09:00`. */
function clocksOf(zone: string): Readonly<Record<"day" | "clock", (time: number) => string>> {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" });
  return { day: (time) => day.format(time), clock: (time) => clock.format(time) };
}
