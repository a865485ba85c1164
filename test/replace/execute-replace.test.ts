import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyLedger } from "../../src/edits/apply.ts";
import { exportLedger, restoreMessages } from "../../src/edits/inverse.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { FORMAT_NAMES, formatByName } from "../../src/formats/detect.ts";
import { executeReplace, executeReplaceOrThrow, ReplaceError } from "../../src/replace/execute-replace.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { numbered, textOf } from "../conversation.ts";

const LOG = [
  "starting the build of the service",
  ...Array.from({ length: 12 }, (_, i) => `compiling module number ${i}`),
  "the build is finished now",
  "",
].join("\n");
const WHOLE = ["starting the build", "the build is finished", "(12 modules)"] as const;

describe("the rules of replace", () => {
  test.each<[string, readonly (readonly string[] | object)[], string | RegExp]>([
    ["the object spelling", [{ start: WHOLE[0], end: WHOLE[1], replacement: "…" }], "replace ✓"],
    ["an empty replacement", [[WHOLE[0], WHOLE[1], ""]], "replace ✓"],
    ["dots", [[WHOLE[0], WHOLE[1], "…"]], "replace ✓"],
    [
      "start is not there",
      [["beginning the build of", WHOLE[1], ""]],
      'Pattern not found: start "beginning the build of"',
    ],
    [
      "end is not there",
      [[WHOLE[0], "the build has failed", ""]],
      'Pattern not found: end "the build has failed"',
    ],
    [
      "a similar passage, and where it is",
      [["Starting  the built of the service", WHOLE[1], ""]],
      /similar: "starting the build of the service" in message 4, bash npm run build --quiet --silent \([0-9a-f]{6}\), line 1/,
    ],
    [
      "end stands before start",
      [[WHOLE[1], WHOLE[0], ""]],
      /Pattern not found: end .* does not follow start .* in one part; start is in message 4/,
    ],
    ["in two parts", [["compute(order, 3)", WHOLE[1], ""]], /does not follow start .* end in message 4/],
    [
      "too short a match",
      [["the build is fin", "ished now", ""]],
      "Match too short: 25 characters, minimum 30 characters",
    ],
    [
      "patterns too short",
      [["module number 3", "module number 5", ""]],
      "start or end must be longer than 15 characters",
    ],
    ["one long pattern is enough", [["number 3", "module number 10", ""]], "replace ✓"],
    [
      "more than one match",
      [["compiling module", "build is finished", ""]],
      /12 matches, give a longer start or end/,
    ],
    [
      "each with its message and what stands around it",
      [["compiling module", "build is finished", ""]],
      /message 4, bash npm run build --quiet --silent \([0-9a-f]{6}\), line 2: ".* of the service\\ncompiling module number 0\\ncompiling/,
    ],
    [
      "overlapping",
      [
        ["starting the build", "module number 5", ""],
        ["compiling module number 4", "module number 8", ""],
      ],
      /Operations 1 and 2 are overlapping in message 4, bash npm run build/,
    ],
    [
      "a replacement that is not shorter",
      [["compiling module number 4", "number 5", "compiling module number 4, and then the module number 5"]],
      /the replacement \(\d+ tokens\) is not shorter than the match \(\d+ tokens\)/,
    ],
    ["not in tool inputs", [["npm run build --quiet", "--silent", ""]], "Pattern not found: start"],
    ["not in system text", [["You are a coding", "agent. And some more", ""]], "Pattern not found"],
    [
      "not in the newest user message",
      [["now please look at", "everything else here", ""]],
      /Pattern not found where it may be cut: the newest user message is protected \(message \d+, user message "now.*", line 1\)/,
    ],
    [
      "in an older user message",
      [["Here is my long story", "that was all of it", "(a story)"]],
      "replace ✓ 」- 👤 1",
    ],
    ["in the agent's own text", [["I will now look at the", "and then at the rest", ""]], "replace ✓"],
    ["not with a tag", [["is finished now\n\n<tool_hash>", "</tool_hash>", ""]], "Pattern not found"],
    ["literally", [["compiling.*number 3", "number 1[01]\\n.*finished", ""]], "Pattern not found"],
  ])("%s", (_, targets, expected) => {
    const session = new AgentSession();
    session.turns = [];
    session
      .prompt(`Here is my long story about everything, and that was all of it.`)
      .step({
        text: "I will now look at the tests and then at the rest of it.",
        calls: [["bash", { command: "npm run build --quiet --silent" }, LOG]],
      })
      .call("bash", { command: "npm test" }, textOf(400))
      .step({ text: "ok" })
      .prompt("now please look at everything else here");
    const answer = session.ask("replace", targets);
    if (typeof expected === "string") expect(answer).toContain(expected);
    else expect(answer).toMatch(expected);
    const edits = session.prune().report.edits;
    expect(edits.length).toBe(answer.includes("replace ✓") ? targets.length : 0);
  });

  test("all or nothing: one problem, and nothing changes", () => {
    const session = new AgentSession().call("bash", { command: "b" }, LOG);
    const answer = session.ask("replace", [[...WHOLE], ["not there at all, no", "nor is this one", ""]]);
    expect(answer).toContain("「 ✂️ replace ✗ 」- nothing changed");
    expect(answer).toContain("Operation 2: Pattern not found");
    expect(session.results()[0]).toContain("compiling module number 5");
  });

  test("up to three similar passages", () => {
    const text = Array.from({ length: 6 }, (_, i) => `the quick brown fox ${i} jumps over the lazy dog`).join(
      "\n",
    );
    const session = new AgentSession().call("bash", { command: "b" }, text);
    const answer = session.ask("replace", [["the quick brown fox jumps over the dog", "nothing", ""]]);
    expect(answer.match(/similar: /g)?.length).toBe(3);
  });
});

describe("what the agent sees", () => {
  test("a match that touches a marker widens to cover it; restoring the outer shows the inner again", () => {
    const session = new AgentSession().call("bash", { command: "b" }, LOG);
    session.ask("replace", [
      ["compiling module number 2", "module number 9", "[eight modules were compiled]"],
    ]);
    const inner = session.results()[0] ?? "";
    expect(inner).toContain("[eight modules were compiled]");
    const answer = session.ask("replace", [["modules were compiled]", "the build is finished", "(more)"]]);
    expect(session.results()[0]).toMatch(/compiling module number 1\n\(more\) now/);
    const ref = /Cut: ([0-9a-f]{6})@/.exec(answer)?.[1] ?? "";
    session.ask("restore", [[ref]]);
    expect(session.results()[0]).toBe(inner);
  });

  test("over a part's text blocks, as one text", () => {
    const session = new AgentSession({}, "anthropic-messages").call("bash", { command: "b" }, LOG);
    session.turns = session.turns.map((turn) => ({
      ...turn,
      steps: turn.steps.map((step) => ({
        ...step,
        calls: step.calls.map((call) => ({ ...call, split: true })),
      })),
    }));
    const answer = session.ask("replace", [[...WHOLE]]);
    expect(answer).toContain("replace ✓");
    expect(session.results()[0]).toContain("(12 modules)");
    expect(session.results()[0]).not.toContain("compiling");
  });

  test("instructions that a host has loaded into a result outlive a replace, and are not cut into", () => {
    const rules = "<system-reminder>\nNever touch generated files, whatever you do.\n</system-reminder>";
    const session = new AgentSession().call("read", { filePath: "a" }, `${numbered(LOG)}\n\n${rules}`);
    expect(session.ask("replace", [["starting the build", "Never touch generated", ""]])).toContain(
      "the match includes instructions of the host",
    );
    session.ask("replace", [["     1→starting the build", "</system-reminder>", "(log)"]]);
    expect(session.results()[0]).toBe(`(log)\n${rules}`);
  });

  test("instructions after the replaced text stay in place, and nowhere else", () => {
    const rules = "<system-reminder>\nNever touch generated files, whatever you do.\n</system-reminder>";
    const session = new AgentSession().call("read", { filePath: "a" }, `${numbered(LOG)}\n\n${rules}`);
    session.ask("replace", [["compiling module number 2", "module number 9", "…"]]);
    const [shown = ""] = session.results();
    expect(shown).toContain("     4→…\n    12→compiling module number 10\n");
    expect(shown.split(rules)).toHaveLength(2);
    expect(shown.split(rules)[1]).not.toContain("compiling");
  });

  test("a replace inside a part that waits to be discarded is refused", () => {
    const dear = new AgentSession({ config: { schedule: { requestedLimit: 0 } } })
      .call("bash", { command: "b" }, LOG)
      .call("bash", { command: "c" }, textOf(900));
    expect(dear.ask("discard", [[dear.ref("result")]])).toContain("(later)");
    const cheap = new AgentSession({ config: { schedule: { requestedLimit: 100_000 } } });
    cheap.turns = dear.turns;
    expect(cheap.ask("replace", [["compiling module number 2", "module number 9", "…"]])).toMatch(
      /replace ✗[\s\S]*it can't be cut together with another cut there/,
    );
  });

  test("a replace that waits is not overlapped by the next", () => {
    const session = new AgentSession({ config: { schedule: { requestedLimit: 0 } } })
      .call("bash", { command: "b" }, LOG)
      .call("bash", { command: "c" }, textOf(900));
    session.ask("replace", [["compiling module number 2", "module number 6", "…"]]);
    expect(session.ask("replace", [["compiling module number 4", "module number 9", "…"]])).toMatch(
      /overlapping the cut [0-9a-f]{6}, which waits/,
    );
  });
});

describe("executeReplace", () => {
  const messages = [
    { role: "system", content: `system text: ${LOG}` },
    { role: "user", content: "old question" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "bash", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: LOG },
    { role: "assistant", content: "done" },
    { role: "user", content: "next" },
  ];
  const operation = { start: WHOLE[0], end: WHOLE[1], replacement: WHOLE[2] };

  test("returns messages, edits and savings; changes nothing else", () => {
    const frozen = structuredClone(messages);
    const result = executeReplace(messages, [operation]);
    expect(result.success).toBe(true);
    expect(result.errors).toEqual([]);
    expect(result.messages[3]).toEqual({ ...messages[3], content: "(12 modules) now\n" });
    expect(result.messages.filter((message, i) => message === messages[i]).length).toBe(5);
    expect(messages).toEqual(frozen);
    expect(result.sources).toEqual([0, 1, 2, 3, 4, 5]);
    expect(result.edits).toEqual([
      {
        edit: expect.objectContaining({ type: "replace", author: "agent", from: 0, text: "(12 modules)" }),
        request: 0,
      },
    ]);
    const saved = estimateTokens(LOG) - estimateTokens("(12 modules) now\n");
    expect(result.replacements).toEqual([
      {
        operation,
        messageId: "3",
        originalLength: LOG.length - " now\n".length,
        newLength: 12,
        tokensSaved: saved,
      },
    ]);
  });

  test.each(FORMAT_NAMES)("can be undone: ledger and JSON restore the input, byte for byte; %s", (format) => {
    const session = new AgentSession({}, format)
      .step({ text: "I will build it.", calls: [["bash", { command: "make" }, LOG]] })
      .call("bash", { command: "npm test" }, textOf(300))
      .step({ text: "ok" })
      .prompt("and now?");
    const given = session.messages;
    const operations = [
      operation,
      { start: "compute(order, 3)", end: "compute(order, 9)", replacement: "…" },
    ];
    const result = executeReplace(given, operations, { format });
    expect(result.errors).toEqual([]);
    expect(JSON.stringify(result.messages)).not.toContain("compiling module number 5");
    const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));
    const ledger = copy(exportLedger(given, result, result.edits));
    expect(ledger.originals.length).toBeGreaterThan(0);
    expect(JSON.stringify(restoreMessages(copy(result.messages), ledger))).toBe(JSON.stringify(given));
    const codec = formatByName(format);
    const applied = applyLedger(codec, given, ledger.edits).messages;
    expect(JSON.stringify(applied)).toBe(JSON.stringify(result.messages));
    const undone = ledger.edits.flatMap(({ edit }) =>
      edit.type === "undo"
        ? []
        : [
            {
              edit: { type: "undo" as const, target: edit.id, author: "test", reason: "", saved: 0 },
              request: 0,
            },
          ],
    );
    const back = applyLedger(codec, given, [...ledger.edits, ...undone]).messages;
    expect(back.every((message, i) => message === given[i])).toBe(true);
  });

  test("the savings of several operations in one text equal the reduction of the messages", () => {
    const operations = [
      { start: "compiling module number 0", end: "module number 3", replacement: "…" },
      { start: "compiling module number 5", end: "module number 9", replacement: "…" },
    ];
    const { replacements, messages: left } = executeReplace(messages, operations);
    const saved = replacements.reduce((sum, { tokensSaved }) => sum + tokensSaved, 0);
    expect(saved).toBe(new MessageBench(messages).view.total - new MessageBench(left).view.total);
  });

  test("short patterns are allowed, unless the caller sets a limit", () => {
    const short = { start: "number 3", end: "number 7", replacement: "" };
    expect(executeReplace(messages, [short]).success).toBe(true);
    const result = executeReplace(messages, [short], { minimumPattern: 15 });
    expect(result).toMatchObject({ success: false, edits: [], replacements: [] });
    expect(result.messages).toBe(messages);
    expect(result.sources).toEqual([0, 1, 2, 3, 4, 5]);
    expect(result.errors[0]).toContain("longer than 15 characters");
  });

  test("accepts operations as lists too, like `context_prune`", () => {
    const asObject = executeReplace(messages, [operation]);
    const asList = executeReplace(messages, [[operation.start, operation.end, operation.replacement]]);
    expect(asList).toEqual(asObject);
    expect(asList.replacements).toMatchObject([{ operation }]);
  });

  test.each<[unknown, string]>([
    [undefined, "Operations must be an array, got nothing"],
    [operation, "Operations must be an array, got an object"],
    [
      [["a", "b"]],
      "Operation 1: start, end and replacement must be strings, and start and end must not be empty",
    ],
    [
      [operation, null],
      "Operation 2: start, end and replacement must be strings, and start and end must not be empty",
    ],
  ])("reports the problem with %j", (operations, error) => {
    const result = executeReplace(messages, operations as never);
    expect(result).toMatchObject({ success: false, errors: [error], edits: [] });
    expect(result.messages).toBe(messages);
  });

  test("throws the errors if requested", () => {
    const wrong = { start: "not there", end: "nor this", replacement: "" };
    expect(executeReplaceOrThrow(messages, [operation]).success).toBe(true);
    const attempt = () => executeReplaceOrThrow(messages, [wrong]);
    expect(attempt).toThrow(ReplaceError);
    expect(attempt).toThrow(/Pattern not found/);
    expect(executeReplace(messages, [{ start: "", end: "x", replacement: "" }]).errors[0]).toContain(
      "must not be empty",
    );
  });

  test("protection: the built-in lists, or the caller's", () => {
    const written = structuredClone(messages);
    Object.assign(written[2] ?? {}, {
      tool_calls: [{ id: "c1", type: "function", function: { name: "write", arguments: "{}" } }],
    });
    expect(executeReplace(written, [operation]).success).toBe(false);
    expect(executeReplace(written, [operation], { protection: { tools: [], files: [] } }).success).toBe(true);
    expect(() => executeReplace([42], [])).toThrow(TypeError);
  });

  test("any stretch that occurs once is replaced exactly there", () => {
    fc.assert(
      fc.property(fc.nat(LOG.length - 40), fc.integer({ min: 30, max: 200 }), (from, length) => {
        const stretch = LOG.slice(from, from + length);
        fc.pre(stretch.length >= 30 && !stretch.includes("\u0000"));
        const half = Math.floor(stretch.length / 2);
        const [start, end] = [stretch.slice(0, half), stretch.slice(half)];
        fc.pre(LOG.indexOf(start) === from && LOG.indexOf(start, from + 1) < 0);
        fc.pre(LOG.indexOf(end, from + half) === from + half);
        const result = executeReplace(messages, [{ start, end, replacement: "" }]);
        expect(result.errors).toEqual([]);
        expect(result.messages[3]).toMatchObject({ content: LOG.replace(stretch, "") || "—" });
      }),
    );
  });
});
