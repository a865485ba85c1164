import * as core from "@langchain/core/messages";
import { pruneMessages } from "ai";
import { contextEditingMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { prunesMessages } from "../../../bench/economics/peers/ai-sdk.ts";
import { editsContext, trimsMessages } from "../../../bench/economics/peers/langchain.ts";
import { askLibrary, type Peer } from "../../../bench/economics/peers/library-policy.ts";
import { splitUnits } from "../../../bench/economics/peers/units.ts";
import { formatByName } from "../../../src/formats/detect.ts";
import type { Recording } from "../../../src/recordings/recording.ts";
import { replayRecording } from "../../../src/replay/replay.ts";
import { answer, call, makeRecording, result, tokens, user } from "../make-recording.ts";

async function viewsOf(recording: Recording, peer: Peer) {
  const policy = await askLibrary("peer", recording, peer);
  return replayRecording(recording, policy).requests.map(({ view }) => view);
}

/** `count` calls with results of 1000 tokens and of 40,000 characters. */
function makeSession(count: number, length = 1000): Recording {
  const steps = Array.from({ length: count }, (_, i) => [
    call(`c${i}`, "shell", { command: `run ${i}` }, `step ${i}`),
    result(`c${i}`, tokens(length)),
  ]);
  return makeRecording([user("go"), ...steps.flat(), answer("done")]);
}

function contentsOf(view: readonly unknown[] | undefined): readonly unknown[] {
  return (view ?? []).map((message) => (message as { readonly content: unknown }).content);
}

describe("the AI SDK's pruneMessages", () => {
  test("removes calls with their results, and leaves other text", async () => {
    const views = await viewsOf(
      makeSession(3),
      prunesMessages(pruneMessages, { toolCalls: "before-last-2-messages" }),
    );
    expect(contentsOf(views.at(-1))).toEqual(["go", "step 0", "step 1", "step 2", tokens(1000)]);
    expect(views.at(-1)?.map((message) => "tool_calls" in (message as object))).toEqual([
      ...[false, false, false, true, false],
    ]);
  });

  test("changes nothing by default", async () => {
    const recording = makeSession(3);
    const views = await viewsOf(recording, prunesMessages(pruneMessages, {}));
    expect(views.at(-1)).toEqual(recording.segments[0]?.messages.slice(0, -1));
  });

  test("distinguishes calls with the same id", async () => {
    const twice = [call("c", "shell", { command: "a" }), result("c", "first")];
    const again = [call("c", "shell", { command: "b" }), result("c", "second")];
    const recording = makeRecording([user("go"), ...twice, ...again, answer("done")]);
    const views = await viewsOf(
      recording,
      prunesMessages(pruneMessages, { toolCalls: "before-last-message" }),
    );
    expect(contentsOf(views.at(-1))).toEqual(["go", null, "second"]);
  });
});

describe("LangChain's context editing", () => {
  // It counts four characters as a token: 40,000 are 10,000.
  const recording = makeSession(20, 40_000);

  test("clears all but three when it reaches 100,000 tokens, and not again before it has grown as much", async () => {
    const views = await viewsOf(recording, editsContext(core, contextEditingMiddleware));
    const cleared = views.map((view) => contentsOf(view).filter((content) => content === "[cleared]").length);
    expect(cleared.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(cleared.slice(10, 17)).toEqual(Array(7).fill(7));
    expect(cleared[17]).toBe(14);
  });
});

describe("LangChain's trimMessages", () => {
  test("keeps the last messages that fit, and begins with none that lost its call", async () => {
    const views = await viewsOf(makeSession(5), trimsMessages(core, 2_500));
    expect(views.map((view) => view.length)).toEqual([1, 3, 5, 4, 4, 4]);
    expect(contentsOf(views.at(-1))).toEqual(["step 3", tokens(1000), "step 4", tokens(1000)]);
  });
});

describe("units", () => {
  test("results are separated from the text around them, in order", () => {
    const format = formatByName("anthropic-messages");
    const decoded = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "both" },
          { type: "tool_use", id: "a", name: "read", input: {} },
          { type: "tool_use", id: "b", name: "read", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "1" },
          { type: "tool_result", tool_use_id: "b", content: "2" },
          { type: "text", text: "and now" },
        ],
      },
    ].map((message) => format.decode(message));
    expect(splitUnits(decoded).map(({ role, message, parts }) => [role, message, parts.length])).toEqual([
      ["user", 0, 1],
      ["assistant", 1, 3],
      ["tool", 2, 1],
      ["tool", 2, 1],
      ["user", 2, 1],
    ]);
  });
});
