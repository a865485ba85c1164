import { describe, expect, test } from "vitest";
import { measureWork } from "../../src/analysis/measure-work.ts";
import { addWork, type WorkCounts } from "../../src/facts/work-counts.ts";
import { createPruner } from "../../src/pruner.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { Conversation, numbered, textOf } from "../conversation.ts";

const file = numbered(textOf(300));
const lines = (from: number, to: number) =>
  file
    .split("\n")
    .slice(from - 1, to)
    .join("\n");
const NOT_FOUND = "String to replace not found in file.";

function toRecording({ messages, meta }: Conversation, carried = 0): Recording {
  return {
    source: "messages",
    format: "openai-chat",
    models: [],
    segments: [{ messages, meta, carried }],
    asides: [],
    issues: [],
    skipped: 0,
  };
}

/** Of all requests of a session that ends with an answer. */
function count(session: Conversation): WorkCounts {
  return addWork(measureWork(toRecording(session.answer("Done."))));
}

class Session extends Conversation {
  read(path: string, output = file, rest: object = {}): this {
    return this.call("read", { filePath: path, ...rest }, output);
  }
  edit(path: string, output = "ok"): this {
    return this.call("edit", { filePath: path, oldString: "a", newString: "b" }, output);
  }
  run(command: string, output = "ok"): this {
    return this.call("bash", { command }, output);
  }
}

describe("edits that failed because their text was not found", () => {
  test.each<[string, (session: Session) => Session, edits: number, missed: number]>([
    ["found", (session) => session.edit("a.ts"), 1, 0],
    ["not found", (session) => session.edit("a.ts").edit("a.ts", NOT_FOUND), 2, 1],
    ["failed for another reason", (session) => session.edit("a.ts", "Error: file is read-only"), 1, 0],
    [
      "a new file is not an edit",
      (session) => session.call("write", { filePath: "a.ts", content: "a" }, "ok"),
      0,
      0,
    ],
    [
      "a patch in a shell line",
      (session) =>
        session.run(
          "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch\nEOF",
          "apply_patch verification failed: Failed to find expected lines in a.ts:\na",
        ),
      1,
      1,
    ],
  ])("%s", (_, go, edits, missedEdits) => {
    expect(count(go(new Session()))).toMatchObject({ edits, missedEdits, reads: 0, commands: 0 });
  });
});

describe("edits that are written as text", () => {
  const asText = (edit: string, output: string) =>
    new Conversation().messages.concat(
      { role: "assistant", content: edit },
      { role: "user", content: output },
      { role: "assistant", content: "Done." },
    );
  const patch = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b";

  test.each<[string, edit: string, output: string, edits: number, missed: number]>([
    [
      "Cline",
      "<replace_in_file>\n<path>a.ts</path>\n<diff>\n</diff>\n</replace_in_file>",
      "[replace_in_file for 'a.ts'] Result:\nThe tool execution failed with the following error:\n<error>\nThe SEARCH block:\na",
      1,
      1,
    ],
    [
      "OpenHands",
      "<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>/w/a.py</parameter>\n</function>",
      "EXECUTION RESULT of [str_replace_editor]:\nERROR:\nNo replacement was performed, old_str `a` did not appear verbatim in /w/a.py.",
      1,
      1,
    ],
    [
      "mini-swe-agent, a patch",
      `\`\`\`bash\ngit apply <<'EOF'\n${patch}\nEOF\n\`\`\``,
      "<returncode>1</returncode>\n<output>\nerror: patch failed: a.py:1\n</output>",
      1,
      1,
    ],
    [
      "mini-swe-agent, sed, which does not say what it missed",
      "```bash\nsed -i 's/a/b/' a.py\n```",
      "<returncode>0</returncode>\n<output>\n</output>",
      0,
      0,
    ],
  ])("%s", (_, edit, output, edits, missedEdits) => {
    const messages = asText(edit, output);
    const recording = toRecording({ messages, meta: messages.map(() => ({})) } as Conversation);
    expect(addWork(measureWork(recording))).toMatchObject({ edits, missedEdits });
  });
});

describe("reads of text that was already read", () => {
  test.each<[string, (session: Session) => Session, reads: number, rereads: number]>([
    ["once", (session) => session.read("a.ts"), 1, 0],
    ["twice", (session) => session.read("a.ts").read("a.ts"), 2, 1],
    ["three times", (session) => session.read("a.ts").read("a.ts").read("a.ts"), 3, 2],
    ["two files", (session) => session.read("a.ts").read("b.ts"), 2, 0],
    ["after an edit", (session) => session.read("a.ts").edit("a.ts").read("a.ts"), 2, 0],
    [
      "after an edit that failed",
      (session) => session.read("a.ts").edit("a.ts", NOT_FOUND).read("a.ts"),
      2,
      1,
    ],
    [
      "some lines of it",
      (session) => session.read("a.ts").read("a.ts", lines(5, 9), { offset: 5, limit: 5 }),
      2,
      1,
    ],
    [
      "lines that were not shown before",
      (session) =>
        session
          .read("a.ts", lines(1, 9), { offset: 1, limit: 9 })
          .read("a.ts", lines(10, 20), { offset: 10, limit: 11 }),
      2,
      0,
    ],
    [
      "changed by something else",
      (session) => session.read("a.ts").read("a.ts", numbered(textOf(300, 1))),
      2,
      0,
    ],
    [
      "a host's stub",
      (session) =>
        session
          .read("a.ts")
          .read(
            "a.ts",
            "File unchanged since last read. The content from the earlier Read tool_result is current.",
          ),
      2,
      1,
    ],
    ["by the shell", (session) => session.run("cat a.ts", "a\nb\nc").run("sed -n 2,3p a.ts", "b\nc"), 2, 1],
    ["a read that shows nothing", (session) => session.read("a.ts").read("a.ts", ""), 2, 0],
  ])("%s", (_, go, reads, rereads) => {
    expect(count(go(new Session()))).toMatchObject({ reads, rereads, commands: 0 });
  });
});

describe("commands that were run again", () => {
  test.each<[string, (session: Session) => Conversation, commands: number, reruns: number]>([
    ["two commands", (session) => session.run("npm test").run("npm run lint"), 2, 0],
    ["twice", (session) => session.run("npm test").run("npm test"), 2, 1],
    [
      "with reads and another between",
      (session) => session.run("npm test").read("a.ts").run("make").run("npm test"),
      3,
      1,
    ],
    ["the same question in other words", (session) => session.run("git status").run("git status -s"), 2, 1],
    ["after an edit", (session) => session.run("npm test").edit("a.ts").run("npm test"), 2, 0],
    [
      "after an edit that failed",
      (session) => session.run("npm test").edit("a.ts", NOT_FOUND).run("npm test"),
      2,
      1,
    ],
    ["after a commit", (session) => session.run("git log").run("git commit -m x").run("git log"), 3, 0],
    [
      "after an installation",
      (session) => session.run("npm test").run("npm install left-pad").run("npm test"),
      3,
      0,
    ],
    [
      "after an unknown tool",
      (session) => session.run("npm test").call("deploy", {}, "ok").run("npm test"),
      2,
      0,
    ],
    [
      "after a person spoke",
      (session) =>
        session.run("npm test").answer("Red.").say("Try now.").call("bash", { command: "npm test" }, "ok"),
      2,
      0,
    ],
    [
      "waiting for something",
      (session) => session.run("sleep 9; curl -s localhost").run("sleep 9; curl -s localhost"),
      2,
      0,
    ],
  ])("%s", (_, go, commands, reruns) => {
    expect(count(go(new Session()))).toMatchObject({ commands, reruns });
  });
});

test("requests, prompts and recalls", () => {
  const session = new Session().read("a.ts").call("context_recall", { ref: "a1b2c3" }, file).answer("Done.");
  session.say("And the other one.").say("Both, I mean.").call("context_info", {}, "…");
  expect(count(session)).toMatchObject({ requests: 5, prompts: 2, recalls: 1 });
});

describe("messages that a compaction kept count only once", () => {
  const make = () => new Session().read("a.ts").run("npm test").edit("a.ts", NOT_FOUND);

  test.each<[string, Session, carried: number, Partial<WorkCounts>]>([
    ["one step", make(), 3, { requests: 3, prompts: 0, reads: 0, commands: 1, edits: 1, missedEdits: 1 }],
    ["two steps", make(), 5, { requests: 2, prompts: 0, reads: 0, commands: 0, edits: 1, missedEdits: 1 }],
    ["and a prompt after them", make().say("Go on."), 7, { requests: 1, prompts: 1, reads: 0, edits: 0 }],
  ])("%s", (_, session, carried, expected) => {
    const { messages, meta } = session;
    const { report } = createPruner().prune([...messages], { meta: [...meta], carried });
    const counts = addWork(measureWork(toRecording(session.answer("Done."), carried)));
    expect(counts).toMatchObject(expected);
    expect(report.work.session).toEqual(counts);
  });
});

test("the pruner's report has the same figures, for the newest request and for all of them", () => {
  const session = new Session()
    .read("a.ts")
    .read("a.ts")
    .run("npm test")
    .edit("a.ts", NOT_FOUND)
    .run("npm test");
  const pruner = createPruner();
  for (let end = 1; end <= session.messages.length; end += 2) {
    const { report } = pruner.prune(session.messages.slice(0, end), { meta: session.meta.slice(0, end) });
    const cut = new Conversation();
    cut.messages.splice(0, 1, ...session.messages.slice(0, end), { role: "assistant", content: "?" });
    const counts = measureWork(toRecording(cut));
    expect(report.work).toEqual({ newest: counts.at(-1), session: addWork(counts) });
  }
  const { report } = createPruner().prune(session.messages, { meta: session.meta });
  expect(report.work.session).toMatchObject({ requests: 6, edits: 1, missedEdits: 1, rereads: 1, reruns: 1 });
  const back = pruner.prune(session.messages.slice(0, 5), { meta: session.meta.slice(0, 5) }).report;
  expect(back.work.session).toMatchObject({ requests: 3, reads: 2, rereads: 1, commands: 0 });
});
