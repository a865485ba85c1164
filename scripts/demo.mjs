// Plays the session that ships with the project (or a recording given by path) with Coppice: what it would have cost,
// three cuts, and the file pruned and restored. `--json` for machines.
import { relative, resolve } from "node:path";
import { styleText } from "node:util";
import {
  pruneRecordingText,
  readRecording,
  readRecordingText,
  restoreRecordingText,
} from "coppice/recordings";
import { coppicePolicy, prepareReplay } from "coppice/replay";

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
const { unpruned, pruned, cuts, report, paid } = playSession();
if (unpruned.requests.length === 0) {
  console.error(`${path}: the session has no request to a model`);
  process.exit(1);
}
const file = await pruneAndRestore();

if (asJson) {
  const bill = { paid, dollars: pruned.dollars, share: pruned.share, inputShare: pruned.inputShare };
  const requests = unpruned.requests.length;
  const { waiting, tokens } = report ?? {};
  const { pruned: _, ...restore } = file;
  console.log(JSON.stringify({ path, requests, cuts, tokens, bill, waiting, restore }, null, 2));
} else {
  show();
}

/** The session request by request, with Coppice between agent and model. */
function playSession() {
  const bench = prepareReplay(recording);
  const cuts = [];
  let report;
  const policy = coppicePolicy({}, "coppice", (newest, { index }) => {
    report = newest;
    if (newest.cut) cuts.push({ step: index, reason: newest.cut.reason, edits: newest.cut.edits });
  });
  const pruned = bench.run(policy);
  return { unpruned: bench.unpruned, pruned, cuts, report, paid: bench.book.paid };
}

/** As `coppice prune` and `coppice restore` do it; `same` compares the bytes. */
async function pruneAndRestore() {
  const original = await readRecordingText(path);
  if (!original.ok) return { issue: original.issue.message };
  const { text } = original.value;
  const pruned = pruneRecordingText(text, { name: path });
  if (!pruned.ok) return { issue: pruned.issue.message };
  const restored = restoreRecordingText(pruned.value.text, pruned.value.restoreFile);
  const [before, after, again] = [text, pruned.value.text, restored.ok ? restored.value : ""].map((each) =>
    Buffer.from(each),
  );
  const bytes = { before: before.length, after: after.length, restored: again.length };
  return { bytes, same: again.equals(before), pruned: pruned.value };
}

function show() {
  const paint = (style, text) =>
    process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
  const title = (text) => paint("bold", text);
  const dim = (text) => paint("dim", text);
  const lines = [
    `${title("Coppice")} on ${path} (${recording.source}, ${unpruned.requests.length} requests)`,
    dim(`${" ".repeat(16)}without     with`),
    ...compareFigures().map(([name, without, with_, change]) => {
      const figures = `${without.padStart(9)}${with_.padStart(9)}`;
      return `  ${name.padEnd(12)}${figures}  ${paint("green", change)}`;
    }),
    `  ${sayEvidence()}`,
    "",
    ...showCuts(title, dim, paint),
    "",
    sayRestored(title),
    "",
    title("Now yours:"),
    `  npx coppice analyze         ${dim("what your own sessions cost, and could have saved")}`,
    `  npx coppice context claude  ${dim("what Claude Code sends before your first word")}`,
    `  npx coppice wrap claude     ${dim("Claude Code, with Coppice between it and its model")}`,
  ];
  console.log(lines.join("\n"));
}

function compareFigures() {
  const change = (share) => `${share <= 1 ? "−" : "+"}${(100 * Math.abs(1 - share)).toFixed(1)} %`;
  const k = (tokens) =>
    tokens < 1_000_000 ? `${(tokens / 1_000).toFixed(1)}K` : `${(tokens / 1_000_000).toFixed(1)}M`;
  const [last, lastPruned] = [unpruned, pruned].map(({ requests }) => requests.at(-1).tokens);
  const money =
    pruned.dollars !== undefined && [paid.dollars, pruned.dollars].map((sum) => `$${sum.toFixed(2)}`);
  const guess = paid.estimated > 0 ? ", in part an estimate" : ", answers included";
  return [
    ["bill", ...(money || ["", ""]), `${change(pruned.share)}${guess}`],
    ["tokens sent", k(unpruned.sent), k(pruned.sent), change(pruned.sent / unpruned.sent)],
    ["last request", k(last), k(lastPruned), change(lastPruned / last)],
  ];
}

function sayEvidence() {
  const { counted, kept } = pruned.evidence;
  return `${kept} of ${counted} things that the agent used later were still in its context`;
}

/** The largest cut of each of three kinds, of those that the pruned file has too: its restore file holds the original. */
function showCuts(title, dim, paint) {
  const made = cuts.flatMap(({ step, edits }) => edits.map((edit) => ({ ...edit, step })));
  const inFile = file.pruned?.restoreFile.edits ?? [];
  const both = made.flatMap((edit) => {
    const twin = inFile.find(({ ref, text }) => ref === edit.ref && text === edit.text);
    return twin && edit.text ? [{ ...edit, original: twin.original }] : [];
  });
  const largest = both.sort((a, b) => b.saved - a.saved);
  const kinds = new Set(largest.map(({ author }) => author));
  const shown = [...kinds].slice(0, 3).map((kind) => largest.find(({ author }) => author === kind));
  if (made.length === 0) return ["Nothing was cut: no cut would have paid for itself."];
  return [
    title(`${shown.length} of the cuts, before and after`),
    ...shown.flatMap(({ step, reason, saved, original, text }) => {
      const [first, ...rest] = original.trim().split("\n");
      const more = rest.length > 0 ? ` (and ${rest.length} more lines)` : "";
      return [
        `  request ${step + 1}: ${reason} ${dim(`(${saved} tokens less)`)}`,
        paint("red", `  - ${clip(first, 76 - more.length)}${more}`),
        paint("green", `  + ${clip(text.replaceAll("\n", " "), 76)}`),
      ];
    }),
  ];
}

function clip(text, width) {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain;
}

function sayRestored(title) {
  if (file.issue !== undefined) return `${title("Restore:")} not tried, ${file.issue}`;
  const { before, after, restored } = file.bytes;
  const kb = (bytes) => `${Math.round(bytes / 1000)} kB`;
  const same = file.same ? "the same, byte for byte" : "NOT THE SAME";
  return `${title("Restore:")} ${kb(before)} pruned to ${kb(after)}, restored to ${kb(restored)}: ${same}`;
}
