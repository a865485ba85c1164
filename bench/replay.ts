/**
 * Bill and evidence of Coppice and of simple rules over recorded sessions: the files given, or the project's sample.
 * Only sessions of 30 requests or more count; `--prices` bills all of them as Anthropic does (w 1.25, r 0.1, 5 minutes).
 */
import { type Recording, readRecording } from "../src/recordings/index.ts";
import {
  clearAtThreshold,
  coppicePolicy,
  formatReplayTable,
  keepLastResults,
  noPruning,
  prepareReplay,
  type Replay,
  summarizeReplays,
} from "../src/replay/index.ts";

const LONG = 30;
const ANTHROPIC = { "*": { write: 1.25, read: 0.1, ttl: 300_000, minimumPrefix: 1_024 } };

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith("--"));
const policies = [
  noPruning,
  keepLastResults(10),
  clearAtThreshold({ tokens: 100_000, keep: 3 }),
  coppicePolicy(),
  coppicePolicy({ config: { schedule: { mode: "eager" } } }, "coppice, eager"),
];

const replays = new Map<string, Replay[]>(policies.map(({ name }) => [name, []]));
let sessions = 0;
for (const file of files.length > 0 ? files : ["samples/discount-service.jsonl"]) {
  const read = await readRecording(file);
  if (!read.ok) {
    console.error(`${file}: ${read.issue.message}`);
    continue;
  }
  if (replayAll(read.value)) sessions++;
}
console.log(`\n${sessions} sessions of ${LONG} requests or more\n`);
console.log(formatReplayTable(policies.map(({ name }) => summarizeReplays(name, replays.get(name) ?? []))));

function replayAll(recording: Recording): boolean {
  const bench = prepareReplay(recording, args.includes("--prices") ? { prices: ANTHROPIC } : {});
  if (bench.unpruned.requests.length < LONG) return false;
  for (const policy of policies) replays.get(policy.name)?.push(bench.run(policy));
  return true;
}
