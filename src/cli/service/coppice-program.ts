import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Env } from "../clients/client.ts";

/** How to start this Coppice again, from another program. */
export interface CoppiceProgram {
  readonly node: string;
  /** `dist/cli/main.js`, or a link to it that outlives an update. */
  readonly main: string;
  /** `coppice` in a shell is this very program. */
  readonly isInPath: boolean;
  /** It lies in a folder that a package runner may delete at any time: the runner's name. */
  readonly runner: string | undefined;
}

/** @param main `dist/cli/main.js` as it runs now */
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

/** A folder of links that live as long as a shell. */
const PASSING = /\/fnm_multishells\//;

/** A link in the PATH to this very file: Homebrew and others put a new version in a new folder, and change the link. */
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
