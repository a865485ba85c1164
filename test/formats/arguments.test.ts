import { expect, test } from "vitest";
import { readArguments, rewriteArguments } from "../../src/formats/arguments.ts";

const deep = `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;

test.each<[string, string, ReturnType<typeof readArguments>]>([
  ["JSON", '{"a":"x"}', { input: { a: "x" }, leaves: [{ id: "input/a", text: "x" }] }],
  ["not JSON", "{a:", { input: undefined, leaves: [{ id: "input", text: "{a:" }] }],
  ["nothing", "", { input: undefined, leaves: [{ id: "input", text: "" }] }],
  ["too deep to be parsed", deep, { input: deep, leaves: [] }],
])("arguments are read: %s", (_, text, read) => {
  const { input, leaves } = readArguments(text);
  expect(input === read.input || JSON.stringify(input) === JSON.stringify(read.input)).toBe(true);
  expect(leaves).toEqual(read.leaves);
});

test.each<[string, string, Record<string, string>, string]>([
  ["a string", '{"a":"x", "n":1.0}', { "input/a": "y" }, '{"a":"y", "n":1.0}'],
  ["what is not JSON", "{a:", { input: "—" }, "—"],
  ["what is not JSON, emptied", "{a:", { input: "" }, "{}"],
  ["nothing of what is too deep", deep, {}, deep],
])("arguments are rewritten: %s", (_, text, texts, rewritten) => {
  expect(rewriteArguments(text, new Map(Object.entries(texts))) === rewritten).toBe(true);
});
