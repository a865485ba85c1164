import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { dye, findLiterals } from "../../src/recordings/dye.ts";
import { scanStrings } from "../../src/recordings/scan-strings.ts";

const long = "a text that is long enough, with blanks in it";

describe("scanStrings", () => {
  const strings = (text: string, layout: "lines" | "document" = "lines") =>
    scanStrings(text, layout).map(({ from, to }) => text.slice(from, to));
  const records = (text: string, layout: "lines" | "document") =>
    scanStrings(text, layout).map(({ from, to, record }) => [text.slice(from + 1, to - 1), record]);

  it.each([
    {
      name: "values and no names",
      text: '{"a":"x" , "b" : ["y",{"c"\n:"z"}]}',
      found: ['"x"', '"y"', '"z"'],
    },
    {
      name: "escapes",
      text: '["\\"", "\\\\", "\\\\\\"", "{[,"]',
      found: ['"\\""', '"\\\\"', '"\\\\\\""', '"{[,"'],
    },
    {
      name: "what a broken line holds, and the next one",
      text: '{"a":"x","b":"cut\n{"c":"y"}',
      found: ['"x"', '"y"'],
    },
    { name: "nothing in nothing", text: "", found: [] },
  ])("finds $name", ({ text, found }) => {
    expect(strings(text)).toEqual(found);
  });

  it("distinguishes lines, and elements of outermost lists", () => {
    expect(records('{"a":["x","y"]}\n{"b":"z"}', "lines")).toEqual([
      ["x", 0],
      ["y", 0],
      ["z", 1],
    ]);
    const document = '{"head":"h","list":[{"a":"x","b":["y"]},{"a":"z"}],"tail":"t"}';
    const [head, x, y, z, tail] = records(document, "document").map(([, record]) => record);
    expect(x).toBe(y);
    expect(new Set([head, x, z, tail]).size).toBe(4);
  });

  test("agrees with JSON.parse on every string", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(strings(text, "document").map((literal) => JSON.parse(literal))).toEqual(listStrings(value));
      }),
    );
  });
});

describe("dye", () => {
  it("marks strings worth a cut, and changes nothing else", () => {
    const text = JSON.stringify({ id: "x".repeat(60), short: "a b c", long });
    const dyed = dye(text, "document");
    expect(dyed.literals.map(({ value }) => value)).toEqual([long]);
    const { long: marked, ...rest } = JSON.parse(dyed.text);
    expect(rest).toEqual({ id: "x".repeat(60), short: "a b c" });
    expect(marked).not.toBe(long);
    expect(findLiterals(marked, long, dyed.literals)).toMatchObject([{ from: 0, to: long.length }]);
  });

  it("shows the strings of a rendered text", () => {
    const dyed = dye(JSON.stringify([long, `${long}!`]), "document");
    const [one, two] = JSON.parse(dyed.text);
    const stretches = findLiterals(`$ ${one}\n${two}`, `$ ${long}\n${long}!`, dyed.literals);
    expect(stretches?.map(({ literal, from, to }) => [literal.value, from, to])).toEqual([
      [long, 2, 2 + long.length],
      [`${long}!`, 3 + long.length, 4 + 2 * long.length],
    ]);
  });

  it("keeps JSON in a string readable, and marks its strings", () => {
    const args = JSON.stringify({ n: 1, text: long });
    const dyed = dye(JSON.stringify({ args }), "document");
    const outer: string = JSON.parse(dyed.text).args;
    const inner: string = JSON.parse(outer).text;
    expect(dyed.literals.map(({ value, holder }) => [value, holder?.value])).toEqual([
      [args, undefined],
      [long, args],
    ]);
    expect(findLiterals(outer, args, dyed.literals)?.map(({ literal }) => literal.value)).toEqual([
      args,
      long,
    ]);
    expect(findLiterals(inner, long, dyed.literals)?.map(({ literal }) => literal.value)).toEqual([long]);
  });

  it.each([
    { name: "another text", plain: `${long}?` },
    { name: "a shorter one", plain: long.slice(1) },
    { name: "a longer one", plain: `${long}${long}` },
  ])("does not mistake $name for the dyed one", ({ plain }) => {
    const dyed = dye(JSON.stringify([long]), "document");
    expect(findLiterals(JSON.parse(dyed.text)[0], plain, dyed.literals)).toBeUndefined();
  });

  it("does not treat a part of a literal as a literal", () => {
    const dyed = dye(JSON.stringify([long]), "document");
    const [marked] = JSON.parse(dyed.text);
    expect(findLiterals(marked.slice(0, -30), long.slice(0, marked.length - 30 - 26), dyed.literals)).toEqual(
      [],
    );
  });

  test("every string of any JSON is found again, whole", () => {
    const text = fc
      .string({ minLength: 30, maxLength: 80, unit: "binary" })
      .map((each) => `${each} some blanks${"\\".repeat(each.length % 3)}`);
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.array(text), (value, texts) => {
        const source = JSON.stringify({ value, texts, nested: nest(nest(nest(nest({ texts })))) });
        const dyed = dye(source, "document");
        const [plain, marked] = [source, dyed.text].map((each) => listStrings(JSON.parse(each)));
        expect(marked?.length).toBe(plain?.length);
        for (const [index, original] of (plain ?? []).entries()) {
          const stretches = findLiterals(marked?.[index] ?? "", original, dyed.literals);
          expect(stretches).toBeDefined();
          for (const { literal, from, to } of stretches ?? [])
            expect(original.slice(from, to)).toBe(literal.value);
        }
      }),
    );
  });
});

function nest(value: unknown): unknown {
  return { is: JSON.stringify(value) };
}

function listStrings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listStrings) : [];
}
