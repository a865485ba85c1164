import { execFileSync } from "node:child_process";
import pc from "picocolors";
import { afterEach, expect, test } from "vitest";
import { CHOICES } from "../../src/cli/completion/list-commands.ts";
import { runCli } from "../../src/cli/run-cli.ts";

afterEach(() => {
  process.exitCode = undefined;
});

async function run(...args: readonly string[]): Promise<string> {
  let out = "";
  await runCli(args, {
    print: (text) => {
      out += text;
    },
    note: (text) => {
      out += `${text}\n`;
    },
    columns: 120,
    isTerminal: false,
    paint: pc.createColors(false),
    paintNote: pc.createColors(false),
    status: () => {},
  });
  return out;
}

const help = await run("--help");
const commands = [...help.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = ""]) => name);

test("every command and every option that help shows is in every script", async () => {
  expect(commands.length).toBeGreaterThan(15);
  const scripts = await Promise.all(["bash", "zsh", "fish"].map((shell) => run("completion", shell)));
  for (const name of commands.filter((each) => each !== "help")) {
    const options = (await run(name, "--help")).matchAll(/^ +(?:-\w, )?--([\w-]+)/gm);
    for (const [, option = ""] of options)
      for (const [i, script] of scripts.entries()) {
        const line = script.split("\n").find((each) => each.includes(name) && each.includes(option));
        // zsh has an option on a line of its own.
        const isThere =
          i === 1 ? script.split(`        ${name})\n`)[1]?.split(";;")[0]?.includes(`--${option}`) : line;
        expect(isThere, `${name} --${option}`).toBeTruthy();
      }
  }
});

test.each(Object.entries(CHOICES))("%s: help names the same values", async (key, choices) => {
  const [command = "", name = ""] = key.split(" ");
  const text = (await run(command, "--help")).replace(/\s+/g, " ");
  const at = text.search(new RegExp(`${name.startsWith("-") ? name : `Arguments: ${name}`} `));
  expect(at, key).toBeGreaterThan(0);
  for (const choice of choices)
    expect(text.slice(at, at + 300), key).toContain(choice.replace(/\d+k?$/, "N"));
});

test("bash reads its script", async () => {
  const script = await run("completion", "bash");
  expect(execFileSync("bash", ["-c", `${script}\ncomplete -p coppice`], { encoding: "utf8" })).toContain(
    "-F _coppice coppice",
  );
});

test("another shell: says which there are", async () => {
  expect(await run("completion", "tcsh")).toMatch(/Allowed choices are bash, zsh, fish/);
  expect(process.exitCode).toBe(2);
});
