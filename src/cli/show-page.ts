import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Screen } from "./screen.ts";

/** Prints the place of a page, and opens it in the browser if requested. */
export function showPage(file: string, open: boolean, screen: Screen): void {
  screen.print(`${file}\n`);
  if (!open) return;
  const [command = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, resolve(file)], { stdio: "ignore", detached: true });
  child.on("error", () =>
    screen.note(`No browser could be started (${command}): open ${resolve(file)} yourself.`),
  );
  child.unref();
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};
