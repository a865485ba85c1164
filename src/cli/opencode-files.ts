import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The files of OpenCode's own configuration: global and in a project. */
export function opencodeFile(
  isGlobal: boolean,
  directory: string = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
): string {
  const folder = isGlobal ? join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "opencode") : directory;
  const places = isGlobal ? [folder] : [folder, join(folder, ".opencode")];
  const files = places.flatMap((place) => [join(place, "opencode.jsonc"), join(place, "opencode.json")]);
  return files.find((file) => existsSync(file)) ?? join(folder, "opencode.json");
}
