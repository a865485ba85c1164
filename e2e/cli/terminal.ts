import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestContext } from "vitest";

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  /** All variables but those of the terminal itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A real terminal without a window. */
export interface Terminal {
  /** What it shows now, line by line, without blanks at the ends. */
  read(): string;
  /** Types a text, letter by letter. */
  type(text: string): void;
  /** Presses a key: `Enter`, `Tab`, `C-c`. */
  press(key: string): void;
  resize(columns: number, rows: number): void;
}

/** How long a program may take to end when its terminal is gone, in milliseconds. */
const LONGEST_END = 10_000;

/** Starts a program in a terminal of tmux, with a server of its own. Both end with the test. */
export function openTerminal(
  onTestFinished: TestContext["onTestFinished"],
  command: readonly string[],
  { columns, rows, cwd, env }: TerminalOptions,
): Terminal {
  const folder = mkdtempSync(join(tmpdir(), "coppice-terminal-"));
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-S", join(folder, "socket"), "-f", "/dev/null", ...args], {
      cwd: folder,
      encoding: "utf8",
      // The server takes its variables from the first command.
      env: { ...env, LANG: "C.UTF-8", TERM: "xterm-256color" },
    });
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", ...size, "-c", cwd, ...command);
  const session = tmux("display-message", "-p", "#{pane_pid}").trim();
  onTestFinished(async () => {
    tmux("kill-server");
    // What ran in the terminal was told so, and may still write.
    for (const end = Date.now() + LONGEST_END; isRunning(session); await sleep(50))
      if (Date.now() > end) execFileSync("pkill", ["-KILL", "-s", session]);
    rmSync(folder, { recursive: true });
  });
  return {
    read: () => tmux("capture-pane", "-p").replace(/ +$/gm, "").trimEnd(),
    type: (text) => void tmux("send-keys", "-l", text),
    press: (key) => void tmux("send-keys", key),
    resize: (x, y) => void tmux("resize-window", "-x", String(x), "-y", String(y)),
  };
}

/** Is there a process in this session, which the program of a terminal leads? */
function isRunning(session: string): boolean {
  return spawnSync("pgrep", ["-s", session]).status === 0;
}
