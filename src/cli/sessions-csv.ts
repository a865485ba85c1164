import type { SessionSum } from "../analysis/sum-analyses.ts";

type Cell = string | number | boolean | undefined;

/** The columns, in order. Names and order are stable; new columns go at the end. */
const COLUMNS: Readonly<Record<string, (session: SessionSum) => Cell>> = {
  file: ({ path }) => path,
  agent: ({ source }) => source,
  session: ({ session }) => session,
  project: ({ project }) => project,
  first_prompt: ({ prompt }) => prompt,
  start: ({ start }) => showTime(start),
  end: ({ end }) => showTime(end),
  models: ({ models }) => models.join(" "),
  requests: ({ requests }) => requests,
  tokens_sent: ({ sent }) => sent,
  tokens_written: ({ written }) => written,
  largest_request: ({ peak }) => peak,
  dollars: ({ dollars }) => dollars,
  dollars_estimated: ({ estimated }) => estimated,
  requests_without_price: ({ unpriced }) => unpriced,
  dollars_avoidable: ({ avoidable }) => avoidable,
  requests_with_a_miss: ({ misses }) => misses,
  dollars_of_misses: ({ missed }) => missed,
  saved_by_compact: ({ saved }) => saved.compact,
  saved_by_balanced: ({ saved }) => saved.balanced,
  saved_by_verbose: ({ saved }) => saved.verbose,
  pruned_by_coppice: ({ isPruned }) => isPruned,
  prompts: ({ work }) => work.prompts,
  edits: ({ work }) => work.edits,
  failed_edits: ({ work }) => work.missedEdits,
  reads: ({ work }) => work.reads,
  repeated_reads: ({ work }) => work.rereads,
  commands: ({ work }) => work.commands,
  repeated_commands: ({ work }) => work.reruns,
  recalls: ({ work }) => work.recalls,
};

/** One row per session, in the format of RFC 4180: a header line first, and CR LF at each line's end. */
export function formatCsv(sessions: readonly SessionSum[]): string {
  const rows = sessions.map((session) => Object.values(COLUMNS).map((read) => showCell(read(session))));
  return [Object.keys(COLUMNS), ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

function showCell(value: Cell): string {
  return typeof value === "string" ? quote(disarm(value)) : String(value ?? "");
}

/** Adds an apostrophe to a text that a spreadsheet would run as a formula, so that it stays a text. */
function disarm(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function showTime(time: number | undefined): string | undefined {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
