import { Command } from "commander";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { createScreen, type Screen } from "../../src/cli/screen.ts";

test.each(COMMANDS)("$name takes the arguments that its usage lists", async ({ name, usage, load }) => {
  const command = new Command(name);
  (await load())(command, createScreen());
  expect(command.usage()).toBe(usage);
});

test("coppice --help lists every command with its arguments, and what it does", async () => {
  const printed: string[] = [];
  const screen: Screen = { ...createScreen(), print: (text) => printed.push(text), note: () => {} };
  await runCli(["--help"], screen);
  process.exitCode = 0;
  const help = printed.join("").replace(/\s+/g, " ");
  expect(COMMANDS.length).toBeGreaterThan(12);
  for (const { name, usage, description } of COMMANDS)
    expect(help).toContain(` ${name} ${usage} ${description}`);
});
