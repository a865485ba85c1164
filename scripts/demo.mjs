// Prunes the session that ships with the project (or recordings given by path) and shows what was cut, why, and
// what it did to the bill. `--json` for machines.
import { relative, resolve } from "node:path";
import { readRecording } from "coppice/recordings";
import {
  clearAtThreshold,
  coppicePolicy,
  formatReplayTable,
  keepLastResults,
  prepareReplay,
  summarizeReplays,
} from "coppice/replay";

const args = process.argv.slice(2);
const asJson = args.includes("--json");
const files = args.filter((arg) => !arg.startsWith("--"));
const SAMPLE = resolve(import.meta.dirname, "../samples/discount-service.jsonl");
const path = files[0] ?? relative(process.cwd(), SAMPLE);

const read = await readRecording(path);
if (!read.ok) {
  console.error(`${path}: ${read.issue.message}`);
  process.exit(1);
}
const recording = read.value;
const bench = prepareReplay(recording);
const { paid } = bench.book;
const { cuts, report, pruned } = watchCoppice();
const replays = [
  bench.unpruned,
  bench.run(keepLastResults(10)),
  bench.run(clearAtThreshold({ tokens: 100_000, keep: 3 })),
  pruned,
  bench.run(coppicePolicy({ config: { schedule: { mode: "eager" } } }, "coppice, eager")),
];

if (asJson) {
  const rows = replays.map((replay) => summarizeReplays(replay.policy, [replay]));
  console.log(
    JSON.stringify(
      {
        path,
        requests: bench.unpruned.requests.length,
        cuts,
        tokens: report?.tokens,
        bill: { paid, dollars: pruned.dollars, share: pruned.share, inputShare: pruned.inputShare },
        waiting: report?.waiting,
        policies: rows,
      },
      null,
      2,
    ),
  );
} else {
  show();
}

/** Coppice on the session as a host lives it, with a note of each cut and of the last request. */
function watchCoppice() {
  const cuts = [];
  let report;
  const policy = coppicePolicy({}, "coppice", (newest, { index }) => {
    report = newest;
    if (newest.cut) cuts.push({ step: index, reason: newest.cut.reason, edits: newest.cut.edits });
  });
  return { pruned: bench.run(policy), cuts, report };
}

function show() {
  const colour = process.stdout.isTTY && !process.env.NO_COLOR;
  const paint = (code) => (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const [bold, dim, green] = [paint(1), paint(2), paint(32)];
  const k = (tokens) => `${(tokens / 1000).toFixed(1)}k`;
  const { tokens } = report;
  const columns = process.stdout.columns ?? 80;
  const requests = bench.unpruned.requests.length;

  console.log(`\n${bold("Coppice")} on ${path}`);
  console.log(
    dim(`${recording.source}, ${requests} requests, ${recording.models.join(", ") || "unknown model"}\n`),
  );

  if (recording.skipped > 0)
    console.log(dim(`lines that could not be read and were left out: ${recording.skipped}\n`));
  console.log(bold("What was cut, and why"));
  for (const { step, reason, edits } of cuts) {
    const saved = edits.reduce((sum, edit) => sum + edit.saved, 0);
    console.log(
      `  after step ${String(step).padStart(3)}  ${green(`-${k(saved)} tokens`)}  ${dim(explain(reason))}`,
    );
    for (const edit of edits.slice(0, 4))
      console.log(`      ${edit.ref}  ${edit.reason} ${dim(`(-${edit.saved})`)}`);
    if (edits.length > 4) console.log(dim(`      and ${edits.length - 4} more`));
  }
  if (cuts.length === 0) console.log("  nothing: no cut would have paid for itself");
  if (report.waiting.length > 0) {
    const saves = report.waiting.reduce((sum, each) => sum + each.saves, 0);
    console.log(dim(`  ${report.waiting.length} more wait for a cheaper moment (${k(saves)} tokens)`));
  }

  const share = (a, b) => `${((100 * a) / b).toFixed(1)} %`;
  console.log(
    `\n${bold("The last request")}   ${k(tokens.before)} tokens before, ${green(k(tokens.after))} after (${share(tokens.after, tokens.before)})`,
  );
  const guess = paid.estimated > 0 ? dim(`, of it $${paid.estimated.toFixed(2)} an estimate`) : "";
  const left =
    pruned.dollars === undefined
      ? ""
      : `$${paid.dollars.toFixed(2)} paid${guess}, ${green(`$${pruned.dollars.toFixed(2)}`)} left: `;
  console.log(
    `${bold("The whole bill")}     ${left}${(100 * pruned.share).toFixed(1)} % (of input alone ${(100 * pruned.inputShare).toFixed(1)} %)\n`,
  );

  console.log(bold("Against other rules, on the same session"));
  console.log(
    formatReplayTable(
      replays.map((replay) => summarizeReplays(replay.policy, [replay])),
      "policy",
      columns - 2,
    ).replace(/^(?=.)/gm, "  "),
  );
  console.log(
    dim(
      "\n  bill: share of what was paid, output included. evidence: of what the agent\n  went on to use, how much was still in its context. See docs/measures.md.\n",
    ),
  );
}

function explain(reason) {
  const reasons = {
    "never-sent": "never sent before: free",
    "rent-paid": "carrying it costs more than the rewrite",
    "cold-cache": "the cache was cold: free",
    "no-cache": "the model has no cache: free",
    pressure: "the window was filling up",
    requested: "the agent asked",
    eager: "eager mode",
  };
  return reasons[reason] ?? reason;
}
