import { expect, test } from "vitest";
import type { SessionSum } from "../../src/analysis/sum-analyses.ts";
import { formatCsv } from "../../src/cli/sessions-csv.ts";
import { NO_WORK } from "../../src/facts/work-counts.ts";

const session = (more: Partial<SessionSum> = {}): SessionSum => ({
  path: "/s/a.jsonl",
  source: "claude-code",
  models: ["claude-opus-4-5", "claude-haiku-4-5"],
  peak: 90_000,
  work: { ...NO_WORK, prompts: 2, edits: 3, missedEdits: 1 },
  isPruned: false,
  ...{ requests: 58, sent: 3_479_122, written: 15_563, dollars: 2.07, estimated: 0, unpriced: 0 },
  ...{ avoidable: -0.01, misses: 1, missed: 0.25, saved: { compact: 0.5, balanced: 0.25, verbose: 0 } },
  ...more,
});
const rowOf = (more: Partial<SessionSum>) => formatCsv([session(more)]).split("\r\n")[1];

test("a title line and a row for each session; names and order of the columns are promised", () => {
  expect(formatCsv([session({ start: Date.UTC(2026, 0, 20, 9, 14) })]).split("\r\n")).toEqual([
    "file,agent,session,project,first_prompt,start,end,models,requests,tokens_sent,tokens_written,largest_request," +
      "dollars,dollars_estimated,requests_without_price,dollars_avoidable,requests_with_a_miss,dollars_of_misses," +
      "saved_by_compact,saved_by_balanced,saved_by_verbose,pruned_by_coppice,prompts,edits,failed_edits,reads," +
      "repeated_reads,commands,repeated_commands,recalls",
    "/s/a.jsonl,claude-code,,,,2026-01-20T09:14:00.000Z,,claude-opus-4-5 claude-haiku-4-5,58,3479122,15563,90000," +
      "2.07,0,0,-0.01,1,0.25,0.5,0.25,0,false,2,3,1,0,0,0,0,0",
    "",
  ]);
  expect(formatCsv([])).toMatch(/recalls\r\n$/);
});

test.each([
  ['say "hi"', '"say ""hi"""'],
  ["one, two", '"one, two"'],
  ["one\ntwo", '"one\ntwo"'],
  ["one\r\ntwo", '"one\r\ntwo"'],
  [" blanks ", '" blanks "'],
  ["plain", "plain"],
])("quotes as RFC 4180 has it: %j", (prompt, cell) => {
  expect(formatCsv([session({ prompt })])).toContain(`/s/a.jsonl,claude-code,,,${cell},`);
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", '=HYPERLINK("http://a","b")', "\rx"])(
  "no text is a formula, whoever wrote it: %j",
  (prompt) => {
    const cell = formatCsv([session({ prompt })]).split("claude-code,,,")[1] ?? "";
    expect(cell.replace(/^"/, "").startsWith(`'${prompt[0]}`)).toBe(true);
    expect(rowOf({ path: "=x.jsonl" })).toMatch(/^'=x\.jsonl,/);
  },
);
