import { describe, expect, test } from "vitest";
import { listAgentTools } from "../src/agent/tool-definitions.ts";
import type { PartialConfig } from "../src/config/config.ts";
import { configFromEnvironment } from "../src/config/environment.ts";
import { combine } from "../src/config/merge.ts";
import { describeSchema, listSettings } from "../src/config/settings.ts";
import type { ReplaceEdit } from "../src/edits/edit.ts";
import { makePolicy } from "../src/fold/policy.ts";
import { createPruner } from "../src/pruner.ts";
import { AgentSession } from "./agent/agent-session.ts";
import { numbered, textOf } from "./conversation.ts";

/** Everything is on, nothing waits, and everything but the newest is old. */
const ALL_ON: PartialConfig = {
  schedule: { mode: "eager", ingestCap: 1_500 },
  strategies: {
    pruneProtect: 900,
    pruneMinimum: 0,
    purgeErrors: { enabled: true, turns: 3 },
    aggressivePruning: { preset: "compact", aggressiveFilePrune: "views" },
    spent: { views: 6 },
  },
};

/** A session with something to do for every pass. The ids of its calls name their purpose. */
function writeSession(): readonly unknown[] {
  const messages: unknown[] = [];
  const say = (...content: readonly unknown[]) => messages.push({ role: "user", content });
  const call = (id: string, name: string, input: object, content: string, is_error = false) => {
    messages.push({ role: "assistant", content: [{ type: "tool_use", id, name, input }] });
    say({ type: "tool_result", tool_use_id: id, content, is_error });
  };
  const text = (words: string) => ({ type: "text", text: words });
  const error = `TypeError: rate is undefined\n${textOf(600, 7)}\n    at total (orders.ts:3:1)`;
  const shot = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "iVBO".repeat(9_000) },
  };
  say(text(`Look at this.\n\`\`\`ts\n${textOf(600, 1)}\n\`\`\`\nAnd mend it.`), shot);
  call("error-tool", "ticket", { key: "A-1", body: textOf(400, 2) }, error, true);
  call("error-shell", "bash", { command: "npm run deploy" }, error, true);
  call("error-code", "bash", { command: "npm run lint" }, `${error}\n[exit code 1]`);
  call("run-1", "bash", { command: "npm test" }, textOf(500, 3));
  call("url-1", "webfetch", { url: "https://a.org/x#1" }, textOf(60, 4));
  call("url-2", "webfetch", { url: "https://a.org/x#2" }, textOf(60, 5));
  call("query-1", "bash", { command: "git status" }, textOf(60, 6));
  call("query-2", "bash", { command: "git status -s" }, textOf(60, 7));
  call("snapshot-1", "browser_snapshot", { filename: "a.md" }, textOf(60, 8));
  call("snapshot-2", "browser_snapshot", { filename: "b.md" }, textOf(60, 9));
  call("retry-1", "edit", { filePath: "c.ts", oldString: "1" }, textOf(60, 10), true);
  call("retry-2", "edit", { filePath: "c.ts", oldString: "2" }, textOf(60, 11));
  call("input-1", "query_db", { name: "orders", sql: textOf(500, 12) }, "ok");
  call("todo-1", "todowrite", { todos: [{ content: textOf(60, 13), status: "pending" }] }, textOf(60, 14));
  call("todo-2", "todowrite", { todos: [] }, textOf(60, 15));
  call("view-1", "read", { filePath: "a.ts" }, textOf(700, 16));
  call("view-2", "read", { filePath: "a.ts", limit: 900 }, textOf(700, 17));
  call("view-3", "bash", { command: "cat a.ts" }, textOf(700, 18));
  call("again-1", "read", { filePath: "d.ts" }, textOf(700, 23));
  call("again-2", "read", { filePath: "d.ts" }, textOf(700, 23));
  call("numbers-1", "read", { filePath: "e.ts" }, numbered(textOf(700, 24)));
  for (const n of [1, 2, 3])
    call(
      `edit-${n}`,
      "edit",
      { filePath: "b.ts", oldString: `${n}`, newString: textOf(300, 18 + n) },
      textOf(60, n),
    );
  call("large-1", "bash", { command: "npm run build" }, textOf(4_000, 22));
  for (const turn of [1, 2, 3]) {
    messages.push({ role: "assistant", content: "Done." });
    say(text(`Go on ${turn}.`));
    for (let i = 0; i < 4; i++)
      call(`more-${turn}-${i}`, "bash", { command: `make t${turn}${i}` }, textOf(400, 30 + i));
  }
  return messages;
}

const SESSION = writeSession();

function listCuts(over: PartialConfig): readonly ReplaceEdit[] {
  const config = combine(ALL_ON, over);
  const { report } = createPruner({ config }).prune(SESSION);
  return report.edits.flatMap(({ edit }) => (edit.type === "replace" ? edit : []));
}

type Kind = (cut: ReplaceEdit) => boolean;
const ofPart =
  (start: string): Kind =>
  ({ part }) =>
    part.startsWith(start);
const saying =
  (pattern: RegExp): Kind =>
  ({ text }) =>
    pattern.test(text);
const because =
  (pattern: RegExp): Kind =>
  ({ reason }) =>
    pattern.test(reason);
const flags = (
  over: NonNullable<NonNullable<PartialConfig["strategies"]>["aggressivePruning"]>,
): PartialConfig => ({
  strategies: { aggressivePruning: over },
});

/** The cuts that each switch turns off, whichever pass would make them. */
const CUTTING: readonly (readonly [key: string, off: PartialConfig, kind: Kind])[] = [
  ["enabled", { enabled: false }, () => true],
  ["schedule.mode", { schedule: { mode: "pressure" } }, () => true],
  ["schedule.ingestCap", { schedule: { ingestCap: null } }, because(/^a result of more than/)],
  [
    "strategies.intelligentPruning",
    { strategies: { intelligentPruning: false } },
    saying(/\[Pruned |lines? omitted|also names |\[pruned ·|\[\+\d+ chars\]/),
  ],
  [
    "strategies.spent.enabled",
    { strategies: { spent: { enabled: false } } },
    because(/done with it|some steps back/),
  ],
  [
    "strategies.purgeErrors.enabled",
    { strategies: { purgeErrors: { enabled: false } } },
    ofPart("call:error-"),
  ],
  [
    "strategies.aggressivePruning.preset",
    flags({ preset: "verbose", aggressiveFilePrune: false }),
    ({ reason }) => !/^the same .* call was made again$|^newer todo list$|^it failed long ago$/.test(reason),
  ],
  [
    "strategies.aggressivePruning.pruneToolInputs",
    flags({ pruneToolInputs: false }),
    ({ part }) => part.startsWith("call:") && !part.startsWith("call:error-"),
  ],
  [
    "strategies.aggressivePruning.pruneSourceUrls",
    flags({ pruneSourceUrls: false }),
    because(/^newer fetch$/),
  ],
  ["strategies.aggressivePruning.pruneFiles", flags({ pruneFiles: false }), saying(/^\[file: /)],
  [
    "strategies.aggressivePruning.pruneSnapshots",
    flags({ pruneSnapshots: false }),
    because(/^newer snapshot$/),
  ],
  [
    "strategies.aggressivePruning.pruneRetryParts",
    flags({ pruneRetryParts: false }),
    because(/^it succeeded later$/),
  ],
  [
    "strategies.aggressivePruning.pruneRereads",
    flags({ pruneRereads: false }),
    because(/^an earlier result shows/),
  ],
  [
    "strategies.aggressivePruning.pruneLineNumbers",
    flags({ pruneLineNumbers: false }),
    because(/^blanks before line numbers left out$/),
  ],
  [
    "strategies.aggressivePruning.stateQuerySupersede",
    flags({ stateQuerySupersede: false }),
    because(/^newer git status$/),
  ],
  [
    "strategies.aggressivePruning.aggressiveFilePrune",
    flags({ aggressiveFilePrune: false }),
    because(/^newer read of the file$|^the file was /),
  ],
  [
    "strategies.aggressivePruning.pruneUserCodeBlocks",
    flags({ pruneUserCodeBlocks: false }),
    saying(/^… \d+ more lines/),
  ],
  [
    "strategies.aggressivePruning.truncateOldErrors",
    flags({ truncateOldErrors: false }),
    ofPart("result:error-"),
  ],
];

describe("a cut that is turned off is not made, whichever pass would make it", () => {
  const on = listCuts({});

  test.each(CUTTING)("%s", (_, off, kind) => {
    expect(on.filter(kind), "with everything on there are such cuts").not.toEqual([]);
    expect(listCuts(off).filter(kind)).toEqual([]);
  });

  test("nor with any two of them turned off together", () => {
    for (const [i, [first, offFirst, isFirst]] of CUTTING.entries())
      for (const [second, offSecond, isSecond] of CUTTING.slice(i + 1)) {
        const cuts = listCuts(combine(offFirst, offSecond));
        expect(
          cuts.filter((cut) => isFirst(cut) || isSecond(cut)),
          `${first} and ${second}`,
        ).toEqual([]);
      }
  });

  test("intelligentPruning, by each of its variables: a result becomes the plain marker, or stays", () => {
    const names = ["STRATEGIES_INTELLIGENT_PRUNING", "INTELLIGENT_PRUNING"].map((name) => `COPPICE_${name}`);
    for (const name of [...names, "PATCHPAL_INTELLIGENT_PRUNING"]) {
      const cuts = listCuts(configFromEnvironment({ [name]: "false" }).config);
      const results = cuts.filter(ofPart("result:run-"));
      expect(results, name).not.toEqual([]);
      for (const { text } of results)
        expect(text).toMatch(/^\[Tool output pruned - [\d,]+ chars · [0-9a-f]{6}\]$/);
    }
  });

  test("shadow: nothing is changed", () => {
    const { messages } = createPruner({ config: combine(ALL_ON, { shadow: true }) }).prune(SESSION);
    expect(messages).toEqual(SESSION);
  });
});

describe("enabled: false and shadow: nothing is cut, and the agent gets no text", () => {
  const todoReminder = { initialTurns: 1, repeatTurns: 1 };
  const pruneWith = (config: PartialConfig) =>
    createPruner({
      agentTools: true,
      config: combine(ALL_ON, combine(config, { window: 12_000, tools: { todoReminder } })),
    }).prune(SESSION, { model: "gpt-4o" });

  test("with Coppice on, the request is made to fit, and the agent is reminded", () => {
    const { report, note } = pruneWith({});
    const authors = new Set(report.edits.map(({ edit }) => edit.author));
    expect([...authors]).toEqual(expect.arrayContaining(["aggressive-shake", "trim-groups"]));
    expect(note).toBeDefined();
  });

  test.each<[string, PartialConfig]>([
    ["enabled: false", { enabled: false }],
    ["shadow", { shadow: true }],
    ["both", { enabled: false, shadow: true }],
  ])("%s", (_, config) => {
    const { messages, note } = pruneWith(config);
    expect(messages.map((message, i) => message === SESSION[i])).not.toContain(false);
    expect(messages).toHaveLength(SESSION.length);
    expect(note).toBeUndefined();
  });

  test("enabled: false leaves no pass, no rung and no reminder", () => {
    const policyWith = (enabled: boolean) => {
      const { passes, ladder, lastResort, remind, tags } = makePolicy({
        agentTools: true,
        config: { enabled },
      });
      return [passes.length > 0, ladder.length > 0, lastResort.length > 0, remind !== undefined, tags];
    };
    expect(policyWith(true)).toEqual([true, true, true, true, true]);
    expect(policyWith(false)).toEqual([false, false, false, false, false]);
  });

  test("shadow: no reminder, even if a person turns Coppice on in the session", () => {
    const remindWith = (shadow: boolean) => makePolicy({ agentTools: true, config: { shadow } }).remind;
    expect(remindWith(false)).toBeDefined();
    expect(remindWith(true)).toBeUndefined();
  });
});

const PASSAGE = ["const value3 = compute(order, 93);", "const value3 = compute(order, 99);", "…"];
const SAID = ["const value1 = compute(order, 31);", "const value1 = compute(order, 39);", "…"];
const keepTexts = { settings: { enableAssistantMessagePruning: false } };
const keepReasoning = { settings: { enableReasoningPruning: false } };

/** The features that each switch keeps from the agent. */
const OFFERED: readonly (readonly [
  key: string,
  off: NonNullable<PartialConfig["tools"]>,
  action: string,
  target: readonly string[],
])[] = [
  ["tools.discard.enabled", { discard: { enabled: false } }, "discard", ["result"]],
  ["tools.distill.enabled", { distill: { enabled: false } }, "distill", ["result", "all is well"]],
  ["tools.replace.enabled", { replace: { enabled: false } }, "replace", PASSAGE],
  ["tools.settings.enableAssistantMessagePruning", keepTexts, "discard", ["text"]],
  ["tools.settings.enableAssistantMessagePruning", keepTexts, "replace", SAID],
  ["tools.settings.enableReasoningPruning", keepReasoning, "discard", ["reasoning"]],
];

describe("a feature that is turned off is not offered, and refused", () => {
  const cut = (tools: PartialConfig["tools"], action: string, targets: readonly (readonly string[])[]) => {
    const session = new AgentSession({ config: { tools: tools ?? {} } }, "anthropic-messages")
      .step({
        text: textOf(300, 1),
        thinking: { text: textOf(300, 2), signed: false },
        calls: [["bash", { command: "x" }, textOf(900, 3)]],
      })
      .call("bash", { command: "y" }, textOf(900, 4));
    const [result, text, reasoning] = [session.ref("result"), session.ref("text"), session.ref("reasoning")];
    const named = targets.map(([first = "", ...rest]) => [
      { result, text, reasoning }[first] ?? first,
      ...rest,
    ]);
    session.ask(action, named);
    const { edits } = session.call("bash", { command: "z" }, "ok").prune().report;
    return edits.filter(({ edit }) => edit.author === "agent").length;
  };

  test.each(OFFERED)("%s", (_, off, action, target) => {
    expect(cut({}, action, [target])).toBe(1);
    expect(cut(off, action, [target])).toBe(0);
  });

  test("tools.recall.enabled", () => {
    const namesWith = (enabled: boolean) =>
      listAgentTools(makePolicy({ config: { tools: { recall: { enabled } } } }).agent).map(
        ({ name }) => name,
      );
    expect(namesWith(true)).toContain("context_recall");
    expect(namesWith(false)).not.toContain("context_recall");
  });
});

/** Switches that do not affect cuts, and the test of each. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  debug: "e2e/opencode/config.test.ts",
  shadow: "above, and test/pruner.test.ts",
  "schedule.dropReasoning": "test/edits/bound-reasoning.test.ts",
  "schedule.ownMark": "test/cache-marks.test.ts",
  pruneNotification: "test/reports/notice.test.ts",
  "commands.enabled": "e2e/opencode/config.test.ts",
  "tools.settings.enableVisibleAssistantHashes": "test/agent/tags.test.ts",
  "tools.distill.showDistillation": "test/reports/notice.test.ts",
  "tools.recall.enabled": "above",
  "tools.todoReminder.enabled": "test/agent/reminder.test.ts",
  "tools.automataMode.enabled": "test/agent/reminder.test.ts",
  "strategies.aggressivePruning.pruneStepMarkers": "nothing in any format to cut",
  "strategies.spent.views": "test/strategies/spent.test.ts",
  "strategies.trim.strategy": "an order, no switch",
};

test("every switch is in one of these tables", () => {
  const isSwitch = ({ path, schema, group }: ReturnType<typeof listSettings>[number]) =>
    !group &&
    path.at(-1) !== "model" &&
    path.at(-1) !== "window" &&
    path.at(-1) !== "reasoning" &&
    /true or false|null|"/.test(describeSchema(schema));
  const switches = listSettings()
    .filter(isSwitch)
    .map(({ path }) => path.join("."));
  const known = [...CUTTING.map(([key]) => key), ...OFFERED.map(([key]) => key), ...Object.keys(ELSEWHERE)];
  expect(switches.toSorted()).toEqual([...new Set(known)].sort());
});
