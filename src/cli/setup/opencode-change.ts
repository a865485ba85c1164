import { existsSync, readFileSync } from "node:fs";
import { opencodeFile } from "../opencode-files.ts";
import { addPlugin, findPlugin, removePlugin } from "../opencode-plugin.ts";
import type { FileChange } from "./change.ts";

/** OpenCode loads Coppice as a plugin. */
export function opencodeChange(isGlobal: boolean, plugin: string): FileChange {
  return {
    file: opencodeFile(isGlobal),
    what: [`plugin: ${plugin}`],
    add: (text) => addPlugin(text, plugin),
    remove: removePlugin,
  };
}

/** The existing entry. */
export function findOpencodePlugin(isGlobal: boolean): string | undefined {
  const file = opencodeFile(isGlobal);
  return existsSync(file) ? findPlugin(readFileSync(file, "utf8")) : undefined;
}
