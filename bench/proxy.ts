/**
 * What the proxy costs: provider, proxy and load are processes of their own. In one run, beside a pipe that looks at
 * nothing and a relay that only parses, so that the ratios mean something on any machine; time of the processor beside
 * time on the clock, for machines that are busy with other things.
 *
 *   npm run bench:proxy              npm run bench:proxy -- --short
 */
import { join } from "node:path";
import { ask, percentile, type Timed } from "./proxy/ask.ts";
import { type Child, type Children, prepareChildren } from "./proxy/children.ts";
import { makeBody } from "./wire-bodies.ts";

const isShort = process.argv.includes("--short");
/** 200k tokens. */
const STEPS = 250;
const RESULT_TOKENS = 780;
const MEASURED = isShort ? 5 : 40;
const CONVERSATIONS = isShort ? 1 : 6;
const COLD = isShort ? 2 : 20;
const STREAMS = isShort ? 50 : 500;
const EVENTS = isShort ? 10 : 50;
const KEPT = isShort ? 4 : 40;

/** Another conversation of the same length: its first message is its own. */
function nameBody(body: string, name: string): Buffer {
  return Buffer.from(body.replace("Refactor the discount module", `Refactor ${name}`));
}

const growing = Array.from({ length: MEASURED + 1 }, (_, i) =>
  makeBody("anthropic-messages", STEPS - MEASURED + i, RESULT_TOKENS),
);
const whole = growing.at(-1) ?? "";
const small = makeBody("anthropic-messages", 25, RESULT_TOKENS);

interface Places {
  readonly direct: Child;
  readonly pipe: Child;
  readonly parse: Child;
  readonly proxy: Child;
}
type Place = keyof Places;
const PLACES: readonly Place[] = ["direct", "pipe", "parse", "proxy"];

const children = await prepareChildren();
try {
  const places = await startAll(children);
  console.log(
    `\nNode ${process.version}; a request of 200k tokens is ${(whole.length / 1e6).toFixed(2)} MB; milliseconds\n`,
  );
  await measureGrowing(places);
  await measureCold(places);
  await measureRate(places);
  await measureStreams(places);
  await measureMemory(children, places);
} finally {
  await children.end();
}
// Connections are kept, and would keep the process.
process.exit(0);

async function startAll({ start, folder }: Children): Promise<Places> {
  const direct = await start("provider-main");
  const relay = (kind: Place) => start("relay-main", kind, direct.url, join(folder, `${kind}.db`));
  return { direct, pipe: await relay("pipe"), parse: await relay("parse"), proxy: await relay("proxy") };
}

/** One more step of a conversation, again and again; the places in turn, so that all have the same weather. */
async function measureGrowing(places: Places): Promise<void> {
  const timed = byPlace<Timed[]>(() => []);
  const cpu = byPlace(() => 0);
  for (let n = 0; n < CONVERSATIONS; n++) {
    const bodies = growing.map((body) => nameBody(body, `module ${n}`));
    // Warms the conversation, and in the first round everything else.
    for (const place of PLACES) await ask(places[place].url, bodies[0] as Buffer);
    for (const body of bodies.slice(1))
      for (const place of PLACES) {
        const before = places[place].cpu();
        timed[place].push(await ask(places[place].url, body));
        cpu[place] += places[place].cpu() - before;
      }
  }
  const count = timed.direct.length;
  console.log(
    `One more step on 200k tokens, warm fold (${count} requests; added: beside the provider alone)`,
  );
  printRow("", ["median", "p99", "added med.", "added p99", "first byte", "CPU"]);
  for (const place of PLACES) {
    const all = timed[place].map((each) => each.whole);
    const added = timed[place].map((each, i) => each.whole - (timed.direct[i]?.whole ?? 0));
    const first = timed[place].map((each, i) => each.firstByte - (timed.direct[i]?.firstByte ?? 0));
    printRow(place, [
      percentile(all, 50),
      percentile(all, 99),
      percentile(added, 50),
      percentile(added, 99),
      percentile(first, 50),
      cpu[place] / count,
    ]);
  }
  const ratio = cpu.proxy / Math.max(1, cpu.parse);
  console.log(
    `  the processor's time of the proxy is ${ratio.toFixed(2)} × that of a relay that only parses\n`,
  );
}

/** Conversations of full length that nobody knows: after a restart, or at a replica that did not have them before. */
async function measureCold(places: Places): Promise<void> {
  const times: number[] = [];
  const before = places.proxy.cpu();
  for (let n = 0; n < COLD; n++) {
    const body = nameBody(whole, `cold ${n}`);
    const { whole: direct } = await ask(places.direct.url, body);
    times.push((await ask(places.proxy.url, body)).whole - direct);
  }
  const cpu = (places.proxy.cpu() - before) / COLD;
  console.log(`The same, cold fold (${COLD} conversations)`);
  printRow("", ["added med.", "added p99", "CPU"]);
  printRow("proxy", [percentile(times, 50), percentile(times, 99), cpu]);
  console.log();
}

/** As many as go through, eight at a time, of conversations that are known. */
async function measureRate(places: Places): Promise<void> {
  console.log("Requests per second of one core's time (eight at a time, warm)");
  printRow("", ["20k tokens", "200k tokens"]);
  for (const place of PLACES.slice(1)) {
    const { url, cpu } = places[place];
    const rates: number[] = [];
    for (const [body, count] of [
      [small, isShort ? 40 : 800],
      [whole, isShort ? 16 : 160],
    ] as const) {
      const bodies = Array.from({ length: 8 }, (_, i) => nameBody(body, `rate ${i}`));
      for (const each of bodies) await ask(url, each);
      const before = cpu();
      const worker = async (each: Buffer) => {
        for (let i = 0; i < count / 8; i++) await ask(url, each);
      };
      await Promise.all(bodies.map(worker));
      rates.push(count / (Math.max(10, cpu() - before) / 1_000));
    }
    printRow(place, rates);
  }
  console.log();
}

/** Many answers at once that take their time: how late is an event? */
async function measureStreams(places: Places): Promise<void> {
  console.log(`${STREAMS} streams at once, an event each every 100 ms`);
  printRow("", ["late med.", "late p99", "CPU %", "memory MB"]);
  for (const place of PLACES) {
    const { url, cpu, memory } = places[place];
    const late: number[] = [];
    const note = (chunk: Buffer): void => {
      const now = Date.now();
      for (const [, time] of chunk.toString("latin1").matchAll(/^: (\d{13})$/gm))
        late.push(now - Number(time));
    };
    const before = cpu();
    const from = performance.now();
    await Promise.all(
      Array.from({ length: STREAMS }, (_, i) =>
        ask(url, nameBody(small, `stream ${i}`), { "x-events": String(EVENTS) }, note),
      ),
    );
    if (late.length !== STREAMS * EVENTS) throw new Error(`${place}: ${late.length} events came`);
    const share = (100 * (cpu() - before)) / (performance.now() - from);
    printRow(place, [percentile(late, 50), percentile(late, 99), share, memory() / 1e6]);
  }
  console.log();
}

/** Conversations of 200k tokens in a proxy that keeps them all. */
async function measureMemory(children: Children, { direct }: Places): Promise<void> {
  const file = join(children.folder, "memory.db");
  const proxy = await children.start("relay-main", "proxy", direct.url, file, "10000000000");
  // What every proxy has loaded once.
  for (let n = 0; n < 3; n++) await ask(proxy.url, nameBody(whole, `first ${n}`));
  const before = await proxy.used();
  for (let n = 0; n < KEPT; n++) await ask(proxy.url, nameBody(whole, `kept ${n}`));
  const each = ((await proxy.used()) - before) / KEPT;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    `Memory in use: ${megabytes(before)} with 3 conversations of 200k tokens, ${megabytes(each)} more for each of ${KEPT} others\n`,
  );
}

function byPlace<T>(make: () => T): Record<Place, T> {
  return { direct: make(), pipe: make(), parse: make(), proxy: make() };
}

function printRow(name: string, cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) => (typeof cell === "string" ? cell : cell.toFixed(cell >= 100 ? 0 : 2)));
  console.log(`  ${name.padEnd(10)}${texts.map((text) => text.padStart(13)).join("")}`);
}
