import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Env } from "../clients/client.ts";

/** The paths that another program needs to start this Coppice. */
export interface CoppiceProgram {
  readonly node: string;
  /** `dist/cli/main.js`, or a link to it that survives an update. */
  readonly main: string;
  /** `coppice` in a shell starts this same program. */
  readonly isInPath: boolean;
  /** The package runner's name, if Coppice is in a folder that the runner may delete at any time. */
  readonly runner: string | undefined;
}

/** @param main the path of the running `dist/cli/main.js` */
export function findCoppiceProgram(env: Env, main: string, node: string = process.execPath): CoppiceProgram {
  const [runner] = RUNNERS.find(([, folder]) => folder.test(main.replaceAll("\\", "/"))) ?? [];
  const link = findLink("coppice", main, env);
  return {
    node: findLink("node", node, env) ?? node,
    main: link ?? main,
    isInPath: link !== undefined && runner === undefined,
    runner,
  };
}

const RUNNERS: readonly (readonly [name: string, folder: RegExp])[] = [
  ["npx", /\/_npx\//],
  ["pnpm dlx", /\/dlx(?:-[^/]*)?\//],
  ["bunx", /\/bunx-[^/]*\//],
  ["yarn dlx", /\/xfs-[^/]*\//],
];

/** A folder with links that exist only while a shell runs. */
const PASSING = /\/fnm_multishells\//;

/**
 * A link in the PATH to this same file. Homebrew and others install each version in a new folder, and update the
 * link.
 */
function findLink(name: string, file: string, { PATH = "" }: Env): string | undefined {
  const target = realPath(file);
  const first = PATH.split(delimiter)
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find((path) => realPath(path) !== undefined);
  return first !== undefined && target !== undefined && realPath(first) === target && !PASSING.test(first)
    ? first
    : undefined;
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
