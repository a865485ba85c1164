/**
 * What a step costs a host that speaks HTTP: the body read, pruned and written, with new objects each time, beside
 * `JSON.parse` and `JSON.stringify` of the same body. All in one run, so that the ratios mean something on any machine.
 */
import { createPruner } from "../src/index.ts";
import { listWires, type Wire } from "../src/wires/index.ts";
import { planSplices } from "../src/wires/write-messages.ts";
import { makeBody, PATHS } from "./wire-bodies.ts";

/** 200k tokens. */
const STEPS = 250;
const RESULT_TOKENS = 780;
const MEASURED = 60;
const ROUNDS = 4;

interface Times {
  readonly plain: number[];
  readonly read: number[];
  readonly prune: number[];
  readonly write: number[];
  readonly whole: number[];
  /** Only those where a message had changed, and the splicing of a few of them. */
  readonly spliced: number[];
}

function timeWire(wire: Wire): {
  readonly times: Times;
  readonly characters: number;
  readonly changed: number;
} {
  const path = PATHS[wire.name];
  const times: Times = { plain: [], read: [], prune: [], write: [], whole: [], spliced: [] };
  let [characters, changed] = [0, 0];
  const bodies = Array.from({ length: MEASURED }, (_, i) =>
    makeBody(wire.name, STEPS - MEASURED + i + 1, RESULT_TOKENS),
  );
  for (let round = 0; round < ROUNDS; round++) {
    // The format of Gemini's contents comes with the other formats; until then its messages pass as they are.
    const pruner = createPruner();
    for (const body of bodies) {
      characters = body.length;
      let from = performance.now();
      JSON.stringify(JSON.parse(body));
      times.plain.push(performance.now() - from);
      const begun = performance.now();
      const request = wire.read(body, path);
      if (!request) throw new Error(`${wire.name}: the body was not read`);
      times.read.push(performance.now() - begun);
      from = performance.now();
      const { messages, sources } = pruner.prune(request.messages, {
        session: "s",
        model: "claude-sonnet-4-5",
      });
      times.prune.push(performance.now() - from);
      from = performance.now();
      const written = wire.write(request, messages, sources);
      times.write.push(performance.now() - from);
      times.whole.push(performance.now() - begun);
      if (written === undefined) throw new Error(`${wire.name}: the body was not written`);
      changed = messages.filter((message, i) => message !== request.messages[sources[i] ?? -1]).length;
      times.spliced.push(timeSplice(wire, body, path));
    }
  }
  return { times, characters, changed };
}

/** Five messages, each with its longest text cut short. */
function timeSplice(wire: Wire, body: string, path: string): number {
  const request = wire.read(body, path);
  if (!request) return 0;
  const cut = new Set([21, 41, 61, 81, request.messages.length - 1]);
  const messages = request.messages.map((message, i) => (cut.has(i) ? shorten(message) : message));
  const from = performance.now();
  planSplices(request, messages, [...messages.keys()]);
  wire.write(request, messages, [...messages.keys()]);
  return (performance.now() - from) / 2;
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") return value.length > 200 ? "[cut]" : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field)]));
}

function median(times: number[]): number {
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}

const ms = (value: number) => `${value.toFixed(2)} ms`.padStart(10);

timeWire(listWires()[0] as Wire);
console.log(`\nA step of ${STEPS} on a body of 200k tokens, median, Node ${process.version}\n`);
console.log(
  `  ${"".padEnd(24)}${["parse+str.", "read", "prune", "write", "5 cut", "whole", "ratio"].map((name) => name.padStart(10)).join("")}   changed`,
);
for (const wire of listWires()) {
  const { times, characters, changed } = timeWire(wire);
  const plain = median(times.plain);
  const whole = median(times.whole);
  const row = [
    plain,
    median(times.read),
    median(times.prune),
    median(times.write),
    median(times.spliced),
    whole,
  ];
  console.log(
    `  ${wire.name.padEnd(24)}${row.map(ms).join("")}${`${(whole / plain).toFixed(2)} ×`.padStart(10)}   ${changed} of ${(characters / 1e6).toFixed(2)} MB`,
  );
}
console.log("\n  goal: whole ≤ 8 ms, ≤ 2 × parse and stringify\n");
