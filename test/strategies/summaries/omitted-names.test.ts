import { describe, expect, test } from "vitest";
import { visitNames } from "../../../src/facts/literals.ts";
import { isSummary } from "../../../src/strategies/summaries/is-summary.ts";
import { addNames as addNamesOf } from "../../../src/strategies/summaries/omitted-names.ts";
import { addRef } from "../../../src/strategies/summaries/summary.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";

const addNames = (left: string, text: string, budget: number): string =>
  addNamesOf(left, text, budget, (path) => /(?:^|\/)\.env$|\.pem$/.test(path));

const TEXT = [
  "src/pricing.ts:12: rate = applyDiscountRate(order)",
  "src/orders/total.ts:40: return applyDiscountRate(total) * 12345678",
  "src/orders: done, 3 files, no plain words in here",
].join("\n");

test("names are whole and specific", () => {
  const names: string[] = [];
  visitNames(TEXT, (name) => names.push(name) === 5);
  expect(names).toEqual([
    "src/pricing.ts",
    "applyDiscountRate",
    "src/orders/total.ts",
    "applyDiscountRate",
    "src/orders",
  ]);
});

test("stops searching after the wanted number of names", () => {
  const names: string[] = [];
  visitNames(TEXT, (name) => names.push(name) === 2);
  expect(names).toEqual(["src/pricing.ts", "applyDiscountRate"]);
});

test.each([
  [
    "behind lines",
    "... [3 lines omitted] ...",
    "... [3 lines omitted] ...\n[also names src/pricing.ts, applyDiscountRate, src/orders/total.ts]",
  ],
  [
    "inside a summary",
    "[Pruned grep: 2 matches]",
    "[Pruned grep: 2 matches; also names src/pricing.ts, applyDiscountRate, src/orders/total.ts]",
  ],
  [
    "not what is still there",
    "src/pricing.ts:12: rate = applyDiscountRate(order)\n... [2 lines omitted] ...",
    "src/pricing.ts:12: rate = applyDiscountRate(order)\n... [2 lines omitted] ...\n[also names src/orders/total.ts]",
  ],
  ["nothing", TEXT, TEXT],
])("%s", (_, left, expected) => {
  const named = addNames(left, TEXT, 100);
  expect(named).toBe(expected);
});

test("as many as there is room for", () => {
  const text = Array.from({ length: 500 }, (_, i) => `src/module${i}/index.ts`).join("\n");
  const left = "... [500 lines omitted] ...";
  const named = addNames(left, text, 50);
  expect(named).toContain("src/module0/index.ts");
  expect(estimateTokens(named) - estimateTokens(left)).toBeLessThanOrEqual(50);
  expect(addNames(left, text, 5)).toBe(left);
  expect(estimateTokens(addNames(left, text, 10_000))).toBeLessThan(400);
});

test("a text with names after it carries its ref and is recognised as a summary", () => {
  for (const left of [
    "... [3 lines omitted] ...",
    "[Pruned grep: 2 matches]",
    "[1, 2]\n... [3 lines omitted] ...",
  ]) {
    const marked = addRef(addNames(left, TEXT, 100), "a1b2c3");
    expect(marked).toContain("a1b2c3");
    expect(isSummary(marked)).toBe(true);
  }
});

describe("text that is not named", () => {
  const namesIn = (text: string): string => addNames("[Pruned bash: env]", text, 300);

  test.each([
    ["a password behind its name", "export DB_PASSWORD=hunter22secret", "DB_PASSWORD", "hunter22"],
    [
      "a token by its shape",
      "at src/deploy.ts: ghp_0123456789abcdefghijABCDEFGHIJ",
      "src/deploy.ts",
      "0123456789",
    ],
    [
      "what a cookie holds",
      "src/login.ts\nCookie: sid=a1b2c3d4e5f6g7; theme=dark_blue_2",
      "src/login.ts",
      "a1b2c3d4",
    ],
    [
      "what a command was told",
      "src/sync.ts\ncurl -u ada_1:Correct_Horse_1 https://x.example",
      "src/sync.ts",
      "Correct_Horse",
    ],
    [
      "a key",
      "src/key_store.ts\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7Qx1\nq8sD0gZ4c5vB2nM3kL9p\n-----END RSA PRIVATE KEY-----",
      "src/key_store.ts",
      "q8sD0gZ4",
    ],
    [
      "a line of a protected file",
      "config/.env:3:REGION_NAME=eu_central_1\nsrc/region.ts:1:x",
      "src/region.ts",
      "eu_central_1",
    ],
    [
      "a container's variable",
      "src/pod_spec.ts\n- name: DB_PASSWORD\n  value: Correct_Horse_1\n- name: REGION_NAME\n  value: eu_central_1",
      "eu_central_1",
      "Correct_Horse",
    ],
    [
      "a part of a protected file",
      "==> src/main.ts <==\nstartServer1()\n\n==> .env <==\nREGION_NAME=eu_central_1\n\n==> src/end.ts <==\nx",
      "startServer1",
      "REGION_NAME",
    ],
  ])("%s", (_, text, named, secret) => {
    expect(namesIn(text)).toContain(named);
    expect(namesIn(text)).not.toContain(secret);
  });

  test("in a line without end, text far after a name", () => {
    const text = `${"src/page_1.ts ".repeat(300)} API_TOKEN=q8sD0gZ4c5vB2nM3 ${"src/page_2.ts ".repeat(300)}`;
    expect(namesIn(text)).toContain("src/page_2.ts");
    expect(namesIn(text)).not.toContain("q8sD0gZ4");
  });
});
