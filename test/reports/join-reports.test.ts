import { expect, test } from "vitest";
import type { Edit, EditId } from "../../src/edits/edit.ts";
import { createPruner } from "../../src/pruner.ts";
import { joinReports } from "../../src/reports/join-reports.ts";
import type { Report } from "../../src/reports/report.ts";
import type { Ref } from "../../src/transcript/refs.ts";
import { makeCut } from "./make-cut.ts";

const { report: empty } = createPruner({ format: "openai-chat" }).prune([{ role: "user", content: "go" }]);

const reportOf = (...edits: readonly Edit[]): Report => ({
  ...empty,
  edits: edits.map((edit) => ({ edit, request: 0 })),
});
const cut = (author: string, id: string): Edit => ({
  ...makeCut("result:a#1", 100),
  ref: "a1b2c3" as Ref,
  author,
  id: id as EditId,
});
const undo = (target: string): Edit => ({
  type: "undo",
  target: target as EditId,
  author: "agent",
  reason: "restored",
  saved: -100,
});
const authors = (...reports: readonly [Report, ...Report[]]) =>
  joinReports(reports.slice(0, -1), reports.at(-1) ?? empty).edits.map(({ edit }) => edit.author);

test("a cut in text that a compaction kept counts once, whatever its number", () => {
  const before = reportOf(cut("line-numbers", "a1b2c3.1"), cut("agent", "a1b2c3.2"));
  expect(authors(before, reportOf(cut("agent", "a1b2c3.1")))).toEqual(["line-numbers", "agent"]);
});

test("an undone cut does not count, and a repeated one does", () => {
  const [made, again] = [cut("agent", "a1b2c3.1"), cut("agent", "a1b2c3.2")];
  expect(authors(reportOf(made, undo("a1b2c3.1")))).toEqual([]);
  expect(authors(reportOf(made), reportOf(made, undo("a1b2c3.1")))).toEqual([]);
  expect(authors(reportOf(made, undo("a1b2c3.1")), reportOf(made))).toEqual(["agent"]);
  expect(authors(reportOf(made, undo("a1b2c3.1"), again))).toEqual(["agent"]);
});

test("counts of the work add up, and the newest request stays the newest", () => {
  const joined = joinReports([empty, empty], empty).work;
  expect(empty.work.session).toMatchObject({ requests: 1, prompts: 1 });
  expect(joined).toEqual({
    newest: empty.work.newest,
    session: { ...empty.work.session, requests: 3, prompts: 3 },
  });
});
