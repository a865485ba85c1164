import { expect, test } from "vitest";
import type { PruneNotification } from "../../src/config/config.ts";
import type { Cut, Edit, ReplaceEdit } from "../../src/edits/edit.ts";
import { createPruner } from "../../src/pruner.ts";
import { formatNotice, type NoticeOptions } from "../../src/reports/notice.ts";
import { Conversation, textOf } from "../conversation.ts";
import { makeCut } from "./make-cut.ts";

const notice = (edits: readonly Edit[], mode: PruneNotification, options?: NoticeOptions) =>
  formatNotice({ cut: { reason: "rent-paid", edits, message: 0 } }, mode, options);

test("one line in the given form", () => {
  const edits = [
    makeCut("result:c1#1", 10_000),
    makeCut("result:c2#1", 1_400),
    makeCut("result:c3#1", 1_000),
    makeCut("reasoning:in:call:c3#1#1", 2_000),
  ];
  expect(notice(edits, "minimal")).toBe("「 ⚙️ 3(12.4K) ▼ · 🧠 1(2.0K) ▼ 」");
});

test.each<[string, readonly Cut[], string]>([
  ["messages have an icon of their own", [makeCut("text:abc#1", 500)], "「 💬 1(500) ▼ 」"],
  [
    "tools, messages, reasoning: in this order",
    [makeCut("reasoning:x#1", 1), makeCut("file:x#1", 1), makeCut("call:x#1", 1)],
    "「 ⚙️ 1(1) ▼ · 💬 1(1) ▼ · 🧠 1(1) ▼ 」",
  ],
  [
    "a call and its result are one, whatever was cut of them",
    [makeCut("result:c1#1", 100), makeCut("call:c1#1", 50), makeCut("result:c1#1", 20)],
    "「 ⚙️ 1(170) ▼ 」",
  ],
  [
    "two calls with one id are two",
    [makeCut("result:c1#1", 100), makeCut("result:c1#2", 100)],
    "「 ⚙️ 2(200) ▼ 」",
  ],
  [
    "a dropped group counts its calls",
    [
      makeCut("call:c1#1", 900, {
        parts: ["text:in:call:c1#1#1", "call:c1#1", "call:c2#1", "result:c1#1", "result:c2#1"],
      }),
    ],
    "「 ⚙️ 2(900) ▼ 」",
  ],
  [
    "dropped reasoning is reasoning",
    [makeCut("reasoning:in:call:c1#1#1", 70, { parts: ["reasoning:in:call:c1#1#1"] })],
    "「 🧠 1(70) ▼ 」",
  ],
])("%s", (_, edits, expected) => {
  expect(notice(edits, "minimal")).toBe(expected);
});

test("a lossless edit is not shown", () => {
  const thinned: Cut = { ...(makeCut("result:c1#1", 100) as ReplaceEdit), lossless: true };
  expect(notice([thinned], "detailed")).toBeUndefined();
  expect(notice([thinned, makeCut("result:c2#1", 500)], "minimal")).toBe("「 ⚙️ 1(500) ▼ 」");
});

test("detailed: a line for each, with ref and reason, up to a limit", () => {
  const [first, second] = [
    makeCut("result:c1#1", 12_400, { reason: "newer read of a.ts" }),
    makeCut("text:x#1", 50),
  ];
  expect(notice([first, second], "detailed")).toBe(
    [
      "「 ⚙️ 1(12.4K) ▼ · 💬 1(50) ▼ 」",
      `→ ${first.ref} newer read of a.ts (12.4K)`,
      `→ ${second.ref} superseded (50)`,
    ].join("\n"),
  );
  const many = Array.from({ length: 40 }, (_, i) => makeCut(`result:c${i}#1`, 10));
  const lines = notice(many, "detailed")?.split("\n");
  expect(lines).toHaveLength(32);
  expect(lines?.at(-1)).toBe("… and 10 more");
});

test("an undone cut is not counted", () => {
  const cut = makeCut("result:c1#1", 10);
  const undo: Edit = { type: "undo", target: cut.id, author: "agent", reason: "recalled", saved: 0 };
  expect(notice([cut, undo], "minimal")).toBe("「 ⚙️ 1(10) ▼ 」");
  expect(notice([undo], "detailed")).toBeUndefined();
});

test("off, or nothing cut: nothing", () => {
  expect(notice([makeCut("result:c1#1", 10)], "off")).toBeUndefined();
  expect(notice([], "detailed")).toBeUndefined();
  expect(formatNotice({ cut: undefined }, "minimal")).toBeUndefined();
});

test("a distilled summary is shown if requested, and nothing else is", () => {
  const distilled = makeCut("result:c1#1", 10, {
    author: "agent",
    mechanism: "distill",
    text: "Port 8080 is taken.",
  });
  const edits = [distilled, makeCut("result:c2#1", 10)];
  expect(notice(edits, "minimal")).not.toContain("8080");
  expect(notice(edits, "minimal", { showDistillation: true })).toBe("「 ⚙️ 2(20) ▼ 」\nPort 8080 is taken.");
});

test("of a real report: only at the request that made the cut", () => {
  const conversation = new Conversation()
    .call("bash", { command: "npm test" }, textOf(600))
    .call("bash", { command: "npm test" }, textOf(600, 1));
  const pruner = createPruner({ config: { schedule: { mode: "eager" } } });
  const { report } = pruner.prune(conversation.messages);
  expect(formatNotice(report, "minimal")).toMatch(/^「 ⚙️ 1\([\d.]+K?\) ▼ 」$/);
  const next = pruner.prune(conversation.call("bash", { command: "ls" }, "a").messages);
  expect(formatNotice(next.report, "minimal")).toBeUndefined();
});
