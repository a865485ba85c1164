import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readJsonLines } from "../../src/recordings/json-lines.ts";

describe("readJsonLines", () => {
  it.each([
    { name: "lines", text: '{"a":1}\n{"b":2}\n', records: [{ a: 1 }, { b: 2 }], broken: [] },
    { name: "no newline at the end", text: '{"a":1}\n{"b":2}', records: [{ a: 1 }, { b: 2 }], broken: [] },
    {
      name: "windows, blank lines",
      text: '{"a":1}\r\n\r\n  \n{"b":2}',
      records: [{ a: 1 }, { b: 2 }],
      broken: [],
    },
    { name: "byte order mark", text: '\uFEFF{"a":1}', records: [{ a: 1 }], broken: [] },
    {
      name: "glued",
      text: '{"a":"}{"}{"b":{"c":"\\"}"}}',
      records: [{ a: "}{" }, { b: { c: '"}' } }],
      broken: [],
    },
    { name: "glued with a blank", text: '{"a":1} {"b":2}', records: [{ a: 1 }, { b: 2 }], broken: [] },
    { name: "glued, the second cut", text: '{"a":1}{"b":', records: [{ a: 1 }], broken: ["f:1"] },
    { name: "cut off", text: '{"a":1}\n{"b":"x', records: [{ a: 1 }], broken: ["f:2"] },
    {
      name: "broken between",
      text: '{"a":1}\nnonsense\n{"b":2}',
      records: [{ a: 1 }, { b: 2 }],
      broken: ["f:2"],
    },
    {
      name: "no objects",
      text: '1\n"a"\n[{"a":1}]\nnull\n}{',
      records: [],
      broken: ["f:1", "f:2", "f:3", "f:4", "f:5"],
    },
    { name: "nothing", text: "", records: [], broken: [] },
  ])("reads $name", ({ text, records, broken }) => {
    const read = readJsonLines(text, "f");
    expect(read.records).toEqual(records);
    expect(read.issues.map(({ where }) => where)).toEqual(broken);
    expect(read.issues.every(({ code }) => code === "broken-line")).toBe(true);
  });

  it("stops at the line limit", () => {
    expect(readJsonLines('{"a":1}\n{"b":2}\n{"c":3}', "f", 2).records).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test("records come back however they are joined", () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    const separator = fc.constantFrom("\n", "", "\r\n", " ", "\n\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(record, separator)), (pairs) => {
        const text = pairs.map(([value, after]) => JSON.stringify(value) + after).join("");
        const expected = pairs.map(([value]) => JSON.parse(JSON.stringify(value)));
        expect(readJsonLines(text)).toEqual({ records: expected, issues: [] });
      }),
    );
  });

  test("a file cut anywhere costs its last record at most", () => {
    const record = fc.dictionary(fc.string(), fc.string());
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), fc.nat(), (values, seed) => {
        const text = values.map((value) => JSON.stringify(value)).join("\n");
        const cut = text.slice(0, seed % (text.length + 1));
        const whole = cut.split("\n").length - 1;
        const { records, issues } = readJsonLines(cut);
        expect(records.slice(0, whole)).toEqual(JSON.parse(JSON.stringify(values.slice(0, whole))));
        expect(issues.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("a damaged line of millions of quotes and braces takes linear time", () => {
    const start = performance.now();
    expect(readJsonLines(`{"a":"${'\\"{}'.repeat(500_000)}`).issues).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
