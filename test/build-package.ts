import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

/** Compiles the package as `npm run build` does, without looking at its types again: `npm run check` does that. */
export function buildPackage(folder: string): void {
  const compiler = resolve("node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", "tsconfig.build.json", "--noCheck", "--outDir", folder]);
}
