import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySplices, invertSplices, type Splice } from "../../../src/basics/splices.ts";
import { spliceValue } from "../../../src/wires/splice/splice-value.ts";
import { makeDice, writeOdd } from "../odd-json.ts";

/** The text with another value, and a check that undoing restores the text. */
function splice(text: string, change: (value: never) => unknown): string {
  const old = JSON.parse(text);
  return spliced(text, spliceValue(text, 0, old, change(old as never)));
}

function spliced(text: string, splices: readonly Splice[]): string {
  const result = applySplices(text, splices);
  let [back, at] = ["", 0];
  for (const { at: from, length, was } of invertSplices(text, splices)) {
    back += result.slice(at, from) + was;
    at = from + length;
  }
  expect(back + result.slice(at)).toBe(text);
  return result;
}

describe("only the changes differ", () => {
  test.each<[string, string, (value: never) => unknown, string]>([
    ["nothing", ' { "a" : 1.0 } ', (v) => structuredClone(v), ' { "a" : 1.0 } '],
    ["a text", '{ "b":1e5, "a" : "x\\/" }', (v: object) => ({ ...v, a: "y" }), '{ "b":1e5, "a" : "y" }'],
    [
      "a number no double holds",
      '{"n":12345678901234567890,"a":"x"}',
      (v: object) => ({ ...v, a: "" }),
      '{"n":12345678901234567890,"a":""}',
    ],
    ["a repeated key", '{"a":"x","a":"y"}', () => ({ a: "z" }), '{"a":"x","a":"z"}'],
    ["a repeated key goes", '{"a":"x","b":2 ,"a":"y"}', () => ({ b: 2 }), '{"b":2}'],
    ["an escaped key", '{"\\u0061":"x"}', () => ({ a: "z" }), '{"\\u0061":"z"}'],
    ["a field goes, the first", '{ "a":1, "b":2 }', () => ({ b: 2 }), '{ "b":2 }'],
    ["a field goes, the last", '{ "a":1, "b":2 }', () => ({ a: 1 }), '{ "a":1 }'],
    ["all fields go", '{ "a":1, "b":2 }', () => ({}), "{  }"],
    ["a field comes", "{ }", () => ({ a: [1] }), '{"a":[1] }'],
    ["a field becomes undefined", '{"a":1,"b":2}', () => ({ a: undefined, b: 2, c: undefined }), '{"b":2}'],
    [
      "__proto__",
      '{"__proto__":{"a":"x"},"b":1.0}',
      () => JSON.parse('{"__proto__":{"a":"y"},"b":1}'),
      '{"__proto__":{"a":"y"},"b":1.0}',
    ],
    ["__proto__ goes", '{"__proto__":{},"b":1.0}', () => ({ b: 1 }), '{"b":1.0}'],
    ["__proto__ comes", '{"b":1.0}', () => JSON.parse('{"__proto__":{},"b":1}'), '{"b":1.0,"__proto__":{}}'],
    ["a lone surrogate", '["\\ud83d","x"]', (v: string[]) => [v[0], "\udc00"], '["\\ud83d","\\udc00"]'],
    ["another kind", '{"a":[1, 2]}', () => ({ a: "cut" }), '{"a":"cut"}'],
    ["null", "[null, 1]", () => [{}, 1], "[{}, 1]"],
    ["−0", "[-0, 0]", () => [-0, 0], "[-0, 0]"],
    ["too large", '[1e999, "x"]', () => [Number.POSITIVE_INFINITY, "y"], '[1e999, "y"]'],
    [
      "a block goes",
      '[ {"a":1.0} , {"b":2} , {"c":3} ]',
      (v: unknown[]) => [v[0], v[2]],
      '[ {"a":1.0} , {"c":3} ]',
    ],
    ["the first goes", '[ {"a":1} , {"b":2.0} ]', (v: unknown[]) => [v[1]], '[ {"b":2.0} ]'],
    ["all go", '[ {"a":1} , {"b":2.0} ]', () => [], "[  ]"],
    ["one comes, at the end", '[ {"a":1.0} ]', (v: unknown[]) => [...v, 2], '[ {"a":1.0},2 ]'],
    ["one comes, at the beginning", '[ {"a":1.0} ]', (v: unknown[]) => [2, v[0]], '[ 2,{"a":1.0} ]'],
    ["one comes into nothing", "[ ]", () => [1, null], "[1,null ]"],
    ["order changes", '[{"a":1.0}, {"b":2}]', (v: unknown[]) => [v[1], v[0]], '[{"b":2},{"a":1}]'],
    [
      "thinking goes and the call behind it changes",
      '[{"type":"thinking","thinking":"x"}, {"id":"a","type":"tool_use","input":{"n":1.0,"s":"\\u0061"}}]',
      (v: { input: object }[]) => [{ ...v[1], input: { ...v[1]?.input, s: "b" } }],
      '[{"id":"a","type":"tool_use","input":{"n":1.0,"s":"b"}}]',
    ],
    [
      "quotes and backslashes",
      '["\\\\\\"]", "\\\\", "x"]',
      (v: string[]) => [v[0], v[1], "y"],
      '["\\\\\\"]", "\\\\", "y"]',
    ],
  ])("%s", (_, text, change, expected) => {
    expect(splice(text, change)).toBe(expected);
    expect(JSON.parse(expected)).toEqual(change(JSON.parse(text) as never));
  });
});

/** Keys that are special to JavaScript, and a value for each. */
const values = fc.json({ maxDepth: 5, stringUnit: "binary" }).map((text) => JSON.parse(text) as unknown);

/** Another value made from this one, sharing unchanged values as formats do. */
function mutate(value: unknown, dice: (count: number) => number): unknown {
  if (dice(4) === 0) return value;
  if (typeof value !== "object" || value === null || dice(12) === 0)
    return [value, `${String(value)}…"\\`, [value, { cut: value }], null, -0, {}][dice(6)];
  if (Array.isArray(value)) {
    const kept = value.filter(() => dice(5) > 0).map((each) => mutate(each, dice));
    return dice(4) === 0 ? kept.toSpliced(dice(kept.length + 1), 0, { added: "here" }) : kept;
  }
  const fields = Object.entries(value).filter(() => dice(6) > 0);
  const copy = {};
  for (const [name, field] of dice(4) === 0 ? [...fields, ["added", 1] as const] : fields) {
    Object.defineProperty(copy, name, {
      value: mutate(field, dice),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

test("any value becomes any other, for any spelling of its JSON", () => {
  let changed = 0;
  fc.assert(
    fc.property(values, fc.integer(), (value, seed) => {
      const dice = makeDice(seed);
      const text = writeOdd(value, dice);
      const old: unknown = JSON.parse(text);
      expect(old).toEqual(value);
      expect(spliceValue(text, 0, old, structuredClone(old))).toEqual([]);
      const next = mutate(old, dice);
      const result = spliced(text, spliceValue(text, 0, old, next));
      expect(JSON.parse(result)).toStrictEqual(JSON.parse(JSON.stringify(next)));
      if (result !== text) changed++;
    }),
    { numRuns: 2_000 },
  );
  expect(changed).toBeGreaterThan(500);
});

test("JSON has no undefined: in a list it is null", () => {
  expect(splice("[1]", () => [undefined, [undefined]])).toBe("[null,[null]]");
});

test("depth costs no stack", () => {
  const depth = 100_000;
  const text = `${"[".repeat(depth)}"x"${"]".repeat(depth)}`;
  const [old, next] = [JSON.parse(text), JSON.parse(text.replace("x", "y"))];
  expect(applySplices(text, spliceValue(text, 0, old, next)) === text.replace("x", "y")).toBe(true);
  expect(applySplices('["x"]', spliceValue('["x"]', 0, ["x"], [old])) === `[${text}]`).toBe(true);
});
