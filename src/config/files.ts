import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Issue } from "../basics/issue.ts";
import type { PartialConfig } from "./config.ts";
import { checkEnvironment, type Environment } from "./environment.ts";
import { readJsonc } from "./jsonc.ts";
import { type Merged, mergeLevels } from "./merge.ts";
import { type Checked, checkConfig } from "./parse.ts";
import { toIssue } from "./problem.ts";

export interface LoadOptions {
  /** The host whose folders are searched: OpenCode, pi or oh-my-pi. `none`: Coppice's own folders. */
  readonly host: "opencode" | "pi" | "omp" | "none";
  /** The project's folder, or one inside it. */
  readonly directory: string;
  readonly env?: Environment;
  readonly home?: string;
  /** The last level: options in code or on the command line. */
  readonly overrides?: PartialConfig;
}

export interface LoadedConfig extends Merged {
  readonly issues: readonly Issue[];
  /** The files that were found, weakest first. */
  readonly files: readonly string[];
}

/**
 * The settings of all levels: defaults, global file, `$OPENCODE_CONFIG_DIR` (OpenCode only), project file,
 * environment, overrides. The project file is the nearest one from `directory` upward. The search ends at a
 * repository's root, the home folder or the file system's root. Unreadable files are reported as issues; nothing is
 * thrown.
 */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const env = options.env ?? process.env;
  const files = findFiles(options.host, resolve(options.directory), env, options.home ?? findHome());
  const read = files.map(readLevel);
  const environment = checkEnvironment(env);
  const overrides = checkConfig(options.overrides ?? {}, "options");
  const merged = mergeLevels([...read, ...environment.levels, { name: "options", config: overrides.config }]);
  const problems = [...read, environment, overrides].flatMap((level) => level.problems);
  return {
    ...merged,
    issues: [...read.flatMap(({ issues }) => issues), ...problems.map((problem) => toIssue(problem, merged))],
    files,
  };
}

function findFiles(
  host: LoadOptions["host"],
  directory: string,
  env: Environment,
  home: string,
): readonly string[] {
  const { global, project, names, projectNames = names } = listPlaces(host, env, home);
  const found = [
    ...global.map((folder) => findIn(folder, names)),
    findFirst(listAncestors(directory, home), (folder) => findIn(join(folder, project), projectNames)),
  ];
  return [...new Set(found.flatMap((file) => (file === undefined ? [] : resolve(file))))];
}

interface Places {
  /** Folders, weakest first. */
  readonly global: readonly string[];
  /** The folder inside a project. */
  readonly project: string;
  /** Names of files, without the ending; the first that exists is used. */
  readonly names: readonly string[];
  readonly projectNames?: readonly string[];
}

function listPlaces(host: LoadOptions["host"], env: Environment, home: string): Places {
  const configHome = env.XDG_CONFIG_HOME || join(home, ".config");
  switch (host) {
    case "opencode": {
      const own = env.OPENCODE_CONFIG_DIR ? [env.OPENCODE_CONFIG_DIR] : [];
      return {
        global: [join(configHome, "opencode"), ...own],
        project: ".opencode",
        names: ["coppice", "acp"],
      };
    }
    case "pi":
    case "omp":
      return {
        global: [env.PI_CODING_AGENT_DIR || join(home, `.${host}/agent`)],
        project: `.${host}`,
        names: ["coppice"],
      };
    case "none":
      return {
        global: [join(configHome, "coppice")],
        project: ".",
        names: ["config"],
        projectNames: [".coppice"],
      };
  }
}

/** The first of these names that exists, `.jsonc` before `.json`. */
function findIn(folder: string, names: readonly string[]): string | undefined {
  const files = names.flatMap((name) => [join(folder, `${name}.jsonc`), join(folder, `${name}.json`)]);
  return files.find((file) => existsSync(file));
}

function findFirst(
  folders: readonly string[],
  find: (folder: string) => string | undefined,
): string | undefined {
  for (const folder of folders) {
    const found = find(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A folder and its parents, up to the first that is a repository's root, the home folder or the file system's root. */
function listAncestors(folder: string, home: string): readonly string[] {
  const parent = dirname(folder);
  const isLast = parent === folder || folder === home || existsSync(join(folder, ".git"));
  return isLast ? [folder] : [folder, ...listAncestors(parent, home)];
}

/** For an account without a home folder, global files are looked for at the file system's root. */
function findHome(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

interface FileLevel extends Checked {
  readonly name: string;
  readonly issues: readonly Issue[];
}

function readLevel(file: string): FileLevel {
  try {
    const { value, mistake, locate } = readJsonc(readFileSync(file, "utf8"));
    const issues = mistake
      ? [toUnreadable(`${file}:${mistake.line}`, `${mistake.what}; Coppice uses what it can read`)]
      : [];
    return { name: file, issues, ...checkConfig(value, file, locate) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name: file, issues: [toUnreadable(file, `${reason}; ignored`)], config: {}, problems: [] };
  }
}

function toUnreadable(where: string, message: string): Issue {
  return { code: "config-unreadable", severity: "error", where, message };
}
