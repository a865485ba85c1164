import { execFileSync } from "node:child_process";

/** Compiles the package like `npm run build`, without checking its types again: `npm run check` does that. */
export function buildPackage(folder: string): void {
  execFileSync(process.execPath, ["scripts/bundle-entries.mjs", folder]);
}
