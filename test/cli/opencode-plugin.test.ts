import { describe, expect, test } from "vitest";
import { addPlugin, findPlugin, removePlugin } from "../../src/cli/opencode-plugin.ts";

const plugin = "coppice@0.1.0";
const add = (text: string | undefined): string => {
  const added = addPlugin(text, plugin);
  if (!added.ok) throw new Error(added.issue.message);
  return added.value;
};

describe("addPlugin", () => {
  test.each([
    ["no file", undefined],
    ["an empty file", " \n"],
    ["no list", '{ "model": "a/b" /* why */ }'],
    ["an empty list", '{ "plugin": [] }'],
    [
      "others",
      '{\n    "plugin": [\n        "a@1", // first\n        ["b", { "x": 1 }], // second\n    ],\n}',
    ],
    ["a byte order mark", '\uFEFF{\r\n  "plugin": ["a"]\r\n}\r\n'],
  ])("%s", (_, text) => {
    const added = add(text);
    expect(findPlugin(added)).toBe(plugin);
    for (const comment of text?.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(added).toContain(comment);
    expect(add(added)).toBe(added);
    const removed = removePlugin(added);
    expect(removed.ok && findPlugin(removed.value)).toBe(undefined);
    if (text?.includes('"a')) expect(removed.ok && removed.value).toContain('"a');
  });

  test.each(["coppice", "coppice@1.2.3", "/srv/coppice", "file:///srv/coppice/", "./coppice/dist/server.js"])(
    "%s is Coppice already, also with options",
    (entry) => {
      for (const text of [JSON.stringify({ plugin: [entry] }), JSON.stringify({ plugin: [[entry, {}]] })])
        expect(add(text)).toBe(text);
    },
  );

  test("not every text that contains the name", () => {
    expect(findPlugin(JSON.stringify({ plugin: ["coppice-theme", "not-coppice@1"] }))).toBe(undefined);
  });

  test.each([
    ["{ plugin: ", /line 1/],
    ['{ "plugin": "a" }', /"plugin" must be an array/],
    ["[]", /not an object/],
  ])("%s stays unchanged", (text, why) => {
    const added = addPlugin(text, plugin);
    expect(added.ok ? "" : added.issue.message).toMatch(why);
  });
});

test("removePlugin removes every entry, and leaves a file without one unchanged", () => {
  const twice = removePlugin('{ "plugin": ["coppice@1", "a", "coppice@2"] }');
  expect(twice.ok && JSON.parse(twice.value)).toEqual({ plugin: ["a"] });
  const lines = '{\n  "plugin": [\n    "a", // first, of all\n    "coppice" // second\n  ]\n}';
  const left = removePlugin(lines);
  expect(left.ok && left.value).toBe('{\n  "plugin": [\n    "a" // first, of all // second\n  ]\n}');
  expect(removePlugin('{ "plugin": ["a"] } // x')).toEqual({ ok: true, value: '{ "plugin": ["a"] } // x' });
});
