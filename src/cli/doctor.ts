import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { countOf } from "../basics/numbers.ts";
import { VERSION } from "../basics/version.ts";
import { type LoadedConfig, loadConfig } from "../config/files.ts";
import { readJsonc } from "../config/jsonc.ts";
import { findRivals } from "../hosts/opencode/rivals.ts";
import { doubtPrices } from "../models/doubt-prices.ts";
import { profileFor } from "../models/profile-for.ts";
import { makeFolder } from "../stores/make-folder.ts";
import { checkProxies } from "./check-proxies.ts";
import { checkService, checkStatusLine } from "./check-service.ts";
import { findSessions } from "./find-sessions.ts";
import type { Finding } from "./finding.ts";
import { formatExamples, printJson } from "./help.ts";
import { opencodeFile } from "./opencode-files.ts";
import { findPlugin } from "./opencode-plugin.ts";
import { restoreFolder } from "./restore-files.ts";
import type { Screen } from "./screen.ts";
import { listSessionFolders } from "./session-folders.ts";
import { here } from "./setup/here.ts";

interface DoctorOptions {
  readonly model?: string;
  readonly json?: true;
}

export function addDoctor(command: Command, screen: Screen): void {
  command
    .option("--model <id>", "the model to look up; without it, the one that is configured")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([["coppice doctor --model claude-sonnet-4-5", "is its price known?"]]),
    )
    .action((options: DoctorOptions) => doctor(options, screen));
}

async function doctor({ model, json }: DoctorOptions, screen: Screen): Promise<void> {
  const loaded = loadConfig({ host: "opencode", directory: process.cwd() });
  const place = here();
  const proxies = await checkProxies(place);
  const isWired = (title: string): boolean =>
    proxies.some(({ what }) => what.startsWith(`proxy of ${title}`));
  const findings = [
    checkVersion(),
    checkPlugin(),
    ...checkRivals(),
    ...checkSettings(loaded),
    checkStore(),
    ...proxies,
    ...(await checkService(place, isWired(""))),
    ...checkStatusLine(place, isWired("Claude Code")),
    checkModel(model ?? loaded.config.schedule.model ?? findOpencodeModel(), loaded),
    ...(await checkSessions()),
  ];
  if (findings.some(({ state }) => state === "problem")) process.exitCode = 1;
  screen.print(json ? printJson({ findings }) : formatFindings(findings, screen.paint));
}

function formatFindings(findings: readonly Finding[], paint: Screen["paint"]): string {
  const signs = { ok: paint.green("ok     "), hint: paint.yellow("hint   "), problem: paint.red("problem") };
  return findings
    .map(({ state, what, found, advice }) => {
      const line = `${signs[state]}  ${paint.bold(what)}: ${found}\n`;
      return advice === undefined ? line : `${line}         ${advice}\n`;
    })
    .join("");
}

function checkVersion(): Finding {
  return {
    state: "ok",
    what: "version",
    found: `coppice ${VERSION} on Node ${process.versions.node}`,
  };
}

function checkPlugin(): Finding {
  const files = [opencodeFile(false), opencodeFile(true)].filter((file) => existsSync(file));
  for (const file of files) {
    const plugin = findPlugin(readFileSync(file, "utf8"));
    if (plugin !== undefined) return { state: "ok", what: "OpenCode plugin", found: `${plugin} in ${file}` };
  }
  const found = files.length === 0 ? "there is no opencode.json" : `not in ${files.join(" or ")}`;
  return { state: "hint", what: "OpenCode plugin", found, advice: "coppice init opencode adds it" };
}

function checkRivals(): readonly Finding[] {
  return readOpencodeConfigs()
    .flatMap(findRivals)
    .map(({ message }) => ({
      state: "hint",
      what: "other pruners in OpenCode",
      found: message,
    }));
}

function checkSettings({ files, issues }: LoadedConfig): readonly Finding[] {
  const what = "settings in OpenCode";
  const found = files.length === 0 ? "no file; the defaults apply" : files.join(", ");
  return [
    { state: "ok", what, found },
    ...issues.map(
      ({ where, message, severity }): Finding => ({
        state: severity === "error" ? "problem" : "hint",
        what,
        found: where === undefined ? message : `${where}: ${message}`,
      }),
    ),
  ];
}

function checkStore(): Finding {
  const folder = restoreFolder();
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    makeFolder(folder, 0o700);
    writeFileSync(probe, "probe");
    const works = readFileSync(probe, "utf8") === "probe";
    rmSync(probe);
    if (works) return { state: "ok", what: "store of restore files", found: folder };
  } catch {
    // reported below
  }
  const advice = "make it writable, or set XDG_DATA_HOME to a folder that is";
  return { state: "problem", what: "store of restore files", found: `${folder} can't be written`, advice };
}

function checkModel(model: string | undefined, { config }: LoadedConfig): Finding {
  const what = "price of the model";
  if (model === undefined)
    return { state: "ok", what, found: "no model is configured: the model of each session is used" };
  const profile = profileFor(model, config.schedule.prices);
  const { dollarsPerMillion, window, cache } = profile;
  const priced = dollarsPerMillion === undefined ? "no dollars" : `$${dollarsPerMillion} a million tokens`;
  const found = `${model}: ${priced}, window ${window}, cache reads at ${cache.read}, writes at ${cache.write}`;
  const [doubt] = doubtPrices(profile);
  return doubt ? { state: "hint", what, found, advice: doubt.message } : { state: "ok", what, found };
}

/** `"model": "anthropic/claude-sonnet-4-5"` in OpenCode's own configuration. */
function findOpencodeModel(): string | undefined {
  const models = readOpencodeConfigs().map(({ model }) => model);
  return models.find((model) => typeof model === "string");
}

/** The project's configuration comes before the global one. */
function readOpencodeConfigs(): readonly JsonRecord[] {
  return [opencodeFile(false), opencodeFile(true)]
    .filter((file) => existsSync(file))
    .map((file) => readJsonc(readFileSync(file, "utf8")).value)
    .filter(isRecord);
}

async function checkSessions(): Promise<readonly Finding[]> {
  const counted = await Promise.all(
    listSessionFolders().map(async (folder) => {
      const { files } = await findSessions([folder], false);
      return { ...folder, count: files.length };
    }),
  );
  const found = counted.filter(({ count }) => count > 0);
  if (found.length === 0)
    return [
      { state: "hint", what: "sessions", found: "none were found", advice: "coppice analyze accepts paths" },
    ];
  return found.map(({ agent, path, count }) => ({
    state: "ok",
    what: `sessions of ${agent}`,
    found: `${countOf(count, "file")} in ${path}`,
  }));
}
