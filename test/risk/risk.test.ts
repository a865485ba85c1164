import { expect, test } from "vitest";
import type { WorkState } from "../../src/facts/task-files.ts";
import { describeRisk } from "../../src/risk/describe-risk.ts";
import { kindOfText } from "../../src/risk/need-table.ts";
import { editNeed, expectNeed, LEAST_WORTH, nameNeed, namesAfter, worthOf } from "../../src/risk/risk.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";

test.each([
  ["read", { filePath: "a.ts" }, "view"],
  ["bash", { command: "cat a.ts" }, "view"],
  ["bash", { command: "rg applyRate" }, "search"],
  ["glob", { pattern: "*" }, "search"],
  ["bash", { command: "git diff" }, "git"],
  ["bash", { command: "npm test" }, "run"],
  ["webfetch", { url: "https://a.dev" }, "other"],
] as const)("%s %j shows a %s", (tool, input, kind) => {
  expect(kindOfText(createToolKinds().describe(tool, input))).toBe(kind);
});

test("names of views are needed more often than those of runs, and those next to named text most", () => {
  expect(nameNeed("view", "none")).toBe(0.014);
  expect(nameNeed("view", "none")).toBeGreaterThan(nameNeed("run", "none"));
  expect(nameNeed("view", "beside")).toBeGreaterThan(nameNeed("view", "none"));
});

test("large views are edited more often than small ones", () => {
  const sizes = [100, 500, 1_000, 2_000, 20_000].map((tokens) => editNeed("view", tokens));
  expect(sizes).toEqual([0.11, 0.15, 0.26, 0.31, 0.83]);
});

test("uses fade with age: between two ages of the table in proportion", () => {
  const shares = [0, 1, 4, 10, 80, 1_000].map((age) => namesAfter(age).toFixed(3));
  expect(shares).toEqual(["1.000", "1.000", "0.710", "0.465", "0.040", "0.040"]);
});

test("the chances that a name and that a line are needed again", () => {
  const of = { kind: "view", tokens: 500, step: 1 } as const;
  const chance = (names: number, edits: number, age: number, work?: WorkState) => {
    const need = expectNeed({ ...of, names, edits }, age, worthOf(work));
    return [need.names, need.edits].map((each) => each.toFixed(6));
  };
  const once = (uses: number) => (1 - Math.exp(-uses)).toFixed(6);
  expect(chance(0, 0, 1)).toEqual([once(0), once(0)]);
  expect(chance(1, 1, 1)).toEqual([once(1), once(1)]);
  expect(chance(1, 1, 20)).toEqual([once(0.26), once(0.21)]);
  expect(chance(0, 1, 1, "planned")).toEqual([once(0), once(2.3)]);
  expect(chance(0, 1, 1, "left")).toEqual([once(0), once(LEAST_WORTH)]);
});

test.each([
  [
    { chance: 0.271, price: 812, kind: "view", tokens: 1_834, age: 31 },
    "needed again in 27 of 100 such cases (view of a file, 1,834 tokens, 31 steps old): costs 812 tokens on average",
  ],
  [
    { chance: 0.02, price: 812, kind: "view", tokens: 1_834, age: 31, work: "left" },
    "needed again in 2 of 100 such cases (view of a file, 1,834 tokens, 31 steps old, changed long before): costs 812 tokens on average",
  ],
  [
    { chance: 0.5, price: 4_000.4, kind: "run", tokens: 90, age: 2, regret: 0.2 },
    "needed again in 50 of 100 such cases (output of a command, 90 tokens, 2 steps old, 20 of 100 fetched again in this session): costs 4,000 tokens on average",
  ],
  [{ chance: 0.001, price: 3 }, "needed again in fewer than 1 of 100 such cases: costs 3 tokens on average"],
] as const)("in words: %j", (risk, words) => {
  expect(describeRisk(risk)).toBe(words);
});
