/**
 * What a step costs a host that speaks HTTP: a body read, pruned and written, with new objects each time, beside
 * `JSON.parse` and `JSON.stringify` of the same body. All in one run, so that the ratios mean something on any machine.
 * The phases: of every step the fastest of several rounds, so without the collector and without others on the machine.
 * What is compared, the whole and parse with stringify: rounds of their own, the
 * mean time of the processor, collector included. The pruner has seen the step before.
 */
import { createPruner } from "../src/index.ts";
import { listWires, type Wire, type WireRequest } from "../src/wires/index.ts";
import { makeBody, PATHS } from "./wire-bodies.ts";

/** 200k tokens. */
const STEPS = 250;
const RESULT_TOKENS = 780;
const MEASURED = 40;
const ROUNDS = 6;

const PHASES = ["parse", "stringify", "read", "prune", "write", "5 cut"] as const;
type Phase = (typeof PHASES)[number];

interface Measured {
  /** In milliseconds: the median over the steps, each at its fastest. */
  readonly phases: Readonly<Record<Phase, number>>;
  /** In milliseconds of the processor: the mean over all steps and rounds. */
  readonly plain: number;
  readonly whole: number;
  readonly characters: number;
  /** Messages of the last step that were changed. */
  readonly changed: number;
}

function measure(wire: Wire): Measured {
  const bodies = Array.from({ length: MEASURED }, (_, i) =>
    makeBody(wire.name, STEPS - MEASURED + i + 1, RESULT_TOKENS),
  );
  const before = makeBody(wire.name, STEPS - MEASURED, RESULT_TOKENS);
  const best = bodies.map(() => new Map<Phase, number>());
  let [plain, whole, changed] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    plain += timeAll(bodies, (body) => JSON.stringify(JSON.parse(body)));
    const step = startSteps(wire, undefined);
    step(before);
    whole += timeAll(bodies, (body) => step(body));
    const again = startSteps(wire, (body, phase, took) => {
      const known = best[bodies.indexOf(body)];
      known?.set(phase, Math.min(took, known.get(phase) ?? took));
    });
    for (const body of bodies) changed = again(body);
  }
  const phases = Object.fromEntries(
    PHASES.map((phase) => [phase, median(best.map((each) => each.get(phase) ?? 0))]),
  );
  const steps = ROUNDS * MEASURED;
  return {
    phases: phases as Measured["phases"],
    plain: plain / steps,
    whole: whole / steps,
    characters: bodies.at(-1)?.length ?? 0,
    changed,
  };
}

/** Milliseconds of the processor. Bytes are made of what comes out, as a host does. */
function timeAll(bodies: readonly string[], run: (body: string) => string | number): number {
  const before = process.cpuUsage();
  for (const body of bodies) {
    const result = run(body);
    if (typeof result === "string") Buffer.from(result);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A session's steps, one after the other; each gives how many messages changed. */
function startSteps(
  wire: Wire,
  tell: ((body: string, phase: Phase, took: number) => void) | undefined,
): (body: string) => number {
  const pruner = createPruner();
  return (body) => {
    const time = <T>(phase: Phase, run: () => T): T => {
      const from = performance.now();
      const result = run();
      tell?.(body, phase, performance.now() - from);
      return result;
    };
    if (tell) {
      const parsed: unknown = time("parse", () => JSON.parse(body));
      time("stringify", () => Buffer.from(JSON.stringify(parsed)));
    }
    const read = time("read", () => mustRead(wire, body));
    const { messages, sources } = time("prune", () => pruner.prune(read.messages, REQUEST));
    time("write", () => Buffer.from(wire.write(read, messages, sources) ?? fail(wire)));
    if (tell) {
      const five = cutFive(read);
      time("5 cut", () => Buffer.from(wire.write(read, five, [...five.keys()]) ?? fail(wire)));
    }
    return messages.filter((message, i) => message !== read.messages[sources[i] ?? -1]).length;
  };
}

const REQUEST = { session: "s", model: "claude-sonnet-4-5" };

function mustRead(wire: Wire, body: string): WireRequest {
  return wire.read(body, PATHS[wire.name]) ?? fail(wire);
}

function fail({ name }: Wire): never {
  throw new Error(`${name}: the body was not read or written`);
}

/** Five messages, each with its long texts cut, the last among them. */
function cutFive({ messages }: WireRequest): readonly unknown[] {
  const cut = new Set([21, 41, 61, 81, messages.length - 1]);
  return messages.map((message, i) => (cut.has(i) ? shorten(message) : message));
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

for (const wire of listWires().slice(0, 1)) measure(wire);
console.log(`\nOne more step on a body of 200k tokens, Node ${process.version}; strings to bytes included\n`);
const COLUMNS = [...PHASES, "parse+str.", "whole", "ratio"];
console.log(`  ${"".padEnd(24)}${COLUMNS.map((name) => name.padStart(11)).join("")}`);
for (const wire of listWires()) {
  const { phases, plain, whole, characters, changed } = measure(wire);
  const times = [...PHASES.map((phase) => phases[phase]), plain, whole];
  const cells = [...times.map((time) => `${time.toFixed(2)} ms`), `${(whole / plain).toFixed(2)} ×`];
  console.log(
    `  ${wire.name.padEnd(24)}${cells.map((cell) => cell.padStart(11)).join("")}   ${(characters / 1e6).toFixed(2)} MB, ${changed} changed`,
  );
}
console.log(
  "\n  whole: read, prune and write; goal ≤ 8 ms, and ≤ 2 × parse and stringify. 5 cut: write, with five messages changed.",
);
console.log("  Where no message changed, the pruner does not know the wire's format yet.\n");
