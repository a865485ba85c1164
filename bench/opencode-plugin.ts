/** Times one plugin's message hook in Bun, in a process of its own: `bun opencode-plugin.ts <module> <tool calls>` prints JSON. */
import { pathToFileURL } from "node:url";
import { makeSession } from "./long-session.ts";

const RESULT_TOKENS = 500;
const COLD_ROUNDS = 3;
const STEPS = 60;
/** Milliseconds after which no further figure of a kind is taken. */
const PATIENCE = 20_000;

/** Milliseconds of each first call on the whole session, and of each further step. */
export interface Times {
  readonly cold: readonly number[];
  readonly warm: readonly number[];
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
  const session = makeSession(tools + STEPS, RESULT_TOKENS);
  const cold: number[] = [];
  const warm: number[] = [];
  const isPatient = (times: readonly number[]) => times.reduce((sum, ms) => sum + ms, 0) < PATIENCE;
  let transform = await load(entry);
  do {
    transform = await load(entry);
    cold.push(await time(transform, session.slice(0, tools + 1)));
  } while (cold.length < COLD_ROUNDS && isPatient(cold));
  do warm.push(await time(transform, session.slice(0, tools + 2 + warm.length)));
  while (warm.length < STEPS && isPatient(warm));
  return { cold, warm };
}

/** With fresh objects each time, as OpenCode hands them over. */
async function time(transform: Transform, messages: readonly unknown[]): Promise<number> {
  const output = { messages: structuredClone([...messages]) };
  const started = performance.now();
  await transform({}, output);
  return performance.now() - started;
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
