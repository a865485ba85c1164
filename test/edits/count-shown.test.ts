import { expect, test } from "vitest";
import { countLeafShown } from "../../src/edits/count-shown.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import type { Part } from "../../src/transcript/part.ts";
import { textOf } from "../conversation.ts";

const text = textOf(300);
const leaf = { id: "output", text };
const part: Part = {
  kind: "result",
  slot: 0,
  role: "tool",
  leaves: [leaf],
  callId: "c1",
  status: "ok",
} as unknown as Part;
const tag = "\n<tool_hash>a1b2c3</tool_hash>";

test.each([
  ["no cut", [], text, true],
  [
    "part of it is cut",
    [{ from: 10, to: 900, text: "[cut]" }],
    `${text.slice(0, 10)}[cut]${text.slice(900)}`,
    true,
  ],
  ["everything is replaced", [{ from: 0, to: text.length, text: "[gone]" }], "[gone]", false],
])("a tag counts if it is shown: %s", (_, edits, shown, carriesTag) => {
  const tagTokens = estimateTokens(tag);
  expect(tagTokens).toBeGreaterThan(3);
  expect(countLeafShown(part, leaf, edits, undefined)).toBe(estimateTokens(shown));
  expect(countLeafShown(part, leaf, edits, tag)).toBe(estimateTokens(shown) + (carriesTag ? tagTokens : 0));
});
