import { execFileSync } from "node:child_process";

/** Writes the package's JavaScript as `npm run build` does. */
export function buildPackage(folder: string): void {
  execFileSync(process.execPath, ["scripts/bundle-entries.mjs", folder]);
}
