import { basename } from "node:path";
import {
  formatDetailsTable,
  formatLimitsTable,
  formatReplayTable,
  formatTable,
  type ReplayColumn,
  type ReplayRow,
  type ReplayTotals,
  summarizeReplays,
} from "../../src/replay/index.ts";
import { percent } from "../../src/replay/table.ts";
import { formatAims } from "./aims.ts";
import { BEFORE } from "./before.ts";
import type { SessionFit } from "./fit-session.ts";
import { formatScenarios } from "./format-scenarios.ts";
import { formatErrors, formatUsage } from "./format-usage.ts";
import { formatGroups, formatGroupsByMoney, type GroupOf, groupSessions } from "./groups.ts";
import { formatKeepWarm } from "./keep-warm.ts";
import type { Options } from "./options.ts";
import type { SessionFigures } from "./replay-session.ts";
import { DEFAULT, listPolicyNames, totalsOf, unprunedOf } from "./session-totals.ts";
import { halfOf } from "./sessions.ts";

/** A table, and what a page calls it. */
export interface Section {
  readonly key: string;
  readonly title: string;
  readonly table: string;
}

/** All tables that there are figures for. The same figures give the same bytes. */
export function listSections(
  sessions: readonly SessionFigures[],
  options: Options,
  fits: readonly SessionFit[] = sessions,
): readonly Section[] {
  const rows = summarizePolicies(sessions);
  const tried = options.configs.map(({ name }) => name);
  const mechanisms = [DEFAULT, `${DEFAULT} eager`, ...tried];
  const aimed = [DEFAULT, BEFORE, ...tried];
  const sections: readonly (readonly [key: string, title: string, table: string])[] = [
    [
      "bill",
      "Bill and evidence: shares of the unpruned session, mean over sessions",
      formatReplayTable(rows),
    ],
    [
      "convention",
      "The same by the old convention: a prefix of 8,000 tokens, tokens by our own estimate, input alone",
      formatConvention(sessions),
    ],
    ["details", "What stands behind these figures", formatDetailsTable(rows)],
    ["limits", "Windows and limits", formatLimitsTable(rows)],
    ...mechanisms.map(
      (policy) =>
        [
          `mechanisms of ${policy}`,
          `What each mechanism of ${policy} took out`,
          formatMechanisms(sessions, policy),
        ] as const,
    ),
    ["aims", "The aims, and how near the default comes", formatAims(sessions, aimed)],
    [
      "agents",
      "Coppice by the agent that recorded the sessions",
      formatGroups(sessions, DEFAULT, "agent", agentOf),
    ],
    [
      "agents by money",
      "The same, each session weighted by what was paid for it",
      formatGroupsByMoney(sessions, DEFAULT, "agent", agentOf),
    ],
    [
      "agents with tools",
      "The same with the agent's tools, as `wrap` starts an agent",
      formatGroups(sessions, `${DEFAULT} + tools`, "agent", agentOf),
    ],
    ["projects", "Coppice by project", formatGroups(sessions, DEFAULT, "project", projectOf)],
    [
      "projects by money",
      "The same, each session weighted by what was paid for it",
      formatGroupsByMoney(sessions, DEFAULT, "project", projectOf),
    ],
    ["halves", "By half (a is the one to tune on): bill, evidence, edit evidence", formatHalves(sessions)],
    ["terms", "Coppice under other terms, and the bills of others", formatScenarios(sessions)],
    [
      "keep warm",
      "With the cache kept warm during pauses",
      formatKeepWarm(sessions.map(({ keepWarm }) => keepWarm)),
    ],
    ["usage", "How far the model of the bill is from recorded usage, without pruning", formatErrors(fits)],
    ["usage by session", "The same by session: input alone", formatUsage(fits)],
    ...(options.bySession ? listSessionTables(sessions) : []),
  ];
  return sections.flatMap(([key, title, table]) => (table === "" ? [] : { key, title, table }));
}

const agentOf: GroupOf = ({ source }) => source;
const projectOf: GroupOf = ({ project }) => project;

export function formatReport(
  sessions: readonly SessionFigures[],
  options: Options,
  fits: readonly SessionFit[] = sessions,
): string {
  const sections = listSections(sessions, options, fits).map(({ title, table }) => `${title}\n\n${table}`);
  return [describeRun(sessions, options), ...sections].join("\n\n");
}

export function summarizePolicies(sessions: readonly SessionFigures[]): readonly ReplayRow[] {
  return listPolicyNames(sessions).map((name) =>
    summarizeReplays(name, totalsOf(sessions, name), unprunedOf(sessions)),
  );
}

/** Input alone, as the figures of other work are. */
function formatConvention(sessions: readonly SessionFigures[]): string {
  const figures = sessions.map((session) => ({ ...session, totals: session.convention.map(toInputAlone) }));
  return (figures[0]?.totals.length ?? 0) === 0 ? "" : formatReplayTable(summarizePolicies(figures));
}

function toInputAlone(totals: ReplayTotals): ReplayTotals {
  const { inputShare: share, bill, rewriteFree, fetched } = totals;
  return {
    ...totals,
    share,
    rewriteFreeShare: (share * rewriteFree) / bill,
    fetchedShare: (share * fetched) / bill,
  };
}

export function describeRun(sessions: readonly SessionFigures[], options: Options): string {
  const { write, read, ttl, reasoning } = options.prices["*"] ?? {};
  const prices =
    write === undefined ? "each model's own prices" : `w ${write}, r ${read}, ${(ttl ?? 0) / 60_000} minutes`;
  const half = options.half ? `, half ${options.half}` : "";
  const rule = reasoning ? `, reasoning ${reasoning}` : "";
  const prefix =
    options.prefixTokens === "recorded" ? "prefix as recorded" : `prefix ${options.prefixTokens}`;
  return `${countSessions(sessions)} of ${options.least} requests or more${half}; ${prices}${rule}, ${prefix}`;
}

function countSessions({ length }: readonly SessionFigures[]): string {
  return `${length} session${length === 1 ? "" : "s"}`;
}

interface MechanismRow {
  readonly author: string;
  readonly sessions: number;
  readonly cuts: number;
  readonly saved: number;
  /** Of all tokens that were sent without pruning. */
  readonly spared: number;
}

const MECHANISM: readonly ReplayColumn<MechanismRow>[] = [
  ["mechanism", ({ author }) => author],
  ["sessions", ({ sessions }) => String(sessions)],
  ["cuts", ({ cuts }) => String(cuts)],
  ["tokens cut", ({ saved }) => saved.toFixed(0)],
  ["of all tokens sent", ({ spared }) => percent(spared)],
];

function formatMechanisms(sessions: readonly SessionFigures[], policy: string): string {
  const totals = totalsOf(sessions, policy);
  const all = totals.flatMap(({ mechanisms }) => mechanisms);
  const sent = add(unprunedOf(sessions).map((each) => each.sent));
  const rows = [...new Set(all.map(({ author }) => author))].map((author): MechanismRow => {
    const own = all.filter((each) => each.author === author);
    return {
      author,
      sessions: own.length,
      cuts: add(own.map(({ cuts }) => cuts)),
      saved: add(own.map(({ saved }) => saved)),
      spared: add(own.map(({ spared }) => spared)) / sent,
    };
  });
  if (rows.length === 0) return "";
  return formatTable(
    MECHANISM,
    rows.toSorted((a, b) => b.spared - a.spared || (a.author < b.author ? -1 : 1)),
  );
}

/** A column for each half, when there are sessions of both. */
function formatHalves(sessions: readonly SessionFigures[]): string {
  const halves = groupSessions(sessions, ({ file }) => `half ${halfOf(file)}`);
  if (halves.length < 2) return "";
  const columns: readonly ReplayColumn<string>[] = [
    ["policy", (policy) => policy],
    ...halves.map(
      ([name, half]): ReplayColumn<string> => [
        `${name} (${half.length})`,
        (policy) => {
          const row = summarizeReplays(policy, totalsOf(half, policy), unprunedOf(half));
          return [row.bill.mean, row.evidence?.mean, row.editEvidence?.mean].map(percent).join(" ");
        },
      ],
    ),
  ];
  return formatTable(columns, listPolicyNames(sessions));
}

function listSessionTables(
  sessions: readonly SessionFigures[],
): readonly (readonly [string, string, string])[] {
  return sessions.map(({ file, totals }) => [
    file,
    basename(file),
    formatReplayTable(totals.map((each) => summarizeReplays(each.policy, [each], totals.slice(0, 1)))),
  ]);
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
