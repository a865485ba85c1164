import fc from "fast-check";
import { expect, test } from "vitest";
import { readJsonc } from "../../src/config/jsonc.ts";

test.each([
  ["", {}],
  ["  // only a comment\n", {}],
  ['\uFEFF{ "a": 1 }', { a: 1 }],
  ['{ /* b */ "a": [1, 2,], // c\n }', { a: [1, 2] }],
  ['{ "a": 1, "a": 2 }', { a: 2 }],
])("%j", (text, value) => {
  expect(readJsonc(text)).toMatchObject({ value: expect.toSatisfy((read) => sameJson(read, value)) });
  expect(readJsonc(text)).not.toHaveProperty("mistake");
});

test.each([
  ['{\n "a": 1\n "b": 2\n}', { a: 1, b: 2 }, { line: 3, what: "comma expected" }],
  ['{\r\n "a": tru,\r\n "b": 2 }', { b: 2 }, { line: 2, what: "invalid symbol" }],
  ['{ "a": 1', { a: 1 }, { line: 1, what: "close brace expected" }],
  ["nonsense", {}, { line: 1, what: "invalid symbol" }],
])("%j: the readable part is used", (text, value, mistake) => {
  const read = readJsonc(text);
  expect(sameJson(read.value, value)).toBe(true);
  expect(read.mistake).toEqual(mistake);
});

test("keys are found by line; a repeated one by its last", () => {
  const { locate } = readJsonc(
    '\uFEFF{\n  "a": {\r\n    "b":\n      1 },\n  "list": [\n    1,\n    2 ],\n  "a": { "b": 2 }\n}',
  );
  expect(locate(["a"])).toBe(8);
  expect(locate(["a", "b"])).toBe(8);
  expect(locate(["list"])).toBe(5);
  expect(locate(["list", 1])).toBe(7);
  expect(locate([])).toBe(1);
  expect(locate(["list", 2])).toBeUndefined();
  expect(locate(["a", "b", "c"])).toBeUndefined();
  expect(readJsonc("").locate(["a"])).toBeUndefined();
});

test("a key is on the line where it is written", () => {
  const { locate } = readJsonc('{\n  "a": {\n    "b":\n      1 } }');
  expect([locate(["a"]), locate(["a", "b"])]).toEqual([2, 3]);
});

test("reads all JSON, and accepts any text", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { value, mistake } = readJsonc(text);
      expect(mistake).toBeUndefined();
      expect(sameJson(value, JSON.parse(text))).toBe(true);
    }),
  );
  const garbled = fc
    .tuple(fc.json(), fc.nat(40), fc.string())
    .map(([text, at, noise]) => text.slice(0, at) + noise);
  fc.assert(
    fc.property(garbled, (text) => {
      expect(readJsonc(text)).toHaveProperty("value");
    }),
  );
});

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
