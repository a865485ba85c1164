import { expect, test } from "vitest";
import { splitText } from "../../src/prefix/split-text.ts";
import { expectInProportion } from "../growth.ts";

const name = (text: string, rest: "system prompt" | "reminders" = "system prompt") =>
  splitText(text, rest, ["words"]).map(({ group, name: own, server }) => [
    group,
    own,
    ...(server ? [server] : []),
  ]);

test("a system prompt is split by its headings, but not inside of code", () => {
  expect(
    name("You are an agent.\n# Style\nBe short.\n```\n# not a heading\n```\n## Smaller\n# Memory\nx"),
  ).toEqual([
    ["system prompt", "before the first heading"],
    ["system prompt", "Style"],
    ["system prompt", "Memory"],
  ]);
});

test("and by the tags that are on lines of their own", () => {
  expect(name("Hello\n<rules>\n- one\n# in it\n</rules>\n<cwd>\n/a\n</cwd>\nend")).toEqual([
    ["system prompt", "before the first heading"],
    ["system prompt", "rules"],
    ["system prompt", "cwd"],
  ]);
});

test.each([
  [
    "Claude Code",
    "<system-reminder>\nContents of /h/.claude/CLAUDE.md (user's own):\n\n# Mine\nx\n\nContents of /p/CLAUDE.md (project):\n\ny\n</system-reminder>",
    ["/h/.claude/CLAUDE.md", "/p/CLAUDE.md"],
  ],
  ["Codex", "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\n# Rules\n</INSTRUCTIONS>", ["/p/AGENTS.md"]],
  [
    "Gemini CLI",
    "before\n--- Context from: /p/GEMINI.md ---\n# Rules\n--- End of Context from: /p/GEMINI.md ---\nafter",
    ["/p/GEMINI.md"],
  ],
  [
    "OpenCode",
    "Instructions from: /h/AGENTS.md\n# Rules\nInstructions from: /p/AGENTS.md\nx\n\nSkills provide specialized instructions and workflows.",
    ["/h/AGENTS.md", "/p/AGENTS.md"],
  ],
  [
    "pi",
    '<project_context>\n<project_instructions path="/p/AGENTS.md">\n# Rules\n</project_instructions>\n</project_context>',
    ["/p/AGENTS.md"],
  ],
  [
    "Copilot",
    "<custom_instruction>\n# A\n</custom_instruction>\n\n<custom_instruction>\n# B\n</custom_instruction>",
    ["unnamed 1", "unnamed 2"],
  ],
])("memory files of %s", (_, text, files) => {
  const found = splitText(text, "system prompt").filter(({ group }) => group === "memory files");
  expect(found.map((piece) => piece.name)).toEqual(files);
});

test("skills, agents, servers and deferred tools, each by its name", () => {
  const text = [
    "The following deferred tools are now available via ToolSearch:\nWebFetch\nmcp__words__look_up\n",
    "Available agent types for the Agent tool:\n- Explore: looks.\n  and finds (Tools: *)\n- rev: reviews.\n",
    "# MCP Server Instructions\n\nThey say:\n\n## words\nUse it.\n",
    "The following skills are available for use with the Skill tool:\n\n- rhyme: Finds rhymes.\nTRIGGER: poems\n- run: Runs.\n",
    "Today is Monday.",
  ].join("\n");
  expect(name(text)).toEqual(
    [
      ["deferred tools", "introduction"],
      ["deferred tools", "WebFetch"],
      ["deferred tools", "mcp__words__look_up", "words"],
      ["system prompt", "before the first heading"],
      ["agents", "introduction"],
      ["agents", "Explore"],
      ["agents", "rev"],
      ["MCP servers", "introduction"],
      ["MCP servers", "instructions", "words"],
      ["skills", "introduction"],
      ["skills", "rhyme"],
      ["skills", "run"],
    ].filter(([, own]) => own !== undefined),
  );
});

test("names on their own lines", () => {
  expect(
    name(
      "<available_skills>\n<skill>\n<name>\nbatch\n</name>\n<description>x</description>\n</skill>\n</available_skills>",
    ),
  ).toEqual([
    ["skills", "introduction"],
    ["skills", "batch"],
  ]);
});

test("a reminder is named by its first words", () => {
  expect(name("<system-reminder>\nThe current date is: Monday.\n</system-reminder>", "reminders")).toEqual([
    ["reminders", "The current date is: Monday."],
  ]);
});

test("no line is lost, and none is repeated", () => {
  const text =
    "a\n# B\nc\n<available_skills>\n<name>d</name>\n</available_skills>\ne\nContents of /f (g):\nh";
  const lines = splitText(text, "system prompt").flatMap((piece) => piece.text.split("\n"));
  expect(lines.sort()).toEqual(text.split("\n").sort());
});

test("takes linear time", () => {
  for (const line of [
    "# a",
    "<a>",
    "Contents of /a (",
    "- a: b",
    "```",
    "The following deferred tools are available",
    "Contents of ",
  ])
    expectInProportion(20_000, (size) => splitText(`${line}\n`.repeat(size), "system prompt"));
  expectInProportion(200_000, (size) => splitText(`Contents of ${"x ".repeat(size)}`, "system prompt"));
});
