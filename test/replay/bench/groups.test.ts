import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { formatAims } from "../../../bench/economics/aims.ts";
import { formatGroups, formatGroupsByMoney } from "../../../bench/economics/groups.ts";
import { readOptions } from "../../../bench/economics/options.ts";
import { projectOf } from "../../../bench/economics/project-of.ts";
import { replaySession, type SessionFigures } from "../../../bench/economics/replay-session.ts";
import { formatReport } from "../../../bench/economics/tables.ts";
import type { ReplayTotals } from "../../../src/replay/index.ts";

const OPTIONS = readOptions(["--policies", "Coppice"]);

describe("the project of a session", () => {
  test.each([
    ["/home/ann/work/shop", "shop"],
    ["/home/ann/work/shop/", "shop"],
    ["D:\\work\\shop", "shop"],
    ["/home/ann/work/shop/.worktrees/ann/fix-1", "shop"],
    ["/home/ann/work/shop__worktrees/fix-1", "shop"],
    ["/", "codex"],
    [undefined, "codex"],
  ])("worked in %s", (project, expected) => {
    const recording = { source: "codex" as const, ...(project !== undefined && { project }) };
    expect(projectOf("/nowhere/a.jsonl", recording)).toBe(expected);
  });

  test("is the repository that an index above the file names", () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-index-"));
    writeFileSync(
      join(folder, "INDEX.tsv"),
      "file\tformat\tsource_repo\ncodex/a.jsonl.gz\tcodex\tacme/shop\n",
    );
    const recording = { source: "codex" as const, project: "/home/ann/fork" };
    expect(projectOf(join(folder, "codex", "a.jsonl.gz"), recording)).toBe("acme/shop");
    expect(projectOf(join(folder, "codex", "b.jsonl.gz"), recording)).toBe("fork");
  });
});

describe("groups of sessions", () => {
  let sample: SessionFigures;
  beforeAll(async () => {
    const outcome = await replaySession("samples/discount-service.jsonl", OPTIONS);
    if (!outcome.ok) throw new Error(outcome.why);
    sample = outcome.figures;
  });

  /** A session under Coppice with these figures, for which so much was paid. */
  function session(
    project: string,
    source: string,
    dollars: number,
    figures: Partial<ReplayTotals>,
  ): SessionFigures {
    const [unpruned, pruned] = sample.totals;
    if (!unpruned || !pruned) throw new Error("the sample was not replayed");
    const totals = [
      { ...unpruned, dollars },
      { ...pruned, ...figures },
    ];
    return { ...sample, project, source, totals };
  }

  function listSessions(): readonly SessionFigures[] {
    return [
      session("shop", "claude-code", 30, {
        share: 0.8,
        fetchedShare: 0.9,
        editEvidence: { counted: 10, kept: 10 },
        lostEdits: { counted: 4, lost: 0 },
      }),
      session("shop", "codex", 10, {
        share: 0.4,
        fetchedShare: 0.5,
        editEvidence: { counted: 10, kept: 8 },
        lostEdits: { counted: 4, lost: 2 },
      }),
      session("blog", "codex", 10, {
        share: 1.02,
        editEvidence: { counted: 0, kept: 0 },
        lostEdits: { counted: 0, lost: 0 },
      }),
    ];
  }

  const lineOf = (table: string, start: string): readonly string[] =>
    table
      .split("\n")
      .find((line) => line.startsWith(start))
      ?.slice(start.length)
      .trim()
      .split(/\s{2,}/) ?? [];

  test("a line for each project, its sessions weighted alike", () => {
    const table = formatGroups(listSessions(), "Coppice", "project", ({ project }) => project);
    expect(
      table
        .split("\n")
        .slice(1)
        .map((line) => line.split("  ")[0]),
    ).toEqual(["blog (1)", "shop (2)"]);
    const shop = lineOf(table, "shop (2)");
    expect([shop[0], shop[1]]).toEqual(["60.0%", "80.0%"]);
    // Edit evidence 100 and 80 %, lost edits 0 and 50 %, each with its worst.
    expect(shop.slice(-4)).toEqual(["90.0%", "80.0%", "25.0%", "50.0%"]);
    expect(lineOf(table, "blog (1)").slice(-4)).toEqual(["–", "–", "–", "–"]);
  });

  test("weighted by money", () => {
    const table = formatGroupsByMoney(listSessions(), "Coppice", "project", ({ project }) => project);
    const shop = lineOf(table, "shop (2)");
    // $30 at 80 % and $10 at 40 %; edit evidence 100 and 80 %; lost edits 0 and 50 %.
    expect(shop.slice(0, 3)).toEqual(["$40.00", "70.0%", "80.0%"]);
    expect(shop.slice(-2)).toEqual(["95.0%", "12.5%"]);
    expect(lineOf(table, "all (3)")[0]).toBe("$50.00");
  });

  test("the aims list the failed figures of Claude Code and of all", () => {
    const table = formatAims(listSessions(), ["Coppice", "not run"]);
    expect(lineOf(table, "Claude Code (1), Coppice").slice(0, 2)).toEqual(["100.0%", "100.0%"]);
    expect(lineOf(table, "all (3), Coppice").slice(0, 2)).toEqual(["90.0% !", "80.0% !"]);
    expect(table).toMatch(/all \(3\).* 102\.0% !/);
    expect(table).not.toContain("not run");
  });

  test("with misses is compared with the decisions before, if they are in the same run", () => {
    const sessions = listSessions().map((each, i) => {
      const [unpruned, pruned] = each.totals;
      if (!unpruned || !pruned) throw new Error("the sample was not replayed");
      // Cheaper than before in the first session, more expensive in the others.
      const before = {
        ...pruned,
        policy: "before",
        fetchedShare: pruned.fetchedShare + (i === 0 ? 0.1 : -0.1),
      };
      return { ...each, totals: [unpruned, pruned, before] };
    });
    const table = formatAims(sessions, ["Coppice", "before"]);
    expect(lineOf(table, "Claude Code (1), Coppice").slice(-2)).toEqual(["90.0%", "90.0%"]);
    expect(lineOf(table, "Claude Code (1), before").slice(-2)).toEqual(["100.0%", "100.0%"]);
    const [alike, byMoney] = lineOf(table, "all (3), Coppice").slice(-2);
    expect(alike).toMatch(/!$/);
    // $30 of the first session outweigh $20 of the others.
    expect(byMoney).toMatch(/%$/);
  });

  test("all are sections of the report", () => {
    const report = formatReport(listSessions(), OPTIONS);
    for (const title of [
      "The aims",
      "Coppice by project",
      "weighted by what was paid",
      "Coppice by the agent",
    ])
      expect(report).toContain(title);
  });
});
