import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { changesFile, findCommands } from "../../../bench/outcomes/find-commands.ts";
import { measurePatch, placeHunks } from "../../../bench/outcomes/measure-run.ts";
import { listRuns, readSubmission } from "../../../bench/outcomes/read-outcomes.ts";
import { readPatch } from "../../../bench/outcomes/read-patch.ts";
import { formatOutcomes } from "../../../bench/outcomes/table.ts";
import { formatByName } from "../../../src/formats/detect.ts";
import { noPruning, prepareReplay, type ReplayPolicy } from "../../../src/replay/index.ts";
import { answer, call, type Line, makeRecording, result, user } from "../make-recording.ts";

const OLD = "    return base_rate(day)";
const CONTEXT = "def rate(order, day):";
const NEW = "    return full_rate(order, day)";
const PATCH = `diff --git a/shop/rate.py b/shop/rate.py
index 1..2 100644
--- a/shop/rate.py
+++ b/shop/rate.py
@@ -1,3 +1,3 @@ class Rates:
 ${CONTEXT}
-${OLD}
+${NEW}
 # end
@@ -20 +20,2 @@
 SHIPPING_DAYS = 3
+SHIPPING_RATE = 0.2
\\ No newline at end of file
diff --git a/new.py b/new.py
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+print("a file of its own")
`;

test("a patch is read hunk by hunk; a new file replaces nothing, and short lines are ignored", () => {
  expect(readPatch(PATCH)).toEqual([
    { file: "shop/rate.py", old: [CONTEXT, OLD], changed: [OLD, NEW] },
    { file: "shop/rate.py", old: ["SHIPPING_DAYS = 3"], changed: ["SHIPPING_RATE = 0.2"] },
  ]);
  expect(readPatch("")).toEqual([]);
});

test("a removed line that looks like a header is a line of its hunk", () => {
  const patch =
    "--- a/notes.md\n+++ b/notes.md\n@@ -1,1 +1,1 @@\n--- a line of dashes\n+++ a line of pluses\n";
  expect(readPatch(patch)).toEqual([
    {
      file: "notes.md",
      old: ["-- a line of dashes"],
      changed: ["-- a line of dashes", "++ a line of pluses"],
    },
  ]);
});

describe("commands", () => {
  const partsOf = ({ message }: Line) => formatByName("openai-chat").decode(message).parts;

  test.each([
    ["a call", call("c", "bash", { command: "ls" }, "```bash\nrm x\n```"), ["ls"]],
    ["a fenced block", answer("Let me see:\n```python\nrm()\n```\n\n```bash\nls\ncat a\n```"), ["ls\ncat a"]],
    ["nothing", answer("done"), []],
  ])("of an answer with %s", (_, line, commands) => {
    expect(findCommands(partsOf(line))).toEqual(commands);
  });

  test.each([
    ["sed -i '12d' shop/rate.py", true],
    ["cd /testbed && sed -i 's/a/b/' shop/rate.py", true],
    ["cat <<'EOF' > shop/rate.py\nx = 1\nEOF", true],
    ["cat <<'EOF' > fix.py\nwith open('shop/rate.py', 'w') as f:\n    f.write(x)\nEOF", true],
    ["python3 -c \"p = 'shop/rate.py'; open(p, 'w').write(x)\"", true],
    ["sed -n '1,20p' shop/rate.py", false],
    ["cat shop/rate.py | grep rate 2>/dev/null", false],
    ["python3 -c \"print(open('shop/rate.py', 'r').read())\"", false],
    ["sed -i '12d' shop/other.py", false],
  ])("%s", (command, changes) => {
    expect(changesFile(command, "shop/rate.py")).toBe(changes);
  });
});

describe("the lines of a final patch", () => {
  const run = (command: string) => answer(`Next step.\n\n\`\`\`bash\n${command}\n\`\`\``);
  const shown = `${CONTEXT}\n${OLD}\n# end\n`;
  const lines = [
    user("Fix the rate."),
    run("cat shop/rate.py"),
    user(shown),
    run("sed -n '20p' shop/rate.py"),
    user("SHIPPING_DAYS = 3"),
    run(`sed -i 's/.*base_rate.*/${NEW}/' shop/rate.py`),
    user("ok"),
    run("sed -i '20a SHIPPING' shop/rate.py"),
    user("ok"),
    run("git diff"),
  ];
  /** Removes this message from all requests after the third. */
  const forget = (at: number): ReplayPolicy => ({
    name: "forgetful",
    start:
      () =>
      (messages, { index }) =>
        index < 2 ? messages : messages.map((message, i) => (i === at ? user("…").message : message)),
  });

  function measure(all: readonly Line[], policy: ReplayPolicy) {
    const recording = makeRecording(all);
    const bench = prepareReplay(recording);
    const placed = placeHunks(recording, bench, readPatch(PATCH));
    return { placed, figures: measurePatch(recording, placed, bench.run(policy)) };
  }

  test("are searched where a command contains a changed line, or else at the last change of the file", () => {
    const { placed, figures } = measure(lines, noPruning);
    expect(placed).toEqual([
      { request: 2, lines: [CONTEXT, OLD] },
      { request: 3, lines: ["SHIPPING_DAYS = 3"] },
    ]);
    expect(figures).toMatchObject({ lines: { counted: 3, kept: 3 }, hunks: { counted: 2, kept: 2 } });
  });

  test("are lost when they are not in the view sent then", () => {
    expect(measure(lines, forget(2)).figures).toMatchObject({
      lines: { counted: 3, kept: 1 },
      hunks: { counted: 2, kept: 1 },
    });
    // Text that leaves the view only after the edit is not missed.
    expect(measure(lines, forget(9)).figures.lines).toEqual({ counted: 3, kept: 3 });
  });

  test("are ignored if the agent wrote them first, or if no command changes their file", () => {
    const own = lines.with(1, run(`echo '${OLD}' && echo '${CONTEXT}'`));
    expect(measure(own, noPruning).placed).toEqual([{ request: 3, lines: ["SHIPPING_DAYS = 3"] }]);
    expect(measure(lines.slice(0, 5), noPruning).placed).toEqual([]);
  });

  test("are found with calls and results of an API as well", () => {
    const calls = [
      user("Fix the rate."),
      call("a", "bash", { command: "cat shop/rate.py" }),
      result("a", shown),
      call("b", "bash", { command: `sed -i 's/.*base_rate.*/${NEW}/' shop/rate.py` }),
      result("b", "ok"),
      answer("done"),
    ];
    expect(measure(calls, noPruning).placed).toEqual([{ request: 1, lines: [CONTEXT, OLD] }]);
  });

  test("are listed in a table by policy and outcome", () => {
    const [whole, cut] = [noPruning, forget(2)].map((policy) => measure(lines, policy).figures);
    if (!whole || !cut) throw new Error("both were measured");
    const figures = (outcome: string) => ({ file: "a", outcome, hunks: 2, policies: [whole, cut] });
    const table = formatOutcomes([figures("failed"), figures("resolved"), figures("resolved")]);
    const rows = table.split("\n").map((line) => line.split(/\s{2,}/));
    expect(rows.map(([name]) => name)).toEqual([
      "runs",
      "no pruning: resolved (2)",
      "no pruning: failed (1)",
      "forgetful: resolved (2)",
      "forgetful: failed (1)",
    ]);
    expect(rows[3]?.slice(-5)).toEqual(["4 of 4", "6", "33.3%", "33.3%", "50.0%"]);
  });
});

test("runs and their patches are read from a folder with a table of outcomes", () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-outcomes-"));
  writeFileSync(
    join(folder, "OUTCOMES.tsv"),
    "file\toutcome\trequests\na.json\tresolved\t3\nb.json.gz\tfailed\t4\n",
  );
  writeFileSync(join(folder, "a.json"), JSON.stringify({ info: { submission: PATCH } }));
  writeFileSync(join(folder, "b.json.gz"), gzipSync(JSON.stringify({ info: {} })));
  const runs = listRuns(folder);
  expect(runs).toEqual([
    { path: join(folder, "a.json"), outcome: "resolved" },
    { path: join(folder, "b.json.gz"), outcome: "failed" },
  ]);
  expect(runs.map(({ path }) => readSubmission(path))).toEqual([PATCH, ""]);
});
