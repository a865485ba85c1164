import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../src/cli/run-cli.ts";
import { createScreen, type Screen } from "../src/cli/screen.ts";

const pages = ["README.md", ...readdirSync("docs").map((file) => join("docs", file))].filter((file) =>
  file.endsWith(".md"),
);

/** Lines of shell blocks that start Coppice: the words of each, without the quotes. */
const commands = pages.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block.split("\n").flatMap((line) => {
      const [, words] = /^(?:npx )?coppice (.+?)(?: *#.*)?$/.exec(line) ?? [];
      return words === undefined ? [] : [{ page, words: words.match(/"[^"]*"|\S+/g) ?? [] }];
    }),
  ),
);

async function helpOf(command: string): Promise<string> {
  const printed: string[] = [];
  const screen: Screen = { ...createScreen(), print: (text) => printed.push(text), note: () => {} };
  await runCli([command, "--help"], screen);
  process.exitCode = 0;
  return printed.join("");
}

test("there are commands to check", () => {
  expect(commands.length).toBeGreaterThan(10);
});

test.each(commands)("$page: coppice $words knows its command and options", async ({ words }) => {
  const [command = "", ...rest] = words;
  const help = await helpOf(command);
  expect(help).toContain(`Usage: coppice ${command}`);
  // Words after an agent's name belong to the agent.
  const agent = rest.findIndex((word) => !word.startsWith("-") || word === "--");
  const own = (command === "wrap" || command === "context") && agent >= 0 ? rest.slice(0, agent) : rest;
  for (const word of own.filter((each) => each.startsWith("--"))) expect(help).toContain(word.split("=")[0]);
});

test.each(pages)("%s: the agents that it names for wrap, init and remove exist", async (page) => {
  const [wrap, init] = [await helpOf("wrap"), await helpOf("init")];
  for (const [, command, agent = ""] of readFileSync(page, "utf8").matchAll(
    /\bcoppice (wrap|init|remove) ([a-z]+)\b/g,
  ))
    expect((command === "wrap" ? wrap : init).replace(/\s+/g, " "), `${command} ${agent}`).toContain(agent);
});
