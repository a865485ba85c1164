import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFences } from "../../../src/strategies/texts/find-fences.ts";

/** Each fence as the text of its body. */
const bodies = (text: string) => findFences(text).map(({ body }) => text.slice(body.from, body.to));

describe("findFences", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["backticks", "a\n```ts\nb\n```\nc", ["b\n"]],
    ["tildes", "~~~\nb\n~~~", ["b\n"]],
    ["two of them", "```\na\n```\n\n```\nb\n```\n", ["a\n", "b\n"]],
    ["nothing inside", "```\n```", [""]],
    ["a longer closing fence", "```\na\n`````", ["a\n"]],
    ["a shorter fence inside", "````md\n```ts\na\n```\n````", ["```ts\na\n```\n"]],
    ["tildes inside backticks", "```\n~~~\n```", ["~~~\n"]],
    ["backticks inside tildes", "~~~\n```\n~~~", ["```\n"]],
    ["a closing fence has no info string", "```\na\n``` ts\nb\n```", ["a\n``` ts\nb\n"]],
    ["blanks behind the closing fence", "```\na\n``` \t\nb", ["a\n"]],
    ["three spaces", "   ```\na\n   ```", ["a\n"]],
    ["four spaces open nothing", "    ```\na\n    ```", []],
    ["a tab opens nothing", "\t```\na\n\t```", []],
    ["four spaces close nothing", "```\na\n    ```\nb\n```", ["a\n    ```\nb\n"]],
    ["a backtick in a backtick fence's info string", "``` a`b\nc\n```", []],
    ["inline code of three backticks", "```a```\nb", []],
    ["a backtick in a tilde fence's info string", "~~~ a`b ~~~\nc\n~~~", ["c\n"]],
    ["two backticks", "``\na\n``", []],
    ["never closed", "```\na\n", []],
    ["never closed, so all that follows is inside it", "````\n```\na\n```\n", []],
    ["inside a line", "a ```\nb\n```\nc\n```", ["c\n"]],
    ["CRLF", "a\r\n```ts\r\nb\r\n```\r\nc", ["b\r\n"]],
    ["CR", "```\ra\r```\r", ["a\r"]],
    ["in a list item", "- a\n\n  ```ts\n  b\n  ```\nc", ["  b\n"]],
    ["in a numbered item", "10. a\n    ```\n    b\n    ```", ["    b\n"]],
    ["behind the marker", "1) ```ts\n   b\n   ```\n2) c", ["   b\n"]],
    ["in an item of an item", "- a\n  - b\n    ~~~\n    c\n    ~~~\n- d", ["    c\n"]],
    ["behind two markers", "- 1. ```\n     a\n     ```", ["     a\n"]],
    ["three columns further in", "-  a\n\n      ```\n   b\n   ```", ["   b\n"]],
    ["four columns further in opens nothing", "- a\n\n      ```\n  b\n      ```", []],
    ["four columns further in closes nothing", "- ```\n  a\n      ```\n  ```", ["  a\n      ```\n"]],
    ["by a tab", "-\ta\n\n\t```\n\tb\n\t```", ["\tb\n"]],
    ["blank lines end no item", "* a\n\n  ```\n\n\n  b\n\n  ```", ["\n\n  b\n\n"]],
    ["ends with its item", "- ```\n  a\nb\n\n```\nc\n```", ["c\n"]],
    ["an item's fence is closed in the item", "- ```\n  a\n```\nb\n```", ["b\n"]],
    ["in an item that begins with nothing", "-\n  ```\n  a\n  ```", ["  a\n"]],
    ["behind five blanks it is indented code", "-     ```\n      a\n      ```", []],
    ["a marker needs a blank behind it", "-a\n    ```\n    b\n    ```", []],
    ["lists in code begin no item", "```\n- a\n```\n    ```\n    b\n    ```", ["- a\n"]],
    ["none", "no code here", []],
    ["empty", "", []],
  ];
  it.each(cases)("%s", (_, text, expected) => {
    expect(bodies(text)).toEqual(expected);
  });

  it("gives spans and the info string", () => {
    expect(findFences("a\r\n  ```ts  x\r\nb\r\n```` \r\nc")).toEqual([
      { from: 3, to: 23, body: { from: 15, to: 18 }, info: "ts  x" },
    ]);
  });

  it("after the marker of a list item it begins with the fence, otherwise with its line", () => {
    const wholes = (text: string) => findFences(text).map(({ from, to }) => text.slice(from, to));
    expect(wholes("1. ```\n   a\n   ```\nb")).toEqual(["```\n   a\n   ```"]);
    expect(wholes("- - ~~~\n    a\n    ~~~")).toEqual(["~~~\n    a\n    ~~~"]);
    expect(wholes("- a\n  ```\n  b\n  ```")).toEqual(["  ```\n  b\n  ```"]);
  });

  it("spans are in order, disjoint and in the text, and a text in a longer fence comes back whole", () => {
    const line = fc.constantFrom(
      "```",
      "~~~",
      "````",
      "```ts",
      "  ~~~~",
      "a",
      "",
      "    ```",
      "``` `",
      "- ```",
      "1. a",
      "  ```",
    );
    const lineBreak = fc.constantFrom("\n", "\r\n", "\r");
    const texts = fc.array(fc.tuple(line, lineBreak)).map((lines) => lines.flat().join(""));
    fc.assert(
      fc.property(texts, (text) => {
        let end = 0;
        for (const { from, to, body } of findFences(text)) {
          expect([end, from, body.from, body.to, to, text.length]).toEqual(
            [end, from, body.from, body.to, to, text.length].toSorted((a, b) => a - b),
          );
          end = to;
        }
        expect(bodies(`\`\`\`\`\`\`\n${text}\n\`\`\`\`\`\``)).toEqual([`${text}\n`]);
      }),
    );
  });
});
