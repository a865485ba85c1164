import { describe, expect, test } from "vitest";
import { createPruner, type PrunerOptions } from "../../../src/pruner.ts";
import { shrinkInput } from "../../../src/strategies/replacing/shrink-input.ts";
import { Conversation, textOf } from "../../conversation.ts";
import { play } from "../../play.ts";

const long = textOf(300);
const short = textOf(50);

describe("the texts of an input that are cut", () => {
  test.each<[string, string, unknown, readonly string[]]>([
    ["content goes, the path stays", "write", { filePath: "a.ts", content: long }, ["input/content"]],
    ["a small input stays", "write", { filePath: "a.ts", content: short }, []],
    [
      "many small texts are a large input",
      "multi_edit",
      { filePath: "a.ts", edits: Array(3).fill({ old: short, new: short }) },
      [
        "input/edits/0/old",
        "input/edits/0/new",
        "input/edits/1/old",
        "input/edits/1/new",
        "input/edits/2/old",
        "input/edits/2/new",
      ],
    ],
    [
      "short texts beside stay",
      "edit",
      { filePath: "a.ts", oldString: "x", newString: long, mode: "all" },
      ["input/newString"],
    ],
    ["what identifies stays, however long", "bash", { command: long, description: "run" }, []],
    [
      "a patch says itself which files it is about",
      "apply_patch",
      { input: `*** Begin Patch\n*** Update File: a.ts\n${long}` },
      [],
    ],
    ["so does a plain text", "apply_patch", long, []],
  ])("%s", (_, tool, input, expected) => {
    const { facts, deltas } = play([[[tool, input]]]);
    const fact = deltas[0]?.completed[0];
    if (!fact) throw new Error("the call was not completed");
    const proposal = shrinkInput(facts, fact, "test");
    expect(proposal?.spans.map(({ leaf }) => leaf).sort() ?? []).toEqual([...expected].sort());
  });
});

describe("a superseded write", () => {
  const written = (extra: object = {}) => {
    const conversation = new Conversation()
      .call("write", { filePath: "a.ts", content: long }, "Wrote file successfully.")
      .call("read", { filePath: "a.ts" }, textOf(300, 1));
    const [call] = (conversation.messages[1] as { tool_calls: object[] }).tool_calls;
    Object.assign(call ?? {}, extra);
    return conversation.messages;
  };
  const inputOf = (messages: readonly unknown[], aggressivePruning: object): unknown => {
    const config = {
      schedule: { mode: "eager" },
      strategies: { aggressivePruning },
    } as NonNullable<PrunerOptions["config"]>;
    const pruned = createPruner({ config }).prune(messages);
    const message = pruned.messages[1] as { tool_calls: { function: { arguments: string } }[] };
    return JSON.parse(message.tool_calls[0]?.function.arguments ?? "");
  };

  test("keeps its path, and no marker replaces the content", () => {
    expect(inputOf(written(), {})).toEqual({ filePath: "a.ts", content: "" });
  });

  test("keeps all of it if the flag is off, or if no pass makes it stale", () => {
    const whole = { filePath: "a.ts", content: long };
    expect(inputOf(written(), { pruneToolInputs: false })).toEqual(whole);
    expect(inputOf(written(), { aggressiveFilePrune: false })).toEqual(whole);
  });

  test("keeps all of it if the call is signed", () => {
    const signed = written({ extra_content: { google: { thought_signature: "c2lnbmVk" } } });
    expect(inputOf(signed, {})).toEqual({ filePath: "a.ts", content: long });
  });
});
