import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { CutPlan } from "../../src/edits/cut-plan.ts";
import { createPruner } from "../../src/pruner.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import {
  type PrunedFile,
  type PruneFileOptions,
  pruneRecordingText,
} from "../../src/recordings/prune-file.ts";
import { parseRestoreFile, restoreRecordingText } from "../../src/recordings/restore-file.ts";
import type { Pass } from "../../src/strategies/strategy.ts";
import type { Leaf, Part } from "../../src/transcript/part.ts";
import { mustRead, toLines } from "./parse.ts";
import { content, samples } from "./samples.ts";

const all = Object.entries(samples).flatMap(([source, texts]) =>
  texts.map((text, index) => ({ name: `${source} ${index + 1}`, source, text })),
);

function prune(text: string, options?: PruneFileOptions): PrunedFile {
  const result = pruneRecordingText(text, options);
  if (!result.ok) throw new Error(result.issue.message);
  return result.value;
}

/** A pass that plans the cuts of `choose` for each new part. */
function passOver(choose: (part: Part, index: number) => CutPlan | undefined): Pass {
  return {
    name: "for-the-test",
    mayReplace: {},
    propose: ({ from, to }, { transcript }) =>
      transcript.parts.slice(from, to).flatMap((part, offset) => choose(part, from + offset) ?? []),
    restores: () => [],
  };
}

function replaceIn(
  part: number,
  leaf: Leaf | undefined,
  span: [number, number],
  text: string,
): CutPlan | undefined {
  if (!leaf) return undefined;
  const [from, to] = span;
  return { part, spans: [{ leaf: leaf.id, from, to, render: () => text }], reason: "for the test" };
}

const restore = ({ text, restoreFile }: PrunedFile) => restoreRecordingText(text, restoreFile);

describe.each(all)("a pruned $name", ({ source, text }) => {
  const pruned = prune(text);

  it("is smaller, is read alike, and comes back byte for byte", () => {
    expect(pruned.report).toMatchObject({ source, left: 0 });
    expect(pruned.report.cuts).toBeGreaterThan(0);
    expect(pruned.report.saved).toBeGreaterThan(0);
    expect(pruned.report.characters).toEqual({ before: text.length, after: pruned.text.length });
    expect(pruned.text.length).toBeLessThan(text.length);
    const [before, after] = [mustRead(parseRecording(text)), mustRead(parseRecording(pruned.text))];
    expect(after.source).toBe(before.source);
    expect(after.segments.map(({ messages }) => messages.length)).toEqual(
      before.segments.map(({ messages }) => messages.length),
    );
    expect(restore(pruned)).toEqual({ ok: true, value: text });
  });

  it("keeps the newer reading, and all bytes around the older one", () => {
    const literal = JSON.stringify(content);
    const first = pruned.restoreFile.splices[0];
    expect(pruned.text).toContain(literal);
    expect(first?.was).toBe(literal);
    expect(pruned.text.slice(0, first?.at)).toBe(text.slice(0, first?.at));
  });

  it("gives the original text for a ref", () => {
    for (const { ref, text: shown, original, reason } of pruned.restoreFile.edits) {
      expect(shown).toContain(ref);
      expect(pruned.text).toContain(JSON.stringify(shown).slice(1, -1));
      expect(original).toBe(content);
      expect(reason).not.toBe("");
    }
  });

  it("comes back with a restore file from JSON", () => {
    const restoreFile = parseRestoreFile(JSON.stringify(pruned.restoreFile));
    expect(restoreFile).toEqual({ ok: true, value: pruned.restoreFile });
  });

  it("does not change when pruned again", () => {
    const again = prune(pruned.text);
    expect(again.text).toBe(pruned.text);
    expect(again.restoreFile.splices).toEqual([]);
  });

  it("survives other line ends, a byte order mark and a missing newline", () => {
    for (const other of [`\uFEFF${text}`, text.replaceAll("\n", "\r\n"), `${text}\n\n`]) {
      const result = prune(other);
      expect(result.restoreFile.splices.length).toBe(pruned.restoreFile.splices.length);
      expect(restore(result)).toEqual({ ok: true, value: other });
    }
  });

  it("is not the original of another file", () => {
    expect(restoreRecordingText(`${pruned.text.slice(0, -1)} `, pruned.restoreFile)).toMatchObject({
      ok: false,
      issue: { code: "restore-file-mismatch" },
    });
  });
});

describe("pruneRecordingText", () => {
  const lines = (...records: unknown[]) => toLines(records);
  const read = (id: string, args: string) => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id, type: "function", function: { name: "read", arguments: args } }],
  });
  const result = (id: string, text: string, more?: object) => ({
    role: "tool",
    tool_call_id: id,
    content: text,
    ...more,
  });
  const user = { role: "user", content: "go on and read the file" };
  const done = { role: "assistant", content: "done" };

  it("leaves untouched lines unchanged, in any spelling", () => {
    const odd =
      '{ "role" : "user",  "content":"gr\\u00fc\\u00dfe \\/ \\ud83d\\ude00 of the user, to be kept as they are" , "n": 1.0e+2 }';
    const text = `${odd}\n${lines(read("a", '{"path":"a.ts"}'), result("a", content), read("b", '{"path":"a.ts"}'), result("b", content), done)}`;
    const pruned = prune(text);
    expect(pruned.report.cuts).toBe(1);
    expect(pruned.text.split("\n")[0]).toBe(odd);
    const changed = pruned.text.split("\n").filter((line, index) => line !== text.split("\n")[index]);
    expect(changed).toHaveLength(1);
    expect(restore(pruned)).toEqual({ ok: true, value: text });
  });

  it("cuts inside of arguments that are JSON in a string", () => {
    const write = (id: string) => ({
      ...read(id, ""),
      tool_calls: [
        {
          id,
          type: "function",
          function: { name: "take_note", arguments: JSON.stringify({ path: "a.ts", content }, null, 1) },
        },
      ],
    });
    const text = lines(user, write("a"), result("a", "ok"), write("b"), result("b", "ok"), done);
    const cutInput = passOver(({ kind, leaves }, part) => {
      const leaf = kind === "call" ? leaves.find(({ id }) => id === "input/content") : undefined;
      return replaceIn(part, leaf, [10, content.length - 10], "…");
    });
    const pruned = prune(text, { passes: [cutInput] });
    expect(pruned.report.cuts).toBeGreaterThan(0);
    const message = JSON.parse(pruned.text.split("\n")[1] ?? "");
    const args = message.tool_calls[0].function.arguments;
    expect(JSON.parse(args)).toEqual({
      path: "a.ts",
      content: `${content.slice(0, 10)}…${content.slice(-10)}`,
    });
    expect(args.startsWith('{\n "path": "a.ts"')).toBe(true);
    expect(restore(pruned)).toEqual({ ok: true, value: text });
  });

  it("puts a cut of a rendered text into the original string", () => {
    const failed = (call_id: string) => ({
      role: "user",
      tool_result: { call_id, result: "", error: content },
    });
    const ask = (input_messages: object[], ...ids: string[]) => ({
      input_messages,
      response: {
        tool_calls: ids.map((call_id) => ({ call_id, name: "read", arguments: { path: "a.ts" } })),
      },
    });
    const text = JSON.stringify({
      llm_interactions: [ask([user], "a"), ask([failed("a")], "b"), ask([failed("b")])],
      agent_steps: [],
    });
    const pruned = prune(text);
    expect(pruned.report).toMatchObject({ cuts: 1, left: 0 });
    expect(pruned.restoreFile.edits[0]?.original).toBe(content);
    expect(restore(pruned)).toEqual({ ok: true, value: text });
  });

  it("changes copies in the same record, and none that another message is made of", () => {
    const both = {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content },
        { type: "tool_result", tool_use_id: "b", content },
      ],
      copy: content,
    };
    const call = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: "a.ts" } });
    const text = JSON.stringify([
      user,
      { role: "assistant", content: [call("a"), call("b")] },
      both,
      { role: "assistant", content: [{ type: "text", text: "done" }] },
      { role: "user", content: "thanks", elsewhere: content },
    ]);
    const cutFirst = passOver((part, index) =>
      part.kind === "result" && part.callId === "a"
        ? replaceIn(index, part.leaves[0], [0, content.length], "gone")
        : undefined,
    );
    const pruned = prune(text, { passes: [cutFirst] });
    expect(pruned.report.cuts).toBe(1);
    const after = JSON.parse(pruned.text);
    expect(after[2].content.map((block: { content: string }) => block.content === content)).toEqual([
      false,
      true,
    ]);
    expect(after[2].copy).toBe(after[2].content[0].content);
    expect(after[4].elsewhere).toBe(content);
    expect(restore(pruned)).toEqual({ ok: true, value: text });
  });

  it("makes no cut in a string that a compaction kept, and that nothing has made stale since", () => {
    const [text = ""] = samples["claude-code"];
    const compacted = `${text}\n${lines(
      {
        type: "system",
        subtype: "compact_boundary",
        uuid: "c",
        parentUuid: null,
        compactMetadata: { preservedMessages: { uuids: ["u1", "u2"] } },
      },
      {
        type: "user",
        uuid: "s",
        parentUuid: "c",
        isCompactSummary: true,
        message: { role: "user", content: "so far" },
      },
    )}`;
    expect(mustRead(parseRecording(compacted)).segments.map(({ carried }) => carried)).toEqual([0, 3]);
    const config: PruneFileOptions["config"] = { strategies: { aggressivePruning: { pruneRereads: false } } };
    expect(prune(text, { config }).report.cuts).toBe(1);
    expect(prune(compacted, { config })).toMatchObject({ text: compacted, report: { cuts: 0 } });
  });

  it("drops nothing", () => {
    const dropAll = passOver(({ kind }, part) =>
      kind === "call" ? { part, drop: true, reason: "for the test" } : undefined,
    );
    const [text = ""] = samples.pi;
    const [segment] = mustRead(parseRecording(text)).segments;
    const live = createPruner({ passes: [dropAll], config: { schedule: { mode: "eager" } } });
    expect(live.prune(segment?.messages ?? []).messages.length).toBeLessThan(segment?.messages.length ?? 0);
    expect(prune(text, { passes: [dropAll] }).text).toBe(text);
  });

  it.each(all)("never leaves a message of $name empty", ({ text }) => {
    const emptyAll = passOver(({ kind, leaves: [leaf] }, part) =>
      kind === "result" ? replaceIn(part, leaf, [0, leaf?.text.length ?? 0], "") : undefined,
    );
    const pruned = prune(text, { passes: [emptyAll] });
    expect(pruned.report.cuts).toBeGreaterThan(1);
    const { segments } = mustRead(parseRecording(pruned.text));
    expect(JSON.stringify(segments)).not.toContain(JSON.stringify(content));
    expect(restore(pruned)).toEqual({ ok: true, value: text });
  });

  it.each([{ shadow: true }, { enabled: false }])("changes nothing with %j", (config) => {
    const [text = ""] = samples.pi;
    expect(prune(text, { config })).toMatchObject({ text, report: { cuts: 0, saved: 0 } });
  });

  it.each([
    { name: "an empty file", text: "", code: "empty-input" },
    { name: "blanks", text: " \n ", code: "empty-input" },
    { name: "prose", text: "dear diary", code: "not-a-recording" },
    {
      name: "a document that is cut off",
      text: samples.moatless[0]?.slice(0, 500) ?? "",
      code: "unreadable-input",
    },
    {
      name: "an export that is cut off",
      text: samples.opencode[0]?.slice(0, 900) ?? "",
      code: "unreadable-input",
    },
  ])("reports the problem with $name", ({ text, code }) => {
    expect(pruneRecordingText(text, { name: "f" })).toMatchObject({ ok: false, issue: { code, where: "f" } });
  });

  test("a file that was cut off anywhere comes back, or gives an issue", () => {
    const sample = fc.constantFrom(...all.map(({ text }) => text));
    fc.assert(
      fc.property(sample, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const cut = text.slice(0, Math.floor(text.length * share));
        const result = pruneRecordingText(cut);
        expect(result.ok ? restore(result.value) : result.issue.message).toEqual(
          result.ok ? { ok: true, value: cut } : expect.stringMatching(/./),
        );
      }),
      { numRuns: 60 },
    );
  });
});
