import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FormatName } from "../src/formats/format.ts";
import { createPruner, type PrunerOptions } from "../src/pruner.ts";
import { AgentSession } from "./agent/agent-session.ts";
import { Conversation, textOf } from "./conversation.ts";
import { render } from "./generate.ts";
import { askLaws, runLive } from "./laws.ts";
import { isCertain } from "./own-seed.ts";

/* A file that is read again while the context shows it. */

const ON = { strategies: { aggressivePruning: { pruneRereads: true, pruneLineNumbers: false } } } as const;

const LINES = Array.from({ length: 80 }, (_, i) => `const value${i} = compute(order, ${i});`);
const TEXT = LINES.join("\n");
const CHANGED = LINES.with(40, "const rate = applyRate(order);").join("\n");
const file = { file_path: "src/a.ts" };
const POINTER =
  /^\[unchanged since it was read \d+ steps? before \([0-9a-f]{6}\): see there · [0-9a-f]{6}\]$/;

const numbered = (text: string, first = 1) =>
  text
    .split("\n")
    .map((line, i) => `${String(first + i).padStart(6)}→${line}`)
    .join("\n");

/** Plays the session request by request; returns the results as they are in the last request. */
function play(conversation: Conversation, options: PrunerOptions = {}): readonly string[] {
  const { messages, meta } = conversation;
  const pruner = createPruner({ config: ON, ...options, format: "openai-chat" });
  let sent: readonly unknown[] = [];
  for (let end = 1; end <= messages.length; end++) {
    if ((messages[end - 1] as { role: string }).role === "assistant") continue;
    const pruned = pruner.prune(messages.slice(0, end), {
      meta: meta.slice(0, end),
      session: "s",
      model: "claude-sonnet-4-5",
    });
    expect(pruned.report.issues).toEqual([]);
    sent = pruned.messages;
  }
  return sent.flatMap((message) => {
    const { role, content } = message as { role: string; content: unknown };
    return role === "tool" ? [String(content)] : [];
  });
}

function go(conversation: Conversation, steps: number): Conversation {
  for (let i = 0; i < steps; i++)
    conversation.call("bash", { command: `echo ${conversation.messages.length}` }, "ok");
  return conversation;
}

const read = (text = TEXT) => go(new Conversation().call("Read", file, text), 2);

describe("an unchanged file", () => {
  test.each<[string, Conversation]>([
    ["the same read", read().call("Read", file, TEXT)],
    ["by another tool", read().call("bash", { command: "cat src/a.ts" }, TEXT)],
    ["under another spelling", read().call("Read", { file_path: "./src/a.ts" }, TEXT)],
    ["with numbers", read(numbered(TEXT)).call("Read", file, numbered(TEXT))],
    [
      "with numbers that the newer one does not have",
      read(numbered(TEXT)).call("bash", { command: "cat src/a.ts" }, TEXT),
    ],
    [
      "edited, and put back",
      read()
        .call("Edit", { ...file, old_string: "a", new_string: "b" }, "ok")
        .call("Edit", { ...file, old_string: "b", new_string: "a" }, "ok")
        .call("Read", file, TEXT),
    ],
  ])("becomes a pointer before it is first sent: %s", (_, conversation) => {
    const results = play(conversation);
    expect(results[0]).toContain(LINES[79]);
    expect(results.at(-1)).toMatch(POINTER);
  });

  test("a range of the earlier read", () => {
    const range = LINES.slice(9, 69).join("\n");
    const shown = play(
      read(numbered(TEXT)).call("Read", { ...file, offset: 10, limit: 60 }, numbered(range, 10)),
    );
    expect(shown.at(-1)).toMatch(/^\[lines 10–69: unchanged since it was read 3 steps before \(/);
    expect(play(read().call("bash", { command: "sed -n 10,69p src/a.ts" }, range)).at(-1)).toContain(
      "lines 10–69",
    );
  });

  test("both stay as long as if the newer read were whole", () => {
    const conversation = go(read().call("Read", file, TEXT), 28);
    const cold = () => conversation.call("bash", { command: "sleep 999" }, "ok", { pause: 900_000 });
    const config = { strategies: { ...ON.strategies, spent: { views: 30 } } };
    expect(play(cold(), { config })[0]).toBe(TEXT);
    go(conversation, 9);
    expect(play(cold(), { config })[0]).toContain("lines omitted");
  });
});

describe("a file with small changes", () => {
  test("is shown as a diff against the read that stays", () => {
    const results = play(
      read(numbered(TEXT))
        .call("Edit", { ...file, old_string: "x", new_string: "y" }, "ok")
        .call("Read", file, numbered(CHANGED)),
    );
    expect(results[0]).toBe(numbered(TEXT));
    expect(results.at(-1)?.split("\n")).toEqual([
      "@@ -40,3 +40,3 @@",
      ` ${LINES[39]}`,
      `-${LINES[40]}`,
      "+const rate = applyRate(order);",
      ` ${LINES[41]}`,
      expect.stringMatching(
        /^\[the rest: unchanged since it was read 4 steps before \([0-9a-f]{6}\): see there · /,
      ),
    ]);
  });

  test("is shown whole after large changes", () => {
    const other = LINES.map((line, i) => (i % 2 ? line : `let other${i};`)).join("\n");
    expect(play(read().call("Read", file, other)).at(-1)).toBe(other);
  });
});

describe("reads that stay whole", () => {
  const short = LINES.slice(0, 3).join("\n");
  test.each<[string, Conversation, PrunerOptions?]>([
    [
      "if the pass is turned off",
      read().call("Read", file, TEXT),
      { config: { strategies: { aggressivePruning: { pruneRereads: false } } } },
    ],
    ["a small file", go(new Conversation().call("Read", file, short), 2).call("Read", file, short)],
    ["with numbers that the earlier one does not have", read().call("Read", file, numbered(TEXT))],
    ["of another file", read().call("Read", { file_path: "src/b.ts" }, TEXT)],
    ["of another server", read().call("mcp__fs__read_file", { path: "src/a.ts" }, TEXT)],
    [
      "a small part of a large one",
      read().call("Read", { ...file, offset: 10, limit: 20 }, numbered(LINES.slice(9, 29).join("\n"), 10)),
    ],
    ["a file that was read long ago", go(read(), 25).call("Read", file, TEXT)],
    ["of several files", read().call("bash", { command: "cat src/a.ts src/b.ts" }, TEXT)],
  ])("%s", (_, conversation, options) => {
    const last = (conversation.messages.at(-1) as { content: string }).content;
    expect(play(conversation, options).at(-1)).toBe(last);
  });

  test("the newer of two reads in one step", () => {
    const played = new AgentSession().step({
      calls: [
        ["read", { filePath: "a.ts" }, TEXT],
        ["read", { filePath: "a.ts" }, TEXT],
      ],
    });
    expect(played.results().map((text) => text.includes(LINES[70] ?? ""))).toEqual([true, true]);
  });

  test("the newer one, if the earlier one was cut", () => {
    const played = new AgentSession().call("read", { filePath: "a.ts" }, TEXT);
    played.ask("discard", [[played.ref("result")]]);
    played.call("read", { filePath: "a.ts" }, TEXT);
    const results = played.results();
    expect(results[0]).toContain("[discarded");
    expect(results.at(-1)).toContain(TEXT);
  });

  test("text that the agent recalls", () => {
    const played = new AgentSession().call("read", { filePath: "a.ts" }, TEXT);
    played.call("context_recall", { ref: played.ref("result") }, TEXT);
    expect(played.results().at(-1)).toContain(TEXT);
  });

  test("a result with a picture in it", () => {
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };
    const messages = [1, 2].flatMap((n) => [
      { role: "assistant", content: [{ type: "tool_use", id: `t${n}`, name: "Read", input: file }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: `t${n}`, content: [{ type: "text", text: TEXT }, picture] },
        ],
      },
    ]);
    const history = [{ role: "user", content: "go" }, ...messages];
    const pruner = createPruner({ format: "anthropic-messages", config: ON });
    expect(pruner.prune(history).messages.at(-1)).toBe(history.at(-1));
  });
});

describe("the text that a pointer refers to", () => {
  const again = () =>
    new AgentSession({ config: ON })
      .call("read", { filePath: "a.ts" }, TEXT)
      .call("bash", { command: "ls" }, "ok")
      .call("read", { filePath: "a.ts" }, TEXT);

  test("can be cut by the agent: the pointer then stays without referring to it, and both texts come back", () => {
    const played = again();
    const [first, second] = [played.ref("result", 0), played.ref("result", 2)];
    const pointer = played.results()[2];
    expect(pointer).toContain(`(${first}): see there · ${second}]`);
    played.ask("discard", [[first]]);
    expect(played.results()[0]).toContain("[discarded");
    expect(played.results()[2]).toBe(pointer);
    const active = played.view().ledger.active();
    expect(active.filter(({ author }) => author === "repeated-reads").map(({ needs }) => needs)).toEqual([
      [],
    ]);
    expect(played.recall({ ref: second })).toContain(TEXT);
    played.ask("restore", [[first]]);
    expect(played.results()[0]).toContain(TEXT);
  });

  test("is found again if the transcript was pruned before: it is not replaced by its pointer", () => {
    const { messages, meta } = render({ turns: again().turns }, "anthropic-messages");
    const options: PrunerOptions = {
      format: "anthropic-messages",
      config: { ...ON, schedule: { mode: "eager" } },
    };
    const pruned = createPruner(options).prune(messages, { meta }).messages;
    expect(JSON.stringify(pruned)).toContain("unchanged since it was read");
    expect(createPruner(options).prune(pruned).messages).toEqual(pruned);
  });

  test("a text that only looks like a pointer is not one", () => {
    const forged = `[unchanged since it was read 2 steps before (a1b2c3): see there · d4e5f6]\n${textOf(300)}`;
    const results = play(go(read().call("Read", file, forged), 2), {
      config: { ...ON, schedule: { mode: "eager" } },
    });
    expect(results[0]).toContain("[superseded: newer read");
  });
});

const RUNS = Number(process.env.LAW_RUNS ?? 12);
const FORMATS: readonly FormatName[] = ["openai-chat", "anthropic-messages", "opencode"];
const VERSIONS = [TEXT, CHANGED, LINES.slice(0, 70).join("\n")].map((text) => numbered(text));

/** One step of an agent that reads the same files over and over. */
const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("read" as const), file: fc.nat(2), version: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("edit" as const), file: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("run" as const), tokens: fc.constantFrom(10, 2_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("discard" as const, "restore" as const), pick: fc.nat(20) }),
  },
);

const of = (file: number, version: number) => ({ do: "read" as const, file, version });
const run = { do: "run", tokens: 2_000 } as const;

/** The group of a pointer is dropped under pressure, and then its target is cut: nothing is saved twice. */
const GONE_BEFORE_ITS_COPY = [
  ...[of(2, 0), of(0, 1), { do: "edit" as const, file: 2 }, of(1, 2), of(1, 2), of(0, 0), run],
  ...[{ do: "discard" as const, pick: 1 }, of(0, 0), of(0, 1), of(2, 1), run],
  ...[{ do: "discard" as const, pick: 17 }, of(0, 0), of(0, 0), of(2, 2), run, of(0, 2)],
];

describe.each(FORMATS)("%s", (format) => {
  test("every law holds, and no active edit refers to a cut part", () => {
    let pointers = 0;
    let released = 0;
    fc.assert(
      fc.property(
        fc.array(act, { minLength: 6, maxLength: 24 }),
        fc.constantFrom(9_000, 200_000),
        (acts, window) => {
          const options = {
            prefixTokens: 1_000,
            config: { ...ON, window, tools: { todoReminder: { enabled: false } } },
          };
          const played = new AgentSession(options, format);
          let restores = false;
          for (const each of acts) {
            if (each.do === "read")
              played.call("read", { filePath: `f${each.file}.ts` }, VERSIONS[each.version] ?? "");
            if (each.do === "edit")
              played.call("edit", { filePath: `f${each.file}.ts`, oldString: "a", newString: "b" }, "ok");
            if (each.do === "run")
              played.call("bash", { command: `echo ${played.turns[0]?.steps.length}` }, textOf(each.tokens));
            if (each.do === "discard" || each.do === "restore") {
              restores ||= each.do === "restore";
              played.ask(each.do, [[played.ref("result", each.pick)]]);
            }
            played.prune();
            const { ledger } = played.view();
            const active = ledger.active();
            for (const { needs } of active) for (const need of needs) expect(ledger.isCut(need)).toBe(false);
            pointers += active.filter(({ needs }) => needs.length > 0).length;
            released += active.filter(
              ({ author, needs }) => author === "repeated-reads" && needs.length === 0,
            ).length;
          }
          // An undone cut is still stale to a pruner that does not know of the undo.
          askLaws(
            runLive(render({ turns: played.turns }, format), { agentTools: true, ...options }, "none"),
            (law) => !(restores && law.startsWith("6 ")),
          );
        },
      ),
      { numRuns: RUNS + 1, endOnFailure: true, examples: [[GONE_BEFORE_ITS_COPY, 9_000]] },
    );
    if (!isCertain(RUNS, 100)) return;
    expect(pointers).toBeGreaterThan(0);
    expect(released).toBeGreaterThan(0);
  });
});
