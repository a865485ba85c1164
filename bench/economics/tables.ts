import { basename } from "node:path";
import {
  type Column,
  formatDetailsTable,
  formatLimitsTable,
  formatReplayTable,
  formatTable,
  type ReplayRow,
  type ReplayTotals,
  summarizeReplays,
} from "../../src/replay/index.ts";
import type { SessionFit } from "./fit-session.ts";
import { formatErrors, formatUsage } from "./format-usage.ts";
import { formatKeepWarm } from "./keep-warm.ts";
import type { Options } from "./options.ts";
import type { SessionFigures } from "./replay-session.ts";
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
  const mechanisms = ["Coppice", "Coppice eager", ...options.configs.map(({ name }) => name)];
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
    ["agents", "Coppice by the agent that recorded the sessions", formatAgents(sessions, DEFAULT)],
    [
      "agents with tools",
      "The same with the agent's tools, as `wrap` starts an agent",
      formatAgents(sessions, `${DEFAULT} + tools`),
    ],
    [
      "halves",
      "By half (a is the one to tune on): bill, evidence, edit evidence",
      formatGroups(sessions, ({ file }) => `half ${halfOf(file)}`),
    ],
    ["terms", "Under other terms: bill, evidence, and cuts of a session", formatScenarios(sessions)],
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

function listPolicyNames(sessions: readonly SessionFigures[]): readonly string[] {
  return sessions[0]?.totals.map(({ policy }) => policy) ?? [];
}

function totalsOf(sessions: readonly SessionFigures[], policy: string): readonly ReplayTotals[] {
  return sessions.flatMap(({ totals }) => totals.find((each) => each.policy === policy) ?? []);
}

/** No pruning is always the first. */
function unprunedOf(sessions: readonly SessionFigures[]): readonly ReplayTotals[] {
  return sessions.flatMap(({ totals }) => totals[0] ?? []);
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

const MECHANISM: readonly Column<MechanismRow>[] = [
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

const AGENT: readonly Column<ReplayRow>[] = [
  ["agent (sessions)", ({ policy }) => policy],
  ["bill", ({ bill }) => percent(bill.mean)],
  ["by money", ({ byMoney }) => percent(byMoney)],
  ["worst", ({ bill }) => percent(bill.most)],
  ["worst stop", ({ worstStop }) => percent(worstStop)],
  ["with misses", ({ fetched }) => percent(fetched.mean)],
  ["missed steps", ({ misses }) => percent(misses)],
  ["evidence", ({ evidence }) => percent(evidence?.mean)],
  ["edit evidence", ({ editEvidence }) => percent(editEvidence?.mean)],
  ["worst", ({ editEvidence }) => percent(editEvidence?.least)],
];

/** A policy, a line for each agent. */
function formatAgents(sessions: readonly SessionFigures[], policy: string): string {
  const sources = [...new Set(sessions.map(({ source }) => source))].toSorted();
  const rows = sources.map((source) => {
    const group = sessions.filter((session) => session.source === source);
    return summarizeReplays(`${source} (${group.length})`, totalsOf(group, policy), unprunedOf(group));
  });
  return totalsOf(sessions, policy).length === 0 ? "" : formatTable(AGENT, rows);
}

const DEFAULT = "Coppice";

/** A column for each group, when there are several. */
function formatGroups(
  sessions: readonly SessionFigures[],
  groupOf: (session: SessionFigures) => string,
): string {
  const names = [...new Set(sessions.map(groupOf))].toSorted();
  if (names.length < 2) return "";
  const columns: readonly Column<string>[] = [
    ["policy", (policy) => policy],
    ...names.map((name): Column<string> => {
      const group = sessions.filter((session) => groupOf(session) === name);
      return [
        `${name} (${group.length})`,
        (policy) => {
          const row = summarizeReplays(policy, totalsOf(group, policy), unprunedOf(group));
          return [row.bill.mean, row.evidence?.mean, row.editEvidence?.mean].map(percent).join(" ");
        },
      ];
    }),
  ];
  return formatTable(columns, listPolicyNames(sessions));
}

/** A line for each scenario, a column for each policy. */
function formatScenarios(sessions: readonly SessionFigures[]): string {
  const scenarios = sessions[0]?.scenarios.map(({ scenario }) => scenario) ?? [];
  if (scenarios.length === 0) return "";
  const figuresOf = (name: string): readonly SessionFigures[] =>
    sessions.map((session) => ({
      ...session,
      totals: session.scenarios.find(({ scenario }) => scenario === name)?.totals ?? [],
    }));
  const policies = sessions[0]?.scenarios[0]?.totals.slice(1).map(({ policy }) => policy) ?? [];
  const columns: readonly Column<string>[] = [
    [`terms (${countSessions(sessions)})`, (scenario) => scenario],
    ...policies.map(
      (policy): Column<string> => [
        policy,
        (scenario) => {
          const figures = figuresOf(scenario);
          const totals = totalsOf(figures, policy);
          const row = summarizeReplays(policy, totals, unprunedOf(figures));
          const cuts = add(totals.flatMap(({ mechanisms }) => mechanisms.map((each) => each.cuts)));
          const each = cuts === 0 ? "" : ` ${(cuts / totals.length).toFixed(0)}`;
          return `${percent(row.bill.mean)} ${percent(row.evidence?.mean)}${each}`;
        },
      ],
    ),
  ];
  return formatTable(columns, scenarios);
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

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(share * 100).toFixed(1)}%`;
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
