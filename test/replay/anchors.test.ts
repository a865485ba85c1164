import { describe, expect, test } from "vitest";
import { collectAnchors, collectEditAnchors } from "../../src/replay/anchors.ts";
import type { CallPart, Leaf } from "../../src/transcript/part.ts";

describe("collectAnchors", () => {
  const cases: readonly (readonly [what: string, text: string, anchors: readonly string[]])[] = [
    ["relative path", "open src/pricing.ts now", ["src/pricing.ts"]],
    ["absolute path with a line", "at /srv/app/orders.py:42", ["/srv/app/orders.py"]],
    [
      "home and dot paths",
      "~/notes/a.md ../lib/b.js ./lib/c.js",
      ["~/notes/a.md", "../lib/b.js", "./lib/c.js"],
    ],
    ["Windows path", "see C:\\work\\a.ts.", ["C:\\work\\a.ts"]],
    ["scoped package", "from '@acme/pricing'", ["acme/pricing"]],
    ["dotted identifier", "call order.total() twice", ["order.total"]],
    ["file name", "the tsconfig.json file", ["tsconfig.json"]],
    ["snake identifier", "apply_discount and MAX_RATE_LIMIT", ["apply_discount", "MAX_RATE_LIMIT"]],
    [
      "camel identifier",
      "applyDiscount, OrderLine, HTMLElement",
      ["applyDiscount", "OrderLine", "HTMLElement"],
    ],
    ["url without the stop", "at https://acme.dev/a/b?c=1&d=2.", ["https://acme.dev/a/b?c=1&d=2"]],
    ["hash", "commit 9fceb02d0ae598e9", ["9fceb02d0ae598e9"]],
    ["uuid", "id 3f2b8c1e-77aa-4c0d-9e11-0a1b2c3d4e5f", ["3f2b8c1e-77aa-4c0d-9e11-0a1b2c3d4e5f"]],
    ["number of four digits", "port 8080, not 443", ["8080"]],
    ["number inside a date", "on 2031-04-01", ["2031"]],
    ["long flag", "--max_old_space=9", ["max_old_space"]],
    ["rest and comment", "...args.values //see.below", ["args.values", "see.below"]],
    ["under eight characters", "a.ts src/a myVar a_b 123", []],
    ["prose", "Refactoring everything carefully, line by line - well-known things.", []],
    ["each once", "order.total + order.total", ["order.total"]],
    ["letters of other scripts", "größe_maximum", ["größe_maximum"]],
    ["nothing", "", []],
  ];
  test.each(cases)("%s", (_, text, anchors) => {
    expect([...collectAnchors(text)]).toEqual(anchors);
  });

  test("every anchor is a substring of the text", () => {
    for (const [, text] of cases) for (const anchor of collectAnchors(text)) expect(text).toContain(anchor);
  });
});

describe("collectEditAnchors", () => {
  const long = "  const total = sum(lines);";
  const cases: readonly (readonly [
    what: string,
    leaves: Readonly<Record<string, string>>,
    lines: readonly string[],
  ])[] = [
    [
      "old_string",
      { "input/old_string": `${long}\n}`, "input/new_string": "const nothing = here();" },
      [long],
    ],
    ["oldString", { "input/oldString": long }, [long]],
    [
      "oldText of several edits",
      { "input/edits/0/oldText": long, "input/edits/1/oldText": "return total;" },
      [long, "return total;"],
    ],
    ["old_str", { "input/old_str": long }, [long]],
    ["search", { "input/search": long }, [long]],
    ["eleven characters and blanks", { "input/old_string": "a b c d e f g h i j k" }, []],
    [
      "twelve characters and blanks",
      { "input/old_string": "a b c d e f g h i j k l" },
      ["a b c d e f g h i j k l"],
    ],
    ["Windows line ends", { "input/old_string": `${long}\r\nreturn total;\r\n` }, [long, "return total;"]],
    [
      "removed lines of an envelope",
      {
        "input/input": `*** Begin Patch\n*** Update File: a.ts\n@@\n context that stays here\n-${long}\n+new text of this line\n*** End Patch`,
      },
      [long],
    ],
    [
      "removed lines of a unified diff, and no header",
      {
        input: `--- a/src/pricing.ts\n+++ b/src/pricing.ts\n@@ -1 +1 @@\n-${long}\n--- a comment in SQL\n+x`,
      },
      [long, "-- a comment in SQL"],
    ],
    ["other fields", { "input/file_path": "/srv/app/src/pricing.ts", "input/content": long }, []],
  ];
  test.each(cases)("%s", (_, texts, lines) => {
    const leaves: Leaf[] = Object.entries(texts).map(([id, text]) => ({ id, text }));
    const part: CallPart = {
      kind: "call",
      slot: "0",
      role: "assistant",
      callId: "c",
      tool: "edit",
      input: {},
      leaves,
    };
    expect([...collectEditAnchors(part)]).toEqual(lines);
  });
});
