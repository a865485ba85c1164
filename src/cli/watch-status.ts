import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../basics/issue.ts";
import { Failure } from "./failure.ts";
import { formatStatus } from "./format-status.ts";
import type { Screen } from "./screen.ts";
import type { StatusLook } from "./status.ts";
import { wrap } from "./table.ts";

type Look = (signal: AbortSignal) => Promise<StatusLook>;

const SECOND = 1_000;
/** Switches to the terminal's alternate screen, which is empty, and hides the cursor. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const TOP = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
const USUAL_ROWS = 24;

/** Prints one JSON object per line. */
export function printEverySecond(look: Look, screen: Screen): Promise<void> {
  return everySecond(look, (found) => {
    if (typeof found === "string") screen.note(found);
    else screen.print(`${JSON.stringify(found.status)}\n`);
  });
}

/** Draws the status over itself. Afterwards the terminal shows its earlier content. */
export async function drawEverySecond(look: Look, screen: Screen): Promise<void> {
  let isOpen = false;
  try {
    await everySecond(look, (found) => {
      const lines = describe(found, screen).split("\n");
      const shown = lines.slice(0, (process.stdout.rows || USUAL_ROWS) - 1);
      const foot = screen.paint.dim(
        `${new Date().toTimeString().slice(0, 8)}, updated every second; Ctrl-C ends it`,
      );
      const picture = [...shown, foot].map((line) => `${line}${CLEAR_LINE}`).join("\r\n");
      screen.print(`${isOpen ? "" : ENTER}${TOP}${picture}${CLEAR_BELOW}`);
      isOpen = true;
    });
  } finally {
    if (isOpen) screen.print(LEAVE);
  }
}

/** Leaves out how the agents' work goes. It does not change in seconds, and would take the space of the sessions. */
function describe(found: StatusLook | string, screen: Screen): string {
  if (typeof found === "string") return wrap(found, screen.columns, 0);
  const { work: _, ...status } = found.status;
  const note = found.note === undefined ? "" : `${wrap(found.note, screen.columns, 0)}\n`;
  return `${note}${formatStatus(status, found.url, screen)}`;
}

/**
 * Looks and shows until a signal comes. An error in the first look ends it. A later error, for example while a proxy
 * restarts, is shown as a sentence.
 */
async function everySecond(look: Look, show: (found: StatusLook | string) => void): Promise<void> {
  const end = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = (): void => end.abort();
  for (const signal of signals) process.once(signal, stop);
  try {
    for (let isFirst = true; !end.signal.aborted; isFirst = false) {
      const found = await look(end.signal).catch((error: unknown) => {
        const mayGoOn = error instanceof Failure && !isFirst;
        if (mayGoOn || end.signal.aborted) return describeError(error);
        throw error;
      });
      if (end.signal.aborted) return;
      show(found);
      await sleep(SECOND, undefined, { signal: end.signal }).catch(() => {});
    }
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
