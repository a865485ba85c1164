import { writeFileSync } from "node:fs";
import type { Script } from "../../provider/provider.ts";
import type { Call, Client, ClientTools } from "../client.ts";
import { pathOf, revisionLine } from "../project.ts";
import { work } from "../work.ts";

/** A scripted session with a client. */
export interface Scenario {
  readonly name: string;
  /** How many calls the model makes; the request after the last is answered with a text. */
  readonly calls: number;
  /** Its calls at a step; default: those of `work`. */
  call?(n: number, tools: ClientTools, cwd: string): Call;
  /** When requests are sent. Each case runs; nobody waits, because the clocks are moved. */
  readonly paces: readonly Pace[];
}

export interface Pace {
  readonly name: string;
  /** Milliseconds before a request. */
  gap(index: number, count: number): number;
}

const MODULES = 8;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const STEADY: Pace = { name: "", gap: () => 8 * SECOND };

function pauseOf(pause: number): Pace {
  const isMiddle = (index: number, count: number) => index === Math.floor(count / 2);
  return {
    name: `${pause / SECOND} s in the middle`,
    gap: (index, count) => 8 * SECOND + (isMiddle(index, count) ? pause : 0),
  };
}

/** No cache lives that long. */
const LATE: Pace = { name: "11 min each", gap: () => 11 * MINUTE };

export const SCENARIOS: readonly Scenario[] = [
  { name: "short", calls: 5, paces: [STEADY] },
  { name: "16 calls", calls: 16, paces: [STEADY] },
  {
    name: "40 reads",
    calls: 40,
    call: (n, { read }, cwd) => read(pathOf(cwd, n % MODULES)),
    paces: [STEADY],
  },
  { name: "edits", calls: 49, call: editAgain, paces: [STEADY] },
  // Directly after an Anthropic entry has expired, and after all have.
  { name: "pause", calls: 28, paces: [pauseOf(5 * MINUTE + SECOND), pauseOf(11 * MINUTE), LATE] },
];

/** Four files in turn: read, edited, tested. */
function editAgain(n: number, { read, edit, shell }: ClientTools, cwd: string): Call {
  const round = Math.floor(n / 3);
  const path = pathOf(cwd, round % 4);
  const revision = Math.floor(round / 4);
  if (n % 3 === 0) return read(path);
  if (n % 3 === 1) return edit(path, revisionLine(revision), revisionLine(revision + 1));
  return shell(`grep -n total ${path} | head -n 60`);
}

/** The model of a session, in a project whose files are as long as real ones. */
export function playScenario({ tools }: Client, { call }: Scenario, cwd: string): Script {
  for (let i = 0; i < MODULES; i++) writeFileSync(pathOf(cwd, i), textOf(i));
  return work({ tools, cwd, ...(call && { instead: (n) => call(n, tools, cwd) }) });
}

/** Some 2,000 tokens. */
function textOf(file: number): string {
  const lines = Array.from(
    { length: 120 },
    (_, i) => `const total${i} = order.rate * ${i} + price(${i}, "module ${file}"); // line ${i}`,
  );
  return `${[revisionLine(0), ...lines].join("\n")}\n`;
}
