import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parsePi } from "../../src/recordings/pi.ts";
import { pruneRecordingText } from "../../src/recordings/prune-file.ts";
import { findFaults, read } from "./legality.ts";
import { codesOf, mustRead, toLines } from "./parse.ts";

const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);
const header = { type: "session", version: 3, id: "s1", cwd: "/w" };
const entry = (id: string, parentId: string | null, more: object, second = 0) => ({
  id,
  parentId,
  timestamp: new Date(at(second)).toISOString(),
  ...more,
});
const message = (role: string, content: unknown, more?: object) => ({
  type: "message",
  message: { role, content, ...more },
});
const text = (words: string) => ({ type: "text", text: words });
const said = (words: string) => message("user", [text(words)]);
const answered = (...content: object[]) => message("assistant", content, { model: "m1", stopReason: "stop" });
const call = (id: string) => ({ type: "toolCall", id, name: "bash", arguments: { command: "ls" } });
const output = (id: string, more?: object) =>
  message("toolResult", [text(`output of ${id}`)], { toolCallId: id, isError: false, ...more });

const use = (id: string) => ({ type: "tool_use", id, name: "bash", input: { command: "ls" } });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: [text(`output of ${id}`)] });

const parse = (...records: unknown[]) => mustRead(parsePi(toLines(records), "f"));
/** Consecutive entries. */
const chain = (...entries: object[]) =>
  entries.map((each, index) => entry(`e${index}`, index === 0 ? null : `e${index - 1}`, each, index));
const messages = (...entries: object[]) => read(parse(header, ...chain(...entries)).segments[0]);

describe("parsePi", () => {
  it("reads a session with its id, models, times and usage", () => {
    const usage = { input: 3, output: 9, cacheRead: 40, cacheWrite: 5, totalTokens: 57 };
    const recording = parse(
      header,
      ...chain(
        { type: "model_change", modelId: "m1" },
        said("go"),
        message(
          "assistant",
          [{ type: "thinking", thinking: "hm", thinkingSignature: "s" }, call("t1"), call("t2")],
          {
            model: "m1",
            stopReason: "toolUse",
            usage,
          },
        ),
        output("t2"),
        output("t1", { isError: true }),
        said("well?"),
      ),
    );
    expect(recording).toMatchObject({
      source: "pi",
      format: "anthropic-messages",
      session: "s1",
      models: ["m1"],
    });
    expect(recording.segments[0]).toEqual({
      messages: [
        { role: "user", content: [text("go")] },
        {
          role: "assistant",
          content: [{ type: "thinking", thinking: "hm", signature: "s" }, use("t1"), use("t2")],
        },
        { role: "user", content: [{ ...result("t1"), is_error: true }, result("t2"), text("well?")] },
      ],
      meta: [
        { time: at(1) },
        { time: at(2), model: "m1", usage: { input: 3, cacheRead: 40, cacheWrite: 5, output: 9 } },
        { time: at(5) },
      ],
      carried: 0,
    });
  });

  it("marks the results that oh-my-pi has pruned itself: they are left alone", () => {
    const written = (more: object) => [
      said("go"),
      answered(call("t1")),
      message("toolResult", [text("a\n".repeat(900))], { toolCallId: "t1", isError: false, ...more }),
      answered(call("t2")),
      message("toolResult", [text("b\n".repeat(900))], { toolCallId: "t2", isError: false }),
      said("more"),
    ];
    const metaOf = (more: object) => parse(header, ...chain(...written(more))).segments[0]?.meta[2];
    expect(metaOf({ prunedAt: 5 })).toMatchObject({ cleared: ["t1"] });
    expect(metaOf({})).not.toHaveProperty("cleared");
    const cutsOf = (more: object) => {
      const file = [header, ...chain(...written(more))].map((record) => JSON.stringify(record)).join("\n");
      const pruned = pruneRecordingText(file, {
        config: { strategies: { pruneProtect: 10, pruneMinimum: 0 } },
      });
      return pruned.ok ? pruned.value.restoreFile.edits.length : -1;
    };
    expect(cutsOf({})).toBe(1);
    expect(cutsOf({ prunedAt: 5 })).toBe(0);
  });

  it("gets no `prunedAt` in a pruned file: only strings change there", () => {
    const records = [
      header,
      ...chain(
        said("go"),
        answered(call("t1")),
        message("toolResult", [text("a\n".repeat(900))], { toolCallId: "t1", isError: false }),
        answered(call("t2")),
        message("toolResult", [text("b\n".repeat(900))], { toolCallId: "t2", isError: false }),
        said("more"),
      ),
    ];
    const lines = records.map((record) => JSON.stringify(record));
    const pruned = pruneRecordingText(lines.join("\n"), {
      config: { strategies: { pruneProtect: 10, pruneMinimum: 0 } },
    });
    if (!pruned.ok) throw new Error(pruned.issue.message);
    const written = pruned.value.text.split("\n");
    const changed = lines.flatMap((line, i) => (line === written[i] ? [] : [i]));
    expect(changed).toHaveLength(1);
    const withoutTexts = (line = "") => line.replace(/"text":"[^"]*"/, "");
    for (const i of changed) expect(withoutTexts(written[i])).toBe(withoutTexts(lines[i]));
  });

  it("reads everything that is sent to the model, and only that", () => {
    expect(
      messages(
        message("user", "a string"),
        message("bashExecution", undefined, { command: "ls", output: "a.ts", exitCode: 0 }),
        message("bashExecution", undefined, { command: "nope", output: "", exitCode: 127 }),
        message("bashExecution", undefined, { command: "secret", output: "x", excludeFromContext: true }),
        { type: "custom_message", customType: "x", content: "from an extension" },
        { type: "custom", customType: "x", data: "state" },
        { type: "branch_summary", summary: "another way" },
        { type: "label", label: "here" },
        message("user", [{ type: "image", mimeType: "image/png", data: "AA" }]),
        message("assistant", [call("aborted")], { stopReason: "aborted" }),
        message("assistant", [], { stopReason: "error" }),
        answered(
          { type: "thinking", thinking: "", thinkingSignature: "s", redacted: true },
          text(""),
          text("done"),
        ),
        message("user", [text(" ")]),
      ),
    ).toEqual([
      {
        role: "user",
        content: [
          text("a string"),
          text("$ ls\na.ts"),
          text("$ nope\n\n[exit code 127]"),
          text("from an extension"),
          text("<summary>\nanother way\n</summary>"),
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } },
        ],
      },
      { role: "assistant", content: [{ type: "redacted_thinking", data: "s" }, text("done")] },
    ]);
  });

  describe("follows the branch of the last entry", () => {
    const words = (...records: unknown[]) => JSON.stringify(parse(header, ...records).segments);
    it("and not the others", () => {
      const told = words(
        entry("1", null, said("go")),
        entry("2", "1", answered(text("first way"))),
        entry("3", "2", said("wrong way")),
        entry("4", "2", said("right way")),
      );
      expect(told).toContain("right way");
      expect(told).not.toContain("wrong way");
    });

    it("from the root on, if the user started again", () => {
      const told = words(entry("1", null, said("wrong way")), entry("2", null, said("right way")));
      expect(told).toContain("right way");
      expect(told).not.toContain("wrong way");
    });

    it("over a link that was lost with its line", () => {
      const told = words(
        entry("1", null, said("go")),
        entry("2", "1", answered(text("yes"))),
        "{broken",
        entry("4", "3", said("and?")),
      );
      expect(told).toContain("go");
      expect(told).toContain("and?");
    });

    it("and ends if links form a circle", () => {
      const told = words(
        entry("1", "3", said("one")),
        entry("2", "1", said("two")),
        entry("3", "2", said("three")),
      );
      expect(told).toContain("one");
    });
  });

  describe("after a compaction", () => {
    const before = [said("go"), answered(text("one")), said("more"), answered(call("t1")), output("t1")];
    const after = [answered(text("on")), said("and?")];

    it.each([
      {
        name: "by id",
        compaction: { type: "compaction", summary: "so far", firstKeptEntryId: "e2" },
        first: header,
      },
      {
        name: "by index, in version 1",
        compaction: { type: "compaction", summary: "so far", firstKeptEntryIndex: 3 },
        first: header,
      },
    ])("starts a segment with the summary and the kept tail, named $name", ({ compaction, first }) => {
      const linked = chain(...before, compaction, ...after);
      const entries =
        "firstKeptEntryIndex" in compaction ? linked.map(({ id: _, parentId: __, ...rest }) => rest) : linked;
      const { segments } = parse(first, ...entries);
      expect(segments.map(({ carried }) => carried)).toEqual([0, 3]);
      expect(segments[1]?.messages).toEqual([
        { role: "user", content: [text("<summary>\nso far\n</summary>"), text("more")] },
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [result("t1")] },
        { role: "assistant", content: [text("on")] },
        { role: "user", content: [text("and?")] },
      ]);
    });

    it("starts with the summary alone if nothing was kept", () => {
      const { segments } = parse(
        header,
        ...chain(...before, { type: "compaction", summary: "so far", firstKeptEntryId: "gone" }, ...after),
      );
      expect(segments[1]?.messages[0]).toEqual({ role: "user", content: "<summary>\nso far\n</summary>" });
      expect(segments[1]?.carried).toBe(1);
    });
  });

  it("replaces a missing result once, although the call was kept over a compaction", () => {
    const compaction = { type: "compaction", summary: "so far", firstKeptEntryId: "e1" };
    const recording = parse(
      header,
      ...chain(said("go"), answered(call("t1")), output("t9"), compaction, answered(text("on"))),
    );
    expect(recording.segments).toHaveLength(2);
    expect(findFaults(recording)).toEqual([]);
    expect(codesOf(recording)).toEqual(["result-without-call", "call-without-result"]);
  });

  test("a provider accepts any session", () => {
    const id = fc.constantFrom("t1", "t2", "t3");
    const block = fc.oneof(
      id.map(call),
      fc.constantFrom("", "words").map(text),
      fc.constant({ type: "thinking", thinking: "hm" }),
    );
    const each = fc.oneof(
      fc.array(block).map((blocks) => answered(...blocks)),
      id.map((name) => output(name)),
      fc.constantFrom("", "a prompt").map(said),
      fc.nat({ max: 9 }).map((n) => ({ type: "compaction", summary: "so far", firstKeptEntryId: `e${n}` })),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(each, fc.nat({ max: 2 }))), (entries) => {
        const records = entries.map(([record, back], index) =>
          entry(`e${index}`, index > back ? `e${index - 1 - back}` : null, record),
        );
        expect(findFaults(parse(header, ...records))).toEqual([]);
      }),
    );
  });
});
