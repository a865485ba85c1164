import { describe, expect, test } from "vitest";
import type { FormatName } from "../../src/formats/format.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import {
  clearAtThreshold,
  clearToolUses,
  keepLastResults,
  rewriteAtThreshold,
} from "../../src/replay/peers.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import type { RecordingInfo, ReplayPolicy } from "../../src/replay/replay-policy.ts";
import type { Pass } from "../../src/strategies/strategy.ts";
import { answer, call, makeRecording, result, tokens, user } from "./make-recording.ts";

const LONG = "a result that is longer than any marker that stands for it, by far";

function start(policy: ReplayPolicy, format: FormatName = "openai-chat") {
  const info: RecordingInfo = { source: "codex", format, prices: {}, prefixTokens: 0, isRecorded: false };
  const decide = policy.start(info);
  return (messages: readonly unknown[], segment = 0) =>
    decide(messages, {
      index: 0,
      segment,
      carried: 0,
      meta: [],
      note: () => {},
      mark: () => {},
      addNote: () => {},
      report: () => {},
    });
}

function messagesOf(results: readonly string[]): readonly unknown[] {
  const lines = results.flatMap((text, i) => [call(`c${i}`, "shell", {}), result(`c${i}`, text)]);
  return [user("go"), ...lines].map(({ message }) => message);
}

function contentsOf(messages: readonly unknown[]): readonly unknown[] {
  return messages.flatMap((message) => {
    const { role, content } = message as { role: string; content: unknown };
    return role === "tool" ? [content] : [];
  });
}

const MARKER = expect.stringContaining("cleared");

describe("keepLastResults", () => {
  test("masks all results but the last", () => {
    const decide = start(keepLastResults(2));
    expect(contentsOf(decide(messagesOf([LONG, LONG, LONG, "end"])))).toEqual([MARKER, MARKER, LONG, "end"]);
    expect(contentsOf(decide(messagesOf([LONG])))).toEqual([LONG]);
  });

  test("leaves a result that is no longer than the marker", () => {
    expect(contentsOf(start(keepLastResults(1))(messagesOf(["ok", LONG, LONG])))).toEqual([
      "ok",
      MARKER,
      LONG,
    ]);
  });

  test("returns the same object again, and every other message unchanged", () => {
    const decide = start(keepLastResults(1));
    const messages = messagesOf([LONG, LONG, LONG]);
    const first = decide(messages.slice(0, 5));
    const second = decide(messages);
    expect(second[2]).toBe(first[2]);
    expect(second[2]).not.toBe(messages[2]);
    expect(second[1]).toBe(messages[1]);
    expect(second[6]).toBe(messages[6]);
  });

  test("masks part of a message that has several results", () => {
    const block = (id: string) => ({
      type: "tool_result",
      tool_use_id: id,
      content: [{ type: "text", text: LONG }],
    });
    const messages = [{ role: "user", content: [block("a"), block("b")] }];
    expect(start(keepLastResults(1), "anthropic-messages")(messages)).toEqual([
      { role: "user", content: [{ ...block("a"), content: [{ type: "text", text: MARKER }] }, block("b")] },
    ]);
  });
});

describe("clearAtThreshold", () => {
  // A call and its result have slightly more than the result's 100 tokens.
  const decide = () => start(clearAtThreshold({ tokens: 500, keep: 1 }));
  const texts = (count: number) => Array.from({ length: count }, () => tokens(100));

  test("does nothing up to the threshold", () => {
    const messages = messagesOf(texts(4));
    expect(decide()(messages)).toEqual(messages);
  });

  test("clears all but the last above it, and again only when it is reached again", () => {
    const view = decide();
    const counts = [4, 5, 6, 7, 8, 9].map((count) => {
      const contents = contentsOf(view(messagesOf(texts(count))));
      return contents.filter((content) => content !== tokens(100)).length;
    });
    expect(counts).toEqual([0, 4, 4, 4, 7, 7]);
  });

  test("starts again with a new history", () => {
    const view = decide();
    view(messagesOf(texts(5)), 0);
    expect(contentsOf(view(messagesOf(texts(3)), 1))).toEqual(texts(3));
  });
});

test("clearToolUses clears again at every request whose original is over the trigger", () => {
  const view = start(clearToolUses({ trigger: 500, keep: 1 }));
  const counts = [4, 5, 6, 7].map((count) => {
    const contents = contentsOf(view(messagesOf(Array.from({ length: count }, () => tokens(100)))));
    return contents.filter((content) => content !== tokens(100)).length;
  });
  expect(counts).toEqual([0, 4, 5, 6]);
  expect(clearToolUses().name).toBe("clear_tool_uses (100k, 3)");
});

test("rewriteAtThreshold continues with its result, until that is over the threshold again", () => {
  const halve = rewriteAtThreshold("halve", 500, (messages) => messages.slice(messages.length >> 1));
  const view = start(halve);
  const sizes = [4, 5, 6, 7, 8].map((count) => {
    const texts = Array.from({ length: count }, () => tokens(100));
    return contentsOf(view(messagesOf(texts))).length;
  });
  // Five results are over it: of eleven messages six are left, three of them results.
  expect(sizes).toEqual([4, 3, 4, 3, 4]);
  expect(contentsOf(view(messagesOf([LONG]), 1))).toEqual([LONG]);
});

test("rewriteAtThreshold does not repeat at once an attempt that did not help", () => {
  let calls = 0;
  const helpless = rewriteAtThreshold("helpless", 500, (messages) => {
    calls++;
    return messages;
  });
  const view = start(helpless);
  const counts = [5, 6, 7, 20, 21, 22, 23].map((count) => {
    view(messagesOf(Array.from({ length: count }, () => tokens(100))));
    return calls;
  });
  // From 5 on each result is more than a tenth of the rest; from 20 on two are not.
  expect(counts).toEqual([1, 2, 3, 4, 4, 4, 5]);
});

test("rewriteAtThreshold continues with the unchanged messages if the function fails", () => {
  const fails = rewriteAtThreshold("fails", 0, () => {
    throw new Error("no room");
  });
  const replay = replayRecording(makeRecording([user("go"), answer("done")]), fails);
  expect(replay).toMatchObject({
    share: 1,
    issues: expect.arrayContaining([expect.objectContaining({ message: "fails: no room" })]),
  });
});

describe("coppicePolicy", () => {
  const read = (id: string) => [
    call(id, "read", { path: "src/pricing.ts" }),
    result(id, `${id}${LONG}`.repeat(20)),
  ];
  const lines = [user("go"), ...read("a"), answer("hm"), user("again"), ...read("b"), answer("done")];
  const eager = coppicePolicy({ config: { schedule: { mode: "eager" } } }, "eager");

  test("is the engine: a repeated call leaves one result to send", () => {
    const replay = replayRecording(makeRecording(lines), eager);
    const unpruned = replayRecording(makeRecording(lines), coppicePolicy({ config: { enabled: false } }));
    expect(replay.policy).toBe("eager");
    expect(replay.peak).toBeLessThan(unpruned.peak);
    expect(replay).toMatchObject({ breaks: 1, illegal: 0 });
    expect(unpruned).toMatchObject({ share: 1, breaks: 0 });
  });

  test("uses the billed prices", () => {
    const everywhere = { "*": { write: 1, read: 1 } };
    const replay = replayRecording(makeRecording(lines), coppicePolicy(), { prices: everywhere });
    expect(replay.share).toBeLessThan(1);
    const own = coppicePolicy({ config: { schedule: { prices: { "*": { write: 20, read: 0.1 } } } } });
    expect(replayRecording(makeRecording(lines), own, { prices: everywhere }).share).toBe(1);
  });

  test.each(["claude-opus-4-8", "gpt-5.5"])("uses the billed cache: %s", (pricedAs) => {
    const named = lines.map((line) => ({ ...line, meta: { ...line.meta, model: "gemini-3-pro-preview" } }));
    const bills: number[] = [];
    const policy = coppicePolicy({}, "watched", ({ bill }) => bills.push(bill.newest.with));
    const { requests } = replayRecording(makeRecording(named), policy, {
      pricedAs,
      prefixTokens: 10_000,
    });
    expect(bills.map(Math.round)).toEqual(requests.map(({ bill }) => Math.round(bill)));
  });

  test("adds its own tokens to the bill", () => {
    const policy = coppicePolicy({ overheadTokens: 700 });
    const replay = replayRecording(makeRecording([user(tokens(96)), answer("done")]), policy, {
      prefixTokens: 100,
    });
    expect(replay.requests[0]?.tokens).toBe(100 + 700 + 100);
  });

  test("hides no failure of the engine", () => {
    const fails: Pass = {
      name: "fails",
      mayReplace: {},
      restores: () => [],
      propose: () => {
        throw new Error("no");
      },
    };
    const { issues } = replayRecording(makeRecording(lines), coppicePolicy({ passes: [fails] }));
    expect(issues.filter(({ code }) => code === "strategy-failed")).toHaveLength(4);
  });
});

test("policies do not see the recorded cache: it belongs to other requests", () => {
  const usage = { input: 500, cacheRead: 0, cacheWrite: 0, output: 5 };
  const seen: unknown[] = [];
  const watching: ReplayPolicy = {
    name: "watching",
    start:
      () =>
      (messages, { meta }) => {
        seen.push(...meta.map((each) => each?.usage));
        return messages;
      },
  };
  const lines = [
    user("go", 1),
    answer("one", { usage, model: "m" }),
    user("on", 2),
    answer("two", { usage }),
  ];
  const replay = replayRecording(makeRecording(lines), watching);
  expect(seen).toEqual([undefined, undefined, undefined, undefined]);
  expect(replay.requests[1]?.recorded).toMatchObject(usage);
});
