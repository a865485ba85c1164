import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { VERSION } from "../basics/version.ts";
import { isLoopback } from "../hosts/proxy/is-loopback.ts";
import type { Client, ClientPlace } from "./clients/client.ts";
import { CLIENTS } from "./clients/clients.ts";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import type { Screen } from "./screen.ts";
import { applyChanges, type ChangeOutcome, planChanges, undoChanges } from "./setup/apply-changes.ts";
import type { FileChange } from "./setup/change.ts";
import { findOpencodePlugin, opencodeChange } from "./setup/opencode-change.ts";
import { SETUPS } from "./setup/setups.ts";

interface InitOptions {
  readonly global?: true;
  readonly plugin?: string;
  readonly url?: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly remove?: true;
  readonly json?: true;
}

const DEFAULT_URL = "http://127.0.0.1:8787";
const NAMES = ["opencode", ...Object.keys(SETUPS)];

export function addInit(command: Command, screen: Screen): void {
  command
    .argument("<agent>", NAMES.join(", "))
    .option("--url <address>", "the proxy's address (not for OpenCode, which has a plugin)")
    .option("--yes", "do not ask before a change")
    .option("--dry-run", "only show what would change")
    .option("--remove", "undo the setup: the same as coppice remove")
    .option("--global", "OpenCode: for all projects, not just the one in this folder")
    .option(
      "--plugin <entry>",
      "OpenCode: what to load, such as file:///path/to/coppice; without it, this version from npm",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice init opencode", "in this project's opencode.json"],
        ["coppice init claude --dry-run", "what would change in ~/.claude/settings.json?"],
        ["coppice init codex --yes", "then keep coppice proxy running"],
      ]),
    )
    .action((agent: string, options: InitOptions) =>
      options.remove ? remove(agent, options, screen) : init(agent, options, screen),
    );
}

export function addRemove(command: Command, screen: Screen): void {
  command
    .argument("<agent>", NAMES.join(", "))
    .option("--url <address>", "the proxy's address, if it is not on this machine")
    .option("--global", "OpenCode: for all projects, not just the one in this folder")
    .option("--json", "print JSON")
    .addHelpText("after", formatExamples([["coppice remove opencode", "undoes coppice init opencode"]]))
    .action((agent: string, options: InitOptions) => remove(agent, options, screen));
}

async function init(agent: string, options: InitOptions, screen: Screen): Promise<void> {
  const url = readUrl(options.url) ?? DEFAULT_URL;
  const changes = listChanges(agent, options, url);
  const refusal = SETUPS[agent]?.refusal?.(place());
  if (refusal !== undefined) throw new Failure(`Nothing was changed: ${refusal}.`);
  const planned = await planChanges(changes);
  const files = planned.map(
    ({ file, changed, backup }): ChangeOutcome => ({ file, changed, ...(backup && { backup }) }),
  );
  const isChange = files.some(({ changed }) => changed);
  const due = changes.filter(({ file }) => files.some((each) => each.file === file && each.changed));
  if (!options.json && isChange && (options.dryRun || agent !== "opencode"))
    screen.print(due.map(describe).join(""));
  if (options.dryRun) {
    if (options.json) screen.print(printJson({ files, what: due.flatMap(({ what }) => what) }));
    else if (!isChange) screen.print("Nothing would change.\n");
    return;
  }
  if (isChange && agent !== "opencode" && !options.yes) await ask(options.json);
  await applyChanges(planned);
  if (options.json) screen.print(printJson(agent === "opencode" ? files[0] : { files }));
  else
    screen.print(
      isChange ? describeDone(agent, options, url, files) : `${listFiles(files)} already has Coppice.\n`,
    );
}

async function remove(agent: string, options: InitOptions, screen: Screen): Promise<void> {
  const plugin = agent === "opencode" ? findOpencodePlugin(options.global === true) : undefined;
  const changes = listChanges(agent, { ...options, ...(plugin && { plugin }) }, findUrl(agent, options));
  if (!changes.some(({ file }) => existsSync(file)))
    throw new Failure(
      `${changes.map(({ file }) => file).join(", ")} does not exist: nothing to remove.${agent === "opencode" ? " Try --global." : ""}`,
    );
  const outcomes = await undoChanges(changes);
  const changed = outcomes.filter((outcome) => outcome.changed);
  if (options.json) screen.print(printJson(agent === "opencode" ? outcomes[0] : { files: outcomes }));
  else if (changed.length > 0) screen.print(`Coppice was removed from ${listFiles(changed)}.\n`);
  else screen.print(`${listFiles(outcomes)}: Coppice is not set up there.\n`);
}

function listChanges(agent: string, options: InitOptions, url: string): readonly FileChange[] {
  if (agent === "opencode")
    return [opencodeChange(options.global === true, options.plugin ?? `coppice@${VERSION}`)];
  const setup = Object.hasOwn(SETUPS, agent) ? SETUPS[agent] : undefined;
  if (setup) return setup.changes(place(), url);
  const known = CLIENTS.find(({ name }) => name === agent);
  if (known) throw new Failure(`${known.title} can't be set up permanently: ${WITHOUT[agent] ?? ""}`, 2);
  throw new Failure(`Coppice can't set up ${JSON.stringify(agent)}: only ${NAMES.join(", ")}.`, 2);
}

/** Why `init` can't set up these agents. */
const WITHOUT: Readonly<Record<string, string>> = {
  copilot:
    "it reads the model's address only from its environment. Use coppice wrap copilot, or export COPILOT_PROVIDER_BASE_URL in your shell's profile.",
  pi: "it reads addresses from extensions. Install Coppice's: pi install npm:coppice",
};

/** The proxy's address in an agent's settings, if there is one. */
function findUrl(agent: string, options: InitOptions): string {
  const flagUrl = readUrl(options.url);
  const setup = SETUPS[agent];
  if (flagUrl !== undefined || !setup) return flagUrl ?? DEFAULT_URL;
  const client = CLIENTS.find(({ name }) => name === agent) as Client;
  const files = setup.changes(place(), DEFAULT_URL).map(({ file }) => file);
  const there = client.addresses(place()).find(({ where }) => files.includes(where))?.url;
  return there?.endsWith(setup.path) && URL.canParse(there) && isLoopback(new URL(there).hostname)
    ? there.slice(0, there.length - setup.path.length)
    : DEFAULT_URL;
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new Failure(
      `${JSON.stringify(text)} is not an address: use http://127.0.0.1:8787, for example.`,
      2,
    );
  return text.replace(/\/$/, "");
}

async function ask(isJson: true | undefined): Promise<void> {
  if (isJson || !process.stdin.isTTY) throw new Failure("Nothing was changed: confirm with --yes.", 2);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question("Change this? [y/N] ");
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure("Nothing was changed.");
}

/** `/home/ada/.codex/config.toml: openai_base_url = "…"` */
function describe({ file, what }: FileChange): string {
  return what.map((line) => `${file}: ${line}\n`).join("");
}

function describeDone(
  agent: string,
  options: InitOptions,
  url: string,
  files: readonly ChangeOutcome[],
): string {
  const kept = files.flatMap(({ backup }) => backup ?? []);
  const before = kept.length === 0 ? "" : ` Copies from before: ${kept.join(", ")}.`;
  const changed = listFiles(files.filter((file) => file.changed));
  if (agent === "opencode")
    return `${changed} now loads ${options.plugin ?? `coppice@${VERSION}`}.${before}\nStart OpenCode again; coppice remove opencode undoes this.\n`;
  const hint = SETUPS[agent]?.hint?.(url);
  return `${changed} now points to the proxy at ${url}.${before}\nKeep coppice proxy running: without it the agent can't reach its model. coppice remove ${agent} undoes this.\n${hint ? `${hint}\n` : ""}`;
}

function listFiles(files: readonly ChangeOutcome[]): string {
  return files.map(({ file }) => file).join(", ");
}

function place(): ClientPlace {
  return { env: process.env, home: homedir(), directory: process.cwd() };
}
