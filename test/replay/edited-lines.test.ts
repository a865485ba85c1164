import { describe, expect, test } from "vitest";
import { replayRecording } from "../../src/replay/replay.ts";
import { noPruning, type ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { answer, call, type Line, makeRecording, result, user } from "./make-recording.ts";

const LINE = "const total = sum(lines);";
const OTHER = "return round(total);";

/** What an agent writes and gets: to see the file, and to edit it. */
interface Protocol {
  readonly see: string;
  readonly seen: string;
  readonly edit: string;
  readonly edited: string;
}

const shell = (edit: string): Protocol => ({
  see: "I look.\n\n```bash\ncat /w/a.py\n```",
  seen: `<returncode>0</returncode>\n<output>\n${LINE}\n${OTHER}\n</output>`,
  edit: `I edit.\n\n\`\`\`bash\n${edit}\n\`\`\``,
  edited: "<returncode>0</returncode>\n<output>\n</output>",
});
const cline = (edit: string): Protocol => ({
  see: "<read_file>\n<path>/w/a.py</path>\n</read_file>",
  seen: `[read_file for '/w/a.py'] Result:\n${LINE}\n${OTHER}`,
  edit,
  edited: `[${/<(\w+)>/.exec(edit)?.[1]} for '/w/a.py'] Result:\nok`,
});

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  "mini-swe-agent, sed": shell(`sed -i 's/${LINE}/x/' /w/a.py`),
  "mini-swe-agent, a heredoc that writes the file again": shell(`cat > /w/a.py <<'EOF'\n${LINE}\nx\nEOF`),
  "mini-swe-agent, a patch": shell(
    `cd /w && git apply <<'EOF'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-${LINE}\n+x\nEOF`,
  ),
  "Cline, blocks": cline(
    `<replace_in_file>\n<path>/w/a.py</path>\n<diff>\n------- SEARCH\n${LINE}\n=======\nx\n+++++++ REPLACE\n</diff>\n</replace_in_file>`,
  ),
  "Roo Code, blocks with line numbers": cline(
    `<apply_diff>\n<path>/w/a.py</path>\n<diff>\n<<<<<<< SEARCH\n:start_line:1\n-------\n${LINE}\n=======\nx\n>>>>>>> REPLACE\n</diff>\n</apply_diff>`,
  ),
  "Cline, the whole file": cline(
    `<write_to_file>\n<path>/w/a.py</path>\n<content>\n${LINE}\nx\n</content>\n</write_to_file>`,
  ),
  OpenHands: {
    see: "<function=execute_bash>\n<parameter=command>cat /w/a.py</parameter>\n</function>",
    seen: `EXECUTION RESULT of [execute_bash]:\n${LINE}\n${OTHER}`,
    edit: `<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>/w/a.py</parameter>\n<parameter=old_str>${LINE}</parameter>\n<parameter=new_str>x</parameter>\n</function>`,
    edited: "EXECUTION RESULT of [str_replace_editor]:\nThe file /w/a.py has been edited.",
  },
};

/** Leaves out what the agent has seen. */
const forgets: ReplayPolicy = {
  name: "forgets",
  start: () => (messages) =>
    messages.map((message, i) => (i === 2 ? { role: "user", content: "…" } : message)),
};

function evidenceOf(lines: readonly Line[], policy: ReplayPolicy) {
  const [, edit] = replayRecording(makeRecording(lines), policy).requests;
  return { edits: edit?.editEvidence, lost: edit?.lostEdits };
}

describe("an edit that is written as text counts", () => {
  test.each(Object.entries(PROTOCOLS))("%s", (_, { see, seen, edit, edited }) => {
    const lines = [user("go"), answer(see), user(seen), answer(edit), user(edited), answer("done")];
    expect(evidenceOf(lines, noPruning)).toEqual({
      edits: { counted: 1, kept: 1 },
      lost: { counted: 1, lost: 0 },
    });
    expect(evidenceOf(lines, forgets)).toEqual({
      edits: { counted: 1, kept: 0 },
      lost: { counted: 1, lost: 1 },
    });
  });
});

describe("and so does one in a shell", () => {
  const see = [user("go"), call("c1", "bash", { command: "cat /w/a.py" }), result("c1", `${LINE}\n${OTHER}`)];
  const edit = (tool: string, input: object) => [
    ...see,
    call("c2", tool, input),
    result("c2", "ok"),
    answer("done"),
  ];

  test.each<[string, readonly Line[], number]>([
    ["sed", edit("bash", { command: `sed -i 's/${LINE}/x/' /w/a.py` }), 1],
    ["sed, by the number of a line", edit("bash", { command: "sed -i '1d' /w/a.py" }), 0],
    ["a file that is written again", edit("bash", { command: `cat > /w/a.py <<EOF\n${LINE}\nEOF` }), 1],
    ["the same, by a tool", edit("write", { filePath: "/w/a.py", content: `${LINE}\n${OTHER}\nx` }), 2],
    ["a new file", edit("bash", { command: `cat > /w/b.py <<EOF\n${LINE}\nEOF` }), 0],
    ["a new file, by a tool", edit("write", { filePath: "/w/b.py", content: LINE }), 0],
    ["a command that changes nothing", edit("bash", { command: `grep '${LINE}' /w/a.py` }), 0],
  ])("%s", (_, lines, counted) => {
    expect(evidenceOf(lines, noPruning).edits).toEqual({ counted, kept: counted });
  });
});
