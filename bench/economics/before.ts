import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord } from "../../src/basics/json.ts";
import type { Pruner, PrunerOptions } from "../../src/pruner.ts";
import { prunerPolicy } from "../../src/replay/coppice-policy.ts";
import type { ReplayPolicy } from "../../src/replay/index.ts";

/** The name of the policy that decides as another checkout does. */
export const BEFORE = "before";

/** The package that was built in a checkout. Throws an error that says what to do if it was not built. */
export function findBuilt(folder: string): string {
  const path = join(resolve(folder), "dist", "index.js");
  if (existsSync(path)) return path;
  throw new Error(`--before: there is no ${path}. Run npm run build in ${folder}`);
}

/**
 * The default of the package that was built in a folder, asked request by request as a host asks it. It takes recordings
 * apart and decides by its own code; what it sends is counted and billed by this one. It ignores what it does not know of
 * a request.
 */
export async function openBefore(folder: string): Promise<ReplayPolicy> {
  const built: unknown = await import(pathToFileURL(findBuilt(folder)).href);
  const create = isRecord(built) ? built.createPruner : undefined;
  if (typeof create !== "function") throw new Error(`--before: ${folder} has no createPruner`);
  return prunerPolicy(create as (options: PrunerOptions) => Pruner, {}, BEFORE);
}
