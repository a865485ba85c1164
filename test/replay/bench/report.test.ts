import { expect, test } from "vitest";
import { fillPage } from "../../../bench/economics/fill-page.ts";
import { readOptions } from "../../../bench/economics/options.ts";
import { drawPicture, renderPng } from "../../../bench/economics/picture.ts";
import { replaySession, type SessionFigures } from "../../../bench/economics/replay-session.ts";
import { SCENARIOS } from "../../../bench/economics/scenarios.ts";
import { formatReport, listSections, summarizePolicies } from "../../../bench/economics/tables.ts";

const SAMPLE = "samples/discount-service.jsonl";
const OPTIONS = readOptions([
  "--policies",
  "Coppice,keep,ai pruneMessages (last 20)",
  "--by-session",
  "--keep-warm",
]);

async function figuresOf(file: string): Promise<SessionFigures> {
  const outcome = await replaySession(file, OPTIONS);
  if (!outcome.ok) throw new Error(outcome.why);
  return structuredClone(outcome.figures);
}

test("the same input gives the same tables and the same picture, byte for byte", async () => {
  const first = [await figuresOf(SAMPLE)];
  const second = [await figuresOf(SAMPLE)];
  expect(second).toEqual(first);
  const report = formatReport(first, OPTIONS);
  expect(formatReport(second, OPTIONS)).toBe(report);
  expect(drawPicture(summarizePolicies(second), "t")).toBe(drawPicture(summarizePolicies(first), "t"));
  for (const title of ["Bill and evidence", "Windows and limits", "took out", "recorded usage", "kept warm"])
    expect(report).toContain(title);
});

test("kept warm: the share of the bill with and without the pings after the end, for the sessions that have times", async () => {
  const figures = await figuresOf(SAMPLE);
  const [unpruned, warm] = figures.keepWarm;
  if (!unpruned || !warm) throw new Error("the sample has times");
  expect(warm.pings.count).toBeGreaterThan(0);
  const table = formatReport([figures, { ...figures, keepWarm: [] }], OPTIONS).split(
    "kept warm during pauses",
  )[1];
  const line = table?.split("\n").find((each) => each.startsWith("no pruning + keep warm "));
  const percent = (bill: number) => `${((bill / unpruned.bill) * 100).toFixed(1)}%`;
  expect(table).toContain("1 session with times");
  expect(line).toContain(percent(warm.bill));
  expect(line).toContain(percent(warm.bill - warm.pingsAtEnd.bill));
});

test("under other terms: a line for each, with the worst session and the worst stop", async () => {
  const figures = await figuresOf(SAMPLE);
  const scenarios = SCENARIOS.map(({ name }) => ({ scenario: name, totals: figures.totals }));
  const tableOf = (session: SessionFigures) =>
    listSections([session], OPTIONS)
      .find(({ key }) => key === "terms")
      ?.table.split("\n") ?? [];
  const table = tableOf({ ...figures, scenarios });
  expect(table[0]).toMatch(/^terms +bill +worst +worst stop +with misses .* keep last 10 results/);
  expect(table.slice(1).map((line) => line.split(/\s{2,}/)[0])).toEqual(SCENARIOS.map(({ name }) => name));
  expect(table.join("\n")).not.toContain("!");
  const totals = figures.totals.map((each) =>
    each.policy === "Coppice" ? { ...each, worstStop: 1.2 } : each,
  );
  const [, ...others] = scenarios;
  const dear = tableOf({ ...figures, scenarios: [{ scenario: "dear", totals }, ...others] });
  expect(dear[1]).toMatch(/^dear .* 120\.0% ! /);
});

test("a page gets its requested tables, again and again", () => {
  const page = "a\n<!-- table: bill -->\nold\n<!-- end -->\nb\n<!-- table: other -->\nkept\n<!-- end -->\n";
  const filled = fillPage(page, [{ key: "bill", title: "t", table: "x  1" }]);
  expect(filled).toBe(page.replace("old", "```text\nx  1\n```"));
  expect(fillPage(filled, [{ key: "bill", title: "t", table: "x  1" }])).toBe(filled);
});

test("every policy of the table is a point of the picture, except the single passes", async () => {
  const figures = await figuresOf(SAMPLE);
  const rows = summarizePolicies([figures]);
  const alone = rows.slice(-1).map((row) => ({ ...row, policy: "only todos" }));
  const svg = drawPicture([...rows, ...alone], "a title");
  expect(svg.match(/<circle/g)).toHaveLength(rows.length);
  for (const { policy } of rows) expect(svg).toContain(`>${policy} `);
  const png = await renderPng(svg);
  expect([...png.slice(1, 4)].map((code) => String.fromCharCode(code)).join("")).toBe("PNG");
});

test("a short session and an invalid file are left out, with the reason", async () => {
  expect(await replaySession(SAMPLE, { ...OPTIONS, least: 1000 })).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^only \d+ requests$/),
  });
  expect(await replaySession("package.json", OPTIONS)).toMatchObject({ ok: false, file: "package.json" });
});
