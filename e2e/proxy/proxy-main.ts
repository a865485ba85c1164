import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { openStore } from "../../src/stores/open-store.ts";

// A proxy in its own process, whose clock runs faster, so that a short pause lets a cache expire.
//   node proxy-main.mjs PORT STORE UPSTREAM SPEED
const [port, where = "", upstream = "", speed] = process.argv.slice(2);
const say = (text: string): void => console.error(text);
const store = await openStore(
  where.startsWith("postgres:") ? { kind: "postgres", url: where } : { kind: "sqlite", path: where },
  { report: ({ message }) => say(message) },
);
await startProxy({
  port: Number(port),
  store,
  upstreams: { anthropic: upstream },
  settings: { strategies: { pruneProtect: 1_000, pruneMinimum: 500, compactThreshold: 0.9 }, window: 16_000 },
  clock: () => Date.now() * Number(speed),
  onIssue: (_, text) => say(text),
});
