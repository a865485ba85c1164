import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

/** Compiles the package like `npm run build`, without checking its types again: `npm run check` does that. */
export function buildPackage(folder: string): void {
  const compiler = resolve("node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", "tsconfig.build.json", "--noCheck", "--outDir", folder]);
}
