import fc from "fast-check";
import { expect, test } from "vitest";
import { findPrompt } from "../../src/recordings/find-prompt.ts";

const long = "a prompt with many words ".repeat(20);

test.each<[string, readonly string[], string | undefined]>([
  ["nothing", [], undefined],
  ["blanks", [" \n", ""], undefined],
  ["one line", ["Fix the\n\n  login"], "Fix the login"],
  ["a heading is a text", ["# Fix the login\n\nIt is broken."], "Fix the login It is broken."],
  ["blocks before it", ["<date>today</date>\n<a b='c'>x</a>\nFix the login"], "Fix the login"],
  ["a block behind it", ["Fix the login\n<environment_details>\n# Files\n"], "Fix the login"],
  ["a text of blocks alone", ["<context>x</context>", "Fix the login"], "Fix the login"],
  ["nothing but blocks", ["<context>x</context>"], "<context>x</context>"],
  ["a tag that never closes", ["<div> is not closed: why?"], "<div> is not closed: why?"],
  ["words in tags", ["<task>\nFix the login\n</task>\n<environment_details>"], "Fix the login"],
  ["instructions", ["# AGENTS.md instructions for /x\n\nBe brief.", "Fix the login"], "Fix the login"],
  [
    "a command for the model",
    [
      "<command-message>r</command-message>\n<command-name>/review</command-name><command-args>12</command-args>",
      "You review.",
    ],
    "/review 12",
  ],
  [
    "a command of the client",
    ["<command-name>/clear</command-name>", "<local-command-stdout></local-command-stdout>", "Fix the login"],
    "Fix the login",
  ],
  ["a command and nothing else", ["<command-name>/init</command-name>"], "/init"],
  ["cut between words", [long], `${"a prompt with many words ".repeat(4).trim()}…`],
  ["cut where there are no words", ["x".repeat(200)], `${"x".repeat(99)}…`],
])("findPrompt: %s", (_, texts, expected) => {
  expect(findPrompt(texts)).toBe(expected);
});

test("it is one line, short, and never half a character", () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom("<a>", "</a>", "😀".repeat(60), "\n", "x".repeat(150)));
  fc.assert(
    fc.property(fc.array(fc.array(piece).map((pieces) => pieces.join(""))), (texts) => {
      const prompt = findPrompt(texts) ?? "";
      expect(prompt.length).toBeLessThanOrEqual(101);
      expect(prompt).not.toContain("\n");
      if (texts.every((text) => text.isWellFormed())) expect(prompt.isWellFormed()).toBe(true);
    }),
  );
});
