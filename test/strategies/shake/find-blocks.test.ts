import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBlocks } from "../../../src/strategies/shake/find-blocks.ts";

/** Lines are written with `|` between them; blocks come back the same way. */
function blocksOf(lines: string, lineBreak = "\n"): readonly string[] {
  const text = lines.replaceAll("|", lineBreak);
  return findBlocks(text).map(({ from, to }) => text.slice(from, to).replaceAll(lineBreak, "|"));
}

type Case = readonly [name: string, lines: string, blocks: readonly string[]];

const fences: readonly Case[] = [
  ["backticks", "a|```ts|b|```|c", ["```ts|b|```"]],
  ["tildes", "~~~|b|~~~", ["~~~|b|~~~"]],
  ["another character does not close", "```|a|~~~|b|```", ["```|a|~~~|b|```"]],
  ["a shorter one does not close", "````|a|```|b|````", ["````|a|```|b|````"]],
  ["a longer one closes", "```|a|`````|b", ["```|a|`````"]],
  ["an opening inside a longer fence is content", "````md|```ts|a|```|````", ["````md|```ts|a|```|````"]],
  ["up to three spaces", "   ```|a|  ```", ["   ```|a|  ```"]],
  ["four spaces open nothing", "    ```|a|    ```", []],
  ["four spaces close nothing", "```|a|    ```|b|```", ["```|a|    ```|b|```"]],
  ["a backtick in the info string", "``` a`b|c|```", []],
  ["a backtick in a tilde fence's info string", "~~~ a`b|c|~~~", ["~~~ a`b|c|~~~"]],
  ["a closing fence has no info string", "```|a|```ts|b|```", ["```|a|```ts|b|```"]],
  ["never closed", "a|```ts|b", []],
  ["never closed: what follows is inside it", "````|```|a|```|<x>|b|</x>", []],
  ["several", "```|a|```|b|~~~|c|~~~", ["```|a|```", "~~~|c|~~~"]],
  ["inside a line", "see ``` here|a|``` b", []],
  ["empty", "```|```", ["```|```"]],
  ["in a list item", "- a||  ```ts|  b|  ```|c", ["  ```ts|  b|  ```"]],
  ["in a numbered item", "10. a|    ```|    b|    ```", ["    ```|    b|    ```"]],
  ["behind the marker", "1. ```ts|   b|   ```|2. c", ["```ts|   b|   ```"]],
  ["in an item of an item", "- a|  - b|    ~~~|    c|    ~~~|- d", ["    ~~~|    c|    ~~~"]],
  ["four columns further in closes nothing", "- ```|  a|      ```|  ```", ["```|  a|      ```|  ```"]],
  ["ends with its item", "- ```|  a|b|```|c|```", ["```|c|```"]],
  ["never closed in its item: what follows it is not inside", "- ```|  a|b|<x>|c|</x>", ["<x>|c|</x>"]],
  ["an item's fence is closed in the item", "- ```|  a|```|b|```", ["```|b|```"]],
  ["a fence outside is closed outside", "```|- a|  b|      ```|```", ["```|- a|  b|      ```|```"]],
];

const elements: readonly Case[] = [
  ["an element", "a|<doc>|b|</doc>|c", ["<doc>|b|</doc>"]],
  ["attributes", `<doc id="1" of='x y' checked>|b|</doc>`, [`<doc id="1" of='x y' checked>|b|</doc>`]],
  ["a > in an attribute", `<doc if="a > b">|b|</doc>`, [`<doc if="a > b">|b|</doc>`]],
  ["digits", "<h1>|b|</h1>", ["<h1>|b|</h1>"]],
  ["capitals", "<FileContent>|b|</FileContent>", ["<FileContent>|b|</FileContent>"]],
  ["capitals matter", "<Doc>|b|</doc>", []],
  ["namespaces", "<ns:doc.a-b_c>|b|</ns:doc.a-b_c>", ["<ns:doc.a-b_c>|b|</ns:doc.a-b_c>"]],
  ["letters of other scripts", "<größe>|b|</größe>", ["<größe>|b|</größe>"]],
  ["blanks around tags", "  <doc >|b|\t</doc > ", ["  <doc >|b|\t</doc > "]],
  ["nested in another", "<a>|<b>|x|</b>|</a>", ["<a>|<b>|x|</b>|</a>"]],
  ["nested in one of its name", "<a>|<a>|x|</a>|y|</a>|z", ["<a>|<a>|x|</a>|y|</a>"]],
  ["two", "<a>|x|</a>|<b>|y|</b>", ["<a>|x|</a>", "<b>|y|</b>"]],
  ["never closed", "<a>|x", []],
  ["never closed, another one after it", "<a>|x|<b>|y|</b>", ["<b>|y|</b>"]],
  ["left open inside another", "<a>|<br>|x|</a>|</br>", ["<a>|<br>|x|</a>"]],
  ["never opened", "x|</a>", []],
  ["closed by another", "<a>|x|</b>", []],
  ["text beside the opening tag", "<a> x|y|</a>", []],
  ["text beside the closing tag", "<a>|x|y</a>", []],
  ["on one line", "<a>x</a>", []],
  ["self-closing", "<a/>|x|</a>", []],
  ["self-closing with attributes", `<a b="c" />|x|</a>`, []],
  ["a comment", "<!-- a -->|x|</a>", []],
  ["a declaration", "<?xml ?>|<!DOCTYPE a>|x", []],
  ["no name", "<1>|x|</1>", []],
  ["a quote that is not closed", `<a b="c>|x|</a>`, []],
  ["a name and more", "<a,b>|x|</a,b>", []],
  ["nothing inside", "<a>|</a>", ["<a>|</a>"]],
];

const mixed: readonly Case[] = [
  ["a fence in an element belongs to it", "<a>|```|x|```|</a>", ["<a>|```|x|```|</a>"]],
  ["a list in an element too", "<a>|- ```|  x|</a>|y", ["<a>|- ```|  x|</a>"]],
  ["an element in a fence is content", "```|<a>|x|</a>|```", ["```|<a>|x|</a>|```"]],
  ["an opening tag in a fence opens nothing", "```|<a>|```|x|</a>", ["```|<a>|```"]],
  ["a closing tag in a fence closes nothing", "<a>|```|</a>|```|x|</a>", ["<a>|```|</a>|```|x|</a>"]],
  ["a fence in an element that is never closed", "<a>|```|x|```|y", ["```|x|```"]],
  [
    "an open fence ends with the element around it",
    "<a>|```|x|</a>|~~~|y|~~~",
    ["<a>|```|x|</a>", "~~~|y|~~~"],
  ],
  [
    "in an open fence nothing begins",
    "<a>|```|<b>|</b>|<a>|</a>|<c>|</c>",
    ["<a>|```|<b>|</b>|<a>|</a>", "<c>|</c>"],
  ],
  ["one after the other", "```|x|```|<a>|y|</a>|~~~|z|~~~", ["```|x|```", "<a>|y|</a>", "~~~|z|~~~"]],
];

describe.each([
  ["LF", "\n"],
  ["CRLF", "\r\n"],
])("findBlocks, %s", (_, lineBreak) => {
  it.each(fences)("fences: %s", (_name, lines, blocks) => expect(blocksOf(lines, lineBreak)).toEqual(blocks));
  it.each(elements)("elements: %s", (_name, lines, blocks) =>
    expect(blocksOf(lines, lineBreak)).toEqual(blocks),
  );
  it.each(mixed)("both: %s", (_name, lines, blocks) => expect(blocksOf(lines, lineBreak)).toEqual(blocks));
});

describe("findBlocks", () => {
  const line = fc.constantFrom(
    ..."``` ~~~ ```` ```ts <a> </a> <b> </b> <a/> text".split(" "),
    `<a b="c">`,
    "  <b>",
    "    ```",
    "",
  );
  const texts = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 })
    .map((lines) => lines.flat().join(""));

  it("gives whole lines, in order and apart", () => {
    fc.assert(
      fc.property(texts, (text) => {
        let end = -1;
        for (const { from, to } of findBlocks(text)) {
          expect(from).toBeGreaterThan(end);
          expect(to).toBeGreaterThan(from);
          expect(from === 0 || /[\r\n]/.test(text.charAt(from - 1))).toBe(true);
          expect(/[\r\n]/.test(text.charAt(to - 1))).toBe(false);
          expect(to === text.length || /[\r\n]/.test(text.charAt(to))).toBe(true);
          end = to;
        }
      }),
    );
  });

  it("an element around any text is one block", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole = `<whole>\n${text}\n</whole>`;
        expect(findBlocks(whole)).toEqual([{ from: 0, to: whole.length }]);
      }),
    );
  });

  it.each<[string, string]>([
    ["opening tags", "<a>\n"],
    ["closing tags", "<a>\n</b>\n"],
    ["opening fences in an element that is never closed", "<a>\n```ts\n"],
    ["fences", "```\nx\n```\n"],
  ])("takes 100,000 %s in its stride", (_, piece) => {
    expect(findBlocks(piece.repeat(100_000)).length).toBe(piece.endsWith("x\n```\n") ? 100_000 : 0);
  });
});
