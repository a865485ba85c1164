import { expect, test } from "vitest";
import { defineTool, type Look } from "../../../bench/lean/definitions.ts";
import { measureSession } from "../../../bench/lean/measure-session.ts";
import { type LeanSession, playLean } from "../../../bench/lean/play-lean.ts";
import { formatLean, formatRegrets } from "../../../bench/lean/table.ts";
import { readRecording } from "../../../src/recordings/index.ts";
import { prepareReplay } from "../../../src/replay/index.ts";

const ITEMS = [defineTool("Bash", 900), defineTool("Agent", 1_000), defineTool("Skill", 400)];
const HOUR = 3_600_000;
const WARM = { cached: 50_000, scale: 2, read: 0.1, write: 1.25 };

/** A session of an hour; `at`: its start, in hours. */
function session(at: number, tools: readonly string[], over: Partial<LeanSession> = {}): LeanSession {
  return {
    use: {
      ...{ source: "claude-code", project: "/p", requests: [] },
      end: (at + 1) * HOUR,
      tools: tools.map((name) => ({ name, calls: 1 })),
    },
    start: at * HOUR,
    paid: 10_000,
    requests: [WARM],
    ...over,
  };
}

/** Sessions that call only Bash, one every two hours from hour 0 on. */
function sessions(count: number): readonly LeanSession[] {
  return Array.from({ length: count }, (_, i) => session(2 * i, ["Bash"]));
}

function play(played: readonly LeanSession[], keep: readonly string[] = []) {
  return playLean(played, { project: "/p", items: ITEMS, isKept: (tool) => keep.includes(tool) });
}

test("ten sessions must come before the first lean one", () => {
  const left = play(sessions(12)).map((outcome) => outcome.left);
  expect(left.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => []));
  expect(left.slice(10)).toEqual([
    ["Agent", "Skill"],
    ["Agent", "Skill"],
  ]);
});

test("only sessions that ended before count, in any order", () => {
  const later = session(100, ["Agent"]);
  // It began before the eleventh and ends after it began.
  const beside = session(19.5, ["Skill"]);
  const played = play([later, beside, ...sessions(11)]);
  expect(played.map(({ session: { start = 0 } }) => start / HOUR)).toEqual([
    ...[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 19.5, 20, 100],
  ]);
  expect(played[11]?.left).toEqual(["Agent", "Skill"]);
  expect(played[12]?.left).toEqual(["Agent"]);
});

test("a call counts for the fifty sessions after it", () => {
  const played = play([session(-2, ["Agent"]), ...sessions(52)]);
  expect(played[50]?.left).toEqual(["Skill"]);
  expect(played[51]?.left).toEqual(["Agent", "Skill"]);
});

test("a session that calls a left-out tool is a regret, and the next one has the tool", () => {
  const played = play([...sessions(10), session(30, ["Bash", "Agent"]), session(40, ["Agent"])]);
  expect(played.map(({ regrets }) => regrets.length).slice(0, 10)).toEqual(Array(10).fill(0));
  expect(played[10]).toMatchObject({ left: ["Agent", "Skill"], regrets: ["Agent"] });
  expect(played[11]).toMatchObject({ left: ["Skill"], regrets: [] });
});

test("some can be kept, and are no regret", () => {
  const played = play([...sessions(10), session(30, ["Agent"])], ["Agent"]);
  expect(played[10]).toMatchObject({ left: ["Skill"], tokens: 400, regrets: [] });
});

test("a request saves its cached tokens at the price of reading, and the rest at that of writing", () => {
  const requests = [{ ...WARM, cached: 0 }, WARM, WARM, { ...WARM, cached: 800 }];
  const played = play([...sessions(10), session(30, ["Bash"], { requests })]);
  // 1,400 tokens of definitions, which the provider counts as 2,800.
  expect(played[10]?.tokens).toBe(1_400);
  expect(played[10]?.saved).toBeCloseTo(2_800 * (1.25 + 0.1 + 0.1) + 800 * 0.1 + 2_000 * 1.25);
  expect(played[9]?.saved).toBe(0);
});

test("without times nothing is left out, and nothing is learned", () => {
  const { start: _, use, ...rest } = session(30, ["Agent"]);
  const { end: _end, ...untimed } = use;
  const played = play([...sessions(10), { ...rest, use: untimed }, session(40, ["Bash"])]);
  expect(played.map(({ left }) => left.length)).toEqual([...Array(11).fill(0), 2]);
});

test("sessions of other projects are ignored", () => {
  const others = sessions(10).map((each) => ({ ...each, use: { ...each.use, project: "/q" } }));
  expect(play([...others, session(30, [])])[10]?.left).toEqual([]);
});

test("a recorded session is priced with the terms of its replay, and old names of tools count as new ones", async () => {
  const read = await readRecording("samples/discount-service.jsonl");
  if (!read.ok) throw new Error(read.issue.message);
  const { unpruned, book } = prepareReplay(read.value, { evidence: false });
  const look: Look = {
    ...{ client: "c", date: "d", model: "claude-opus-5-5", billed: 1.75, items: ITEMS },
    renamed: new Map([["Bash", "Shell"]]),
  };
  const measured = measureSession(read.value, look);
  expect(measured.use.tools.map(({ name }) => name)).toContain("Shell");
  expect(measured.use.tools.map(({ name }) => name)).not.toContain("Bash");
  expect(measured.paid).toBeCloseTo(book.paid.dollars);
  expect(measured.requests.map(({ cached }) => cached)).toEqual(
    unpruned.requests.map(({ cached }) => cached),
  );
  // All tokens of a request, read or written, add up to its input cost.
  const whole = measured.requests.reduce((sum, { cached, read: hit, write }, i) => {
    const { tokens = 0 } = unpruned.requests[i] ?? {};
    return sum + cached * hit + (tokens - cached) * write;
  }, 0);
  expect(whole / book.paid.input).toBeCloseTo(1, 1);
});

test("the table: a line for each project with lean sessions, one for the others, one for all", () => {
  const outcomes = play([...sessions(10), session(30, ["Bash", "Agent"])]);
  const few = play(sessions(3));
  const project = (name: string, played: typeof outcomes) => ({
    ...{ name, outcomes: played, withAllTools: played },
  });
  const table = formatLean([project("few", few), project("p", outcomes), project("none", few)]);
  const rows = table.split("\n").map((line) => line.split(/ {2,}/));
  expect(rows.slice(1)).toEqual([
    ["p", "11", "1", "2.0", "1400", "2.8%", "2.8%", "1 of 1", "1 of 1"],
    ["2 others", "6", "0", "–", "–", "–", "–", "–", "–"],
    ["all", "17", "1", "2.0", "1400", "2.8%", "2.8%", "1 of 1", "1 of 1"],
  ]);
  expect(formatRegrets(outcomes)).toBe("Agent 1");
  expect(formatRegrets(few)).toBe("none");
});
