import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectLeaves, replaceLeaves, replaceLeavesInText } from "../../src/formats/json-leaves.ts";
import { anyString } from "./conformance.ts";

const idsOf = (value: unknown): readonly string[] => collectLeaves(value, "input").map(({ id }) => id);

describe("collectLeaves", () => {
  it.each([
    ["ls", ["input"]],
    [
      { path: "a.ts", line: 4, edits: [{ old: "x" }, "y", null] },
      ["input/path", "input/edits/0/old", "input/edits/1"],
    ],
    [{ "a/b": "x", "a~1b": "y", "": "z" }, ["input/a~1b", "input/a~01b", "input/"]],
    [7, []],
    [null, []],
    [undefined, []],
  ])("%j -> %j", (value, ids) => expect(idsOf(value)).toEqual(ids));

  it("finds nothing in a value that contains itself, is too deep or too large", () => {
    const cyclic: Record<string, unknown> = { a: "x" };
    cyclic.left = cyclic;
    cyclic.right = cyclic;
    let deep: unknown = "x";
    for (let i = 0; i < 100_000; i++) deep = [deep];
    let shared: unknown = ["x", "x"];
    for (let i = 0; i < 30; i++) shared = [shared, shared];
    for (const value of [cyclic, deep, shared, Array(50_000).fill("x")]) expect(idsOf(value)).toEqual([]);
  });
});

const jsonWithStrings = fc
  .jsonValue({ maxDepth: 4 })
  .filter(
    (value) => collectLeaves(value, "input").length > 0 && !JSON.stringify(value).includes("__proto__"),
  );

describe("replaceLeaves", () => {
  it("changes one string and copies only the path to it", () => {
    const value = { a: "x", b: { c: ["y", { d: "z" }] }, e: { f: 1 } };
    const after = replaceLeaves(value, "input", new Map([["input/b/c/1/d", "new"]])) as typeof value;
    expect(after).toEqual({ a: "x", b: { c: ["y", { d: "new" }] }, e: { f: 1 } });
    expect(after.e).toBe(value.e);
    expect(value.b.c[1]).toEqual({ d: "z" });
  });

  it.each(["output", "input/nope", "input/b", "input/b/9", "input/b/x", "input/toString"])(
    "ignores %s",
    (id) => {
      const value = { a: "x", b: ["y"] };
      expect(replaceLeaves(value, "input", new Map([[id, "new"]]))).toBe(value);
    },
  );
});

describe("replaceLeavesInText", () => {
  it("agrees with replaceLeaves on any JSON, however it is spaced", () => {
    fc.assert(
      fc.property(
        jsonWithStrings,
        fc.nat(),
        anyString,
        fc.constantFrom("", "\t", 3),
        (value, at, text, space) => {
          const leaves = collectLeaves(value, "input");
          const id = leaves[at % leaves.length]?.id ?? "";
          const texts = new Map([[id, text]]);
          const json = JSON.stringify(value, null, space);
          const after = replaceLeavesInText(json, "input", texts);
          expect(JSON.parse(after)).toEqual(
            JSON.parse(JSON.stringify(replaceLeaves(JSON.parse(json), "input", texts))),
          );
        },
      ),
    );
  });

  it("returns the same text when nothing changes", () => {
    fc.assert(
      fc.property(jsonWithStrings, (value) => {
        const json = JSON.stringify(value);
        const same = new Map(collectLeaves(JSON.parse(json), "input").map(({ id, text }) => [id, text]));
        expect(replaceLeavesInText(json, "input", same)).toBe(json);
      }),
    );
  });

  it.each([
    [
      '{ "n": 1.0,  "big": 12345678901234567890, "s": "x" }',
      "input/s",
      '{ "n": 1.0,  "big": 12345678901234567890, "s": "new" }',
    ],
    ['{"s":"first","s":"x"}', "input/s", '{"s":"first","s":"new"}'],
    ['{"s":"\\u0041"}', "input/s", '{"s":"new"}'],
    ['"x"', "input", '"new"'],
    ['{"s":{"t":"x"}}', "input/s", '{"s":{"t":"x"}}'],
  ])("%s at %s", (json, id, expected) => {
    expect(replaceLeavesInText(json, "input", new Map([[id, "new"]]))).toBe(expected);
  });
});
