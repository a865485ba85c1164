import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { Result } from "../basics/issue.ts";
import { VERSION } from "../basics/version.ts";
import { makeFolder } from "../stores/make-folder.ts";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import { unwrap, writeText } from "./input.ts";
import { opencodeFile } from "./opencode-files.ts";
import { addPlugin, findPlugin, removePlugin } from "./opencode-plugin.ts";
import type { Screen } from "./screen.ts";

interface InitOptions {
  readonly global?: true;
  readonly plugin?: string;
  readonly json?: true;
}

export function addInit(program: Command, screen: Screen): void {
  program
    .command("init")
    .description("add Coppice to an agent's configuration, which is kept as it was beside it")
    .argument("<agent>", "opencode")
    .option("--global", "for all projects, not only for the one in this folder")
    .option(
      "--plugin <entry>",
      "what to load, such as file:///path/to/coppice; without it, this version from npm",
    )
    .option("--json", "for machines")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice init opencode", "in this project's opencode.json"],
        ["coppice init opencode --global", "in ~/.config/opencode"],
      ]),
    )
    .action((agent: string, options: InitOptions) => init(agent, options, screen));
}

export function addRemove(program: Command, screen: Screen): void {
  program
    .command("remove")
    .description("take Coppice out of an agent's configuration again")
    .argument("<agent>", "opencode")
    .option("--global", "for all projects, not only for the one in this folder")
    .option("--json", "for machines")
    .addHelpText("after", formatExamples([["coppice remove opencode", "undoes coppice init opencode"]]))
    .action((agent: string, options: InitOptions) => remove(agent, options, screen));
}

async function init(agent: string, options: InitOptions, screen: Screen): Promise<void> {
  const file = findFile(agent, options);
  const plugin = options.plugin ?? `coppice@${VERSION}`;
  const before = await readIfThere(file);
  const after = unwrap(at(file, addPlugin(before, plugin)));
  const changed = after !== before;
  const backup = before !== undefined && changed ? backupOf(file) : undefined;
  if (changed) {
    makeFolder(dirname(file));
    if (backup !== undefined && before !== undefined) await writeText(backup, before);
    await writeText(file, after);
  }
  if (options.json) screen.print(printJson({ file, changed, ...(backup && { backup }) }));
  else if (!changed) screen.print(`${file} has Coppice already.\n`);
  else
    screen.print(
      `${file} now loads ${plugin}.${backup ? ` As it was before: ${backup}.` : ""}\nStart OpenCode again; coppice remove opencode undoes this.\n`,
    );
}

async function remove(agent: string, options: InitOptions, screen: Screen): Promise<void> {
  const file = findFile(agent, options);
  const before = await readIfThere(file);
  if (before === undefined) throw new Failure(`${file} is not there: nothing to remove. Try --global.`);
  const backup = await readIfThere(backupOf(file));
  const undone = undo(before, backup);
  const after = undone === undefined ? unwrap(at(file, removePlugin(before))) : undone.text;
  const changed = after !== before;
  if (after === undefined) await rm(file);
  else if (changed) await writeFile(file, after);
  if (undone && backup !== undefined) await rm(backupOf(file));
  if (options.json) screen.print(printJson({ file, changed }));
  else screen.print(changed ? `Coppice is out of ${file}.\n` : `${file} does not load Coppice.\n`);
}

/** The file as it was before `init`; `undefined` if it was changed since. `text` is missing if there was no file. */
function undo(text: string, backup: string | undefined): { readonly text: string | undefined } | undefined {
  const made = addPlugin(backup, findPlugin(text) ?? "");
  return made.ok && made.value === text ? { text: backup } : undefined;
}

function findFile(agent: string, options: InitOptions): string {
  if (agent !== "opencode")
    throw new Failure(`Coppice can't set up ${JSON.stringify(agent)}: only opencode.`, 2);
  return opencodeFile(options.global === true);
}

function backupOf(file: string): string {
  return `${file}.before-coppice`;
}

async function readIfThere(file: string): Promise<string | undefined> {
  return existsSync(file) ? readFile(file, "utf8") : undefined;
}

function at<T>(file: string, result: Result<T>): Result<T> {
  return result.ok ? result : { ok: false, issue: { ...result.issue, where: file } };
}
