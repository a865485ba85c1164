// What the plugin of Claude Code holds the agent up by: each hook as Claude Code starts it, in a process of its own, beside
// Node alone. Needs the built package.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const RUNS = 15;
const HOOK = "dist/claude-plugin/hook.mjs";

const folder = mkdtempSync(join(tmpdir(), "coppice-bench-"));
const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };

const lineOf = (i) =>
  i % 50 === 7 ? `× total ${i} is rounded` : `✓ total ${i} is added up, in order ${i} of the cart`;
const textOf = (lines) => Array.from({ length: lines }, (_, i) => lineOf(i)).join("\n");

/** A session of edits and test runs, of about so many megabytes. */
function writeTranscript(megabytes) {
  const path = join(folder, `${megabytes}.jsonl`);
  const lines = [];
  const add = (type, message) =>
    lines.push(
      JSON.stringify({
        ...{ type, uuid: `u${lines.length}`, parentUuid: lines.length === 0 ? null : `u${lines.length - 1}` },
        ...{ sessionId: "bench", message },
      }),
    );
  const output = textOf(200);
  add("user", { role: "user", content: "Round the totals of all orders." });
  for (let i = 0, size = 0; size < megabytes * 1_000_000; size += output.length + 700, i++) {
    const use = (name, input) => ({ type: "tool_use", id: `t${lines.length}`, name, input });
    const call =
      i % 2 === 0
        ? use("Edit", { file_path: `/shop/src/f${i}.ts`, old_string: "a", new_string: "b" })
        : use("Bash", { command: `npm test -- ${i % 9}` });
    add("assistant", { id: `m${i}`, role: "assistant", model: "claude-sonnet-4-5", content: [call] });
    const content = i % 2 === 0 ? "updated" : output;
    add("user", { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content }] });
  }
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const inputOf = (event, megabytes, more) =>
  JSON.stringify({
    ...{
      session_id: "bench",
      cwd: folder,
      transcript_path: writeTranscript(megabytes),
      hook_event_name: event,
    },
    ...more,
  });

const bash = (megabytes, response) =>
  inputOf("PostToolUse", megabytes, {
    ...{ tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_bench" },
    tool_response: { stderr: "", interrupted: false, isImage: false, ...response },
  });

const persisted = join(folder, "persisted.txt");
writeFileSync(persisted, textOf(160_000));

const cases = [
  ["Node alone", ["-e", "0"], ""],
  ["a command with little output", [HOOK], bash(1, { stdout: "ok" })],
  ["an output below the cap", [HOOK], bash(1, { stdout: textOf(100) })],
  ["an output of 29,000 characters", [HOOK], bash(20, { stdout: textOf(650).slice(0, 29_000) })],
  [
    "one of 7 MB, which Claude Code has kept",
    [HOOK],
    bash(20, { stdout: textOf(650).slice(0, 30_000), persistedOutputPath: persisted }),
  ],
  ["after a compaction, transcript of 1 MB", [HOOK], inputOf("SessionStart", 1, { source: "compact" })],
  ["after a compaction, transcript of 30 MB", [HOOK], inputOf("SessionStart", 30, { source: "compact" })],
];

console.log(`milliseconds of ${RUNS} runs: median, slowest\n`);
for (const [name, args, input] of cases) {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    spawnSync(process.execPath, args, { input, env });
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const figures = [times[Math.floor(RUNS / 2)], times.at(-1)].map((time) => time.toFixed(0).padStart(6));
  console.log(`${name.padEnd(42)}${figures.join("")}`);
}
rmSync(folder, { recursive: true });
