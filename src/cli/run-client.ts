import { spawn } from "node:child_process";
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { constants as machine } from "node:os";
import { delimiter, join } from "node:path";

/** Signals that ask a command to end. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
const SHOW_CURSOR_LEAVE_ALTERNATE_SCREEN = "\u001b[?25h\u001b[?1049l";
/** A terminal sends these to all programs in it. */
const FROM_TERMINAL: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGQUIT"]);

/** The file of a command; `undefined` if there is none. */
export function findProgram(program: string, path: string | undefined): string | undefined {
  const places = program.includes("/")
    ? [program]
    : (path ?? "").split(delimiter).map((at) => join(at, program));
  return places.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * Runs a program in place of this one: with its terminal, input and output, and all signals. Returns its exit code,
 * as a shell would.
 *
 * @throws if it can't be started
 */
export async function runClient(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onStart: (pid: number) => void,
): Promise<number> {
  const child = spawn(file, args, { stdio: "inherit", env: { ...env } });
  if (child.pid !== undefined) onStart(child.pid);
  const hasTerminal = isInTerminal();
  const listeners = SIGNALS.map((signal) => {
    const pass = () => {
      if (!(hasTerminal && FROM_TERMINAL.has(signal))) child.kill(signal);
    };
    process.on(signal, pass);
    return [signal, pass] as const;
  });
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (...end) => resolve(end));
    });
    if (signal === null) return code ?? 1;
    // If the program was killed, it could not reset the screen. (Node resets the terminal's mode.)
    if (process.stdout.isTTY) process.stdout.write(SHOW_CURSOR_LEAVE_ALTERNATE_SCREEN);
    return 128 + machine.signals[signal];
  } finally {
    for (const [signal, pass] of listeners) process.off(signal, pass);
  }
}

function isInTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
