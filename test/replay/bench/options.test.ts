import { describe, expect, test } from "vitest";
import { readOptions, readPrices } from "../../../bench/economics/options.ts";
import { choosePolicies, listPolicies } from "../../../bench/economics/policies.ts";
import { halfOf, listSessions } from "../../../bench/economics/sessions.ts";

const TERMS = { policies: [], configs: [], before: undefined, overheadTokens: 700 };

function namesOf(policies: readonly string[], configs: readonly { readonly name: string }[] = []) {
  const asked = { ...TERMS, policies, configs: configs.map(({ name }) => ({ name, config: {} })) };
  return choosePolicies(asked).map(({ name }) => name);
}

describe("options", () => {
  test.each([
    ["1.25,0.1,5m", { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 1_024 }],
    ["1,0.5,90", { write: 1, read: 0.5, ttl: 90_000, minimumPrefix: 1_024 }],
    ["2,0.1,1h", { write: 2, read: 0.1, ttl: 3_600_000, minimumPrefix: 1_024 }],
    ["1,1", { write: 1, read: 1, ttl: 300_000, minimumPrefix: 1_024 }],
  ])("--prices %s", (text, expected) => {
    expect(readPrices(text, undefined)).toEqual({ "*": expected });
  });

  test("a reasoning rule goes with any prices", () => {
    expect(readPrices(undefined, "bound")).toEqual({ "*": { reasoning: "bound" } });
    expect(readPrices("1,1,5m", "bound")["*"]).toMatchObject({ write: 1, reasoning: "bound" });
    expect(readPrices(undefined, undefined)).toEqual({});
  });

  test("a configuration has the name it is given, or is its own", () => {
    const json = '{"strategies":{"pruneProtect":20000}}';
    expect(readOptions(["--config", `protect 20k=${json}`, "--config", json]).configs).toEqual([
      { name: "protect 20k", config: { strategies: { pruneProtect: 20_000 } } },
      { name: json, config: { strategies: { pruneProtect: 20_000 } } },
    ]);
  });

  test.each([
    [["--half", "c"], "--half is a or b, not c"],
    [["--prices", "x,0.1"], "--prices: x is no number"],
    [["--prices", "1,0.1,soon"], "--prices: nothing is no number"],
    [["--reasoning", "some"], "--reasoning is one of none, field, signed, bound, not some"],
    [["--config", "pruneProtect"], "--config wants"],
    [["--before", "docs"], "dist/index.js. Run npm run build in docs"],
    [["--config", '{"strategis":{}}'], "strategis"],
  ])("%j is reported in a sentence", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });

  test("only a run of all policies writes results by default", () => {
    expect(readOptions([]).out).toBe("bench/results");
    expect(readOptions(["--policies", "Coppice"]).out).toBeUndefined();
    expect(readOptions(["--config", "{}"]).out).toBeUndefined();
    expect(readOptions(["--config", "{}", "--out", "x"]).out).toBe("x");
  });
});

describe("policies", () => {
  test("all are there unless some are named, and their names differ", () => {
    const names = namesOf([]);
    expect(names).toEqual(listPolicies(700).map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toBe("no pruning");
  });

  test("a whole name means one, a prefix all names with it", () => {
    expect(namesOf(["coppice"])).toEqual(["no pruning", "Coppice"]);
    expect(namesOf(["lang"])).toEqual([
      "no pruning",
      "langchain trimMessages (100k)",
      "langchain contextEditing",
    ]);
    expect(() => namesOf(["nothing like it"])).toThrow("there is no policy nothing like it. There are:");
  });

  test("an experiment is shown next to the normal Coppice, or next to the named policies", () => {
    expect(namesOf([], [{ name: "x" }])).toEqual(["no pruning", "Coppice", "x"]);
    expect(namesOf(["keep"], [{ name: "x" }])).toEqual(["no pruning", "keep last 10 results", "x"]);
  });
});

describe("sessions", () => {
  test("the sample by default", () => {
    expect(listSessions([], undefined)).toEqual(["samples/discount-service.jsonl"]);
  });

  test("a folder gives its recordings, once each, in the order of their names", () => {
    const files = listSessions(["samples", "samples/discount-service.jsonl"], undefined);
    expect(files).toContain("samples/discount-service.jsonl");
    expect(files).toEqual([...new Set(files)].toSorted());
    expect(files.every((file) => /\.jsonl?$/.test(file))).toBe(true);
  });

  test("every session is in one half, in any folder", () => {
    const names = Array.from({ length: 200 }, (_, i) => `session-${i}.jsonl`);
    const first = names.filter((name) => halfOf(name) === "a");
    expect(first.length).toBeGreaterThan(70);
    expect(first.length).toBeLessThan(130);
    expect(names.map((name) => halfOf(`/elsewhere/${name}`))).toEqual(names.map(halfOf));
    const [a, b] = (["a", "b"] as const).map((half) => listSessions([], half));
    expect([...(a ?? []), ...(b ?? [])]).toHaveLength(1);
  });
});
