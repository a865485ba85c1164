/** Times one plugin's message hook in Bun, in a process of its own: `bun opencode-plugin.ts <module> <tool calls>` prints JSON. */
import { pathToFileURL } from "node:url";
import { makeSession } from "./long-session.ts";

const RESULT_TOKENS = 500;
const COLD_ROUNDS = 3;
const STEPS = 100;
/** Milliseconds after which no further figure of a kind is taken. */
const PATIENCE = 20_000;

/** Milliseconds. */
export interface Times {
  /** Of each first call on the whole session. */
  readonly cold: readonly number[];
  /** Of each further step. */
  readonly warm: readonly number[];
  /** What reading the messages takes at each of these steps: the host does it before every request. */
  readonly reading: readonly number[];
}

type Transform = (input: object, output: { messages: unknown[] }) => Promise<void>;
type Server = (
  input: object,
  options?: object,
) => Promise<{ readonly "experimental.chat.messages.transform"?: Transform }>;

/** Answers at once and knows nothing: what a plugin asks of the host is not what is measured. */
const answers: Readonly<Record<string, unknown>> = {
  providers: { providers: [] },
  messages: [],
  get: { id: "s" },
};
const client: unknown = new Proxy(
  {},
  {
    get: () => new Proxy({}, { get: (_, method) => async () => ({ data: answers[String(method)] ?? {} }) }),
  },
);

const [entry = "", size = "1000"] = process.argv.slice(2);
console.info(JSON.stringify(await measure(entry, Number(size))));

async function measure(entry: string, tools: number): Promise<Times> {
  const session = makeSession(tools + STEPS, RESULT_TOKENS).map((message) => JSON.stringify(message));
  const cold: number[] = [];
  const warm: number[] = [];
  const reading: number[] = [];
  const isPatient = (times: readonly number[]) => times.reduce((sum, ms) => sum + ms, 0) < PATIENCE;
  let transform = await load(entry);
  do {
    transform = await load(entry);
    cold.push((await time(transform, session.slice(0, tools + 1))).step);
  } while (cold.length < COLD_ROUNDS && isPatient(cold));
  do {
    const times = await time(transform, session.slice(0, tools + 2 + warm.length));
    warm.push(times.step);
    reading.push(times.reading);
  } while (warm.length < STEPS && isPatient(warm));
  return { cold, warm, reading };
}

/** With fresh objects each time, as OpenCode reads them from its database. */
async function time(
  transform: Transform,
  texts: readonly string[],
): Promise<{ readonly reading: number; readonly step: number }> {
  const started = performance.now();
  const output = { messages: texts.map((text): unknown => JSON.parse(text)) };
  const read = performance.now();
  await transform({}, output);
  return { reading: read - started, step: performance.now() - read };
}

async function load(entry: string): Promise<Transform> {
  const { default: plugin } = (await import(pathToFileURL(entry).href)) as {
    default: Server | { server: Server };
  };
  const server = typeof plugin === "function" ? plugin : plugin.server;
  const directory = process.cwd();
  const hooks = await server({ client, directory, worktree: directory, project: { id: "bench" } }, {});
  const transform = hooks["experimental.chat.messages.transform"];
  if (!transform) throw new Error(`${entry} has no such hook`);
  return transform;
}
