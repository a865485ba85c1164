import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { mergeLevels } from "../../src/config/merge.ts";
import { parseConfig } from "../../src/config/parse.ts";
import type { AggressiveFlags } from "../../src/config/pass-options.ts";
import { makePolicy } from "../../src/fold/policy.ts";
import { PROTECTED_TOOLS } from "../../src/protection/defaults.ts";
import { createProtection } from "../../src/protection/protection.ts";
import { createPruner } from "../../src/pruner.ts";
import { Conversation, textOf } from "../conversation.ts";
import { play } from "../play.ts";

type Call = readonly [tool: string, input: unknown];
const read = (filePath: string, more: object = {}): Call => ["read", { filePath, ...more }];
const write = (filePath: string): Call => ["write", { filePath, content: "x" }];
const edit = (filePath: string): Call => ["edit", { filePath, oldString: "x", newString: "y" }];
const bash = (command: string): Call => ["bash", { command }];
const tried = (tool: string, timeout: number): Call => [tool, { command: "make", timeout }];

/** The calls whose results are cut in an eager run, by number. */
function listCut(
  calls: readonly Call[],
  aggressivePruning: Partial<AggressiveFlags>,
  protectedTools: readonly string[] = [],
): readonly number[] {
  const conversation = new Conversation();
  for (const [i, [tool, input]] of calls.entries()) conversation.call(tool, input, textOf(100, i));
  const pruner = createPruner({
    config: {
      schedule: { mode: "eager" },
      strategies: {
        aggressivePruning: { preset: "balanced", ...aggressivePruning },
        spent: { enabled: false },
      },
      tools: { settings: { protectedTools } },
    },
  });
  const { messages } = pruner.prune(conversation.messages);
  return calls.flatMap((_, i) => (messages[2 * i + 2] === conversation.messages[2 * i + 2] ? [] : [i]));
}

describe("a pass may cut the protected text that it is made for, and no other", () => {
  test.each<[string, readonly Call[], strict: readonly number[], views: readonly number[]]>([
    [
      "todos by newer todos",
      [
        ["todowrite", { todos: [1] }],
        ["todowrite", { todos: [] }],
      ],
      [0],
      [0],
    ],
    [
      "context calls by newer ones",
      [
        ["context_info", {}],
        ["context_prune", {}],
      ],
      [0],
      [0],
    ],
    ["a write and an edit by a newer view", [write("a.ts"), edit("a.ts"), read("a.ts")], [0, 1], [0, 1]],
    ["a write by an edit", [write("a.ts"), edit("a.ts")], [0], []],
    ["a protected file by the same read", [read("package.json"), read("package.json")], [0], [0]],
    ["by the same view in the shell", [bash("cat .env"), bash("cat .env")], [0], [0]],
    ["a part of a protected file by all of it", [read(".env", { limit: 3 }), read(".env")], [0], []],
    ["a protected file by an edit", [read("package.json"), edit("package.json")], [0], []],
    ["a write of a protected file by a newer view", [write("package.json"), read("package.json")], [0], [0]],
    [
      "a protected tool's repeated call",
      [
        ["task", { prompt: "x" }],
        ["task", { prompt: "x" }],
      ],
      [],
      [],
    ],
  ])("%s", (_, calls, strict, views) => {
    expect(listCut(calls, { aggressiveFilePrune: true })).toEqual(strict);
    expect(listCut(calls, { aggressiveFilePrune: "views" })).toEqual(views);
  });

  test("a tool that the user protects by its name stays, even if it reads", () => {
    const calls = [read("a.ts"), read("a.ts"), edit("a.ts")];
    expect(listCut(calls, { aggressiveFilePrune: true }, ["read"])).toEqual([]);
  });
});

describe("who may cut the result of a protected tool", () => {
  const aggressivePruning = { preset: "compact", aggressiveFilePrune: "views" } as const;
  const { passes, protection } = makePolicy({
    agentTools: true,
    config: { strategies: { purgeErrors: { enabled: true }, aggressivePruning } },
  });
  const isProtected = createProtection(protection, passes);

  test.each<[string, unknown, readonly string[]]>([
    ["todowrite", { todos: [] }, ["todos"]],
    ["todoread", {}, ["todos"]],
    ["context_info", {}, ["context-calls"]],
    ["context_prune", {}, ["context-calls"]],
    ["write", { filePath: "a.ts" }, ["retries", "file-views", "rested-edits"]],
    ["edit", { filePath: "a.ts" }, ["retries", "file-views", "rested-edits"]],
    ["task", { prompt: "x" }, []],
    ["batch", { calls: [] }, []],
    ["plan_enter", {}, []],
    ["plan_exit", {}, []],
    ["skill", { name: "pdf" }, []],
  ])("%s", (tool, input, authors) => {
    const { facts, transcript } = play([[[tool, input, "error"]]]);
    const result = transcript.parts.findIndex(({ kind }) => kind === "result");
    const may = passes.filter(({ name }) => isProtected(facts, result, name) === undefined);
    expect(may.map(({ name }) => name)).toEqual(authors);
  });

  test("all of them are in this table, and every pass is checked", () => {
    expect(PROTECTED_TOOLS).toHaveLength(11);
    expect(passes.length).toBeGreaterThan(15);
  });
});

describe("commands.protectedTools", () => {
  const calls: readonly Call[] = [read("a.ts"), bash("npm test"), read("a.ts"), ["deploy", { to: "x" }]];
  const conversation = new Conversation();
  for (const [tool, input] of calls) conversation.call(tool, input, textOf(3_000));
  for (let i = 0; i < 6; i++) conversation.call("glob", { pattern: `*.${i}` }, textOf(3_000, i));
  const authors = (protectedTools: readonly string[], window?: number) =>
    createPruner({
      prefixTokens: 8_000,
      config: { schedule: { mode: "eager" }, commands: { protectedTools }, ...(window && { window }) },
    })
      .prune(conversation.messages)
      .report.edits.map(({ edit: { author } }) => author);

  test("protects from every pass, and from the ladder under pressure", () => {
    expect(new Set(authors([]))).toEqual(new Set(["cap-results", "spent-results", "file-views"]));
    expect(new Set(authors([], 20_000))).toContain("aggressive-shake");
    expect(authors(["read", "bash", "deploy", "glo*"])).toEqual([]);
    expect(authors(["read", "bash", "deploy", "glo*"], 20_000)).toEqual([]);
  });
});

describe("tools.settings.protectedCommands", () => {
  const cutOf = (tool: string, input: unknown, globs: readonly string[], window?: number) => {
    const conversation = new Conversation();
    conversation.call(tool, input, textOf(3_000));
    for (let i = 0; i < 9; i++) conversation.call("grep", { pattern: `p${i}` }, textOf(3_000, i));
    const { messages } = createPruner({
      prefixTokens: 8_000,
      config: {
        schedule: { mode: "eager" },
        tools: { settings: { protectedCommands: globs } },
        ...(window && { window }),
      },
    }).prune(conversation.messages);
    return messages[2] !== conversation.messages[2];
  };

  test.each<[tool: string, input: unknown, glob: string, isProtected: boolean]>([
    // Shells of Claude Code, OpenCode, Codex (three of them), Gemini CLI and Cline.
    ["Bash", { command: "npm test" }, "npm test*", true],
    ["bash", { command: "npm test -- --run src/a.test.ts" }, "npm test*", true],
    ["shell", { command: ["bash", "-lc", "npm test"] }, "npm test*", true],
    ["exec_command", { cmd: "npm test" }, "npm test*", true],
    ["local_shell", { action: { command: ["npm", "test"] } }, "npm test*", true],
    ["run_shell_command", { command: "npm test" }, "npm test*", true],
    ["execute_command", { command: "npm test" }, "npm test*", true],
    ["mcp__box__bash", { command: "npm test" }, "npm test*", true],
    // Anywhere in a line.
    ["bash", { command: "cd app && CI=1 npm test 2>&1 | tail -5" }, "npm test*", true],
    ["bash", { command: "npm test" }, "npm test", true],
    ["bash", { command: "npm test -- -u" }, "npm test", false],
    ["bash", { command: "timeout 60 npm test" }, "npm test*", false],
    ["bash", { command: "timeout 60 npm test" }, "*npm test*", true],
    ["bash", { command: "/usr/bin/make check" }, "*make check", true],
    // A line that is not POSIX shell is checked as a whole.
    ["powershell", { command: "dotnet test .\\src" }, "dotnet test*", true],
    // Others.
    ["bash", { command: "npm run build" }, "npm test*", false],
    ["bash", { command: 'echo "npm test"' }, "npm test*", false],
    ["bash", { command: "NPM TEST" }, "npm test*", false],
    ["grep", { pattern: "npm test" }, "npm test*", false],
  ])("%s %j under %s", (tool, input, glob, isProtected) => {
    expect(cutOf(tool, input, [glob])).toBe(!isProtected);
    if (isProtected) expect(cutOf(tool, input, [])).toBe(true);
  });

  test("applies under pressure, and to the agent, who gets the reason", () => {
    expect(cutOf("bash", { command: `npm test ${"x ".repeat(3_000)}` }, ["npm test*"])).toBe(false);
    expect(cutOf("bash", { command: "npm test" }, [], 20_000)).toBe(true);
    expect(cutOf("bash", { command: "npm test" }, ["npm test*"], 20_000)).toBe(false);
    const { protection, passes } = makePolicy({
      config: { tools: { settings: { protectedCommands: ["npm test*"] } } },
    });
    const isProtected = createProtection(protection, passes);
    const { facts, transcript } = play([[["bash", { command: "npm test" }, "ok"]]]);
    const result = transcript.parts.findIndex(({ kind }) => kind === "result");
    for (const author of [...passes.map(({ name }) => name), "agent"])
      expect(isProtected(facts, result, author), author).toBe("this command of bash is protected");
  });

  test("a slow glob is refused, and levels add to each other", () => {
    const { config, issues } = parseConfig({
      tools: { settings: { protectedCommands: ["*a*a*a*a*b", "make check"] } },
    });
    expect(config.tools?.settings?.protectedCommands).toEqual(["make check"]);
    expect(issues).toMatchObject([{ message: expect.stringContaining("protectedCommands[0]") }]);
    const level = (list: readonly string[], unprotect: readonly string[] = []) => ({
      name: "level",
      config: { unprotect, tools: { settings: { protectedCommands: list } } },
    });
    const { tools } = mergeLevels([level(["npm test*", "make"]), level(["cargo test*"], ["make"])]).config;
    expect(tools.settings.protectedCommands).toEqual(["npm test*", "cargo test*"]);
  });
});

describe("the flags", () => {
  const all: readonly Call[] = [
    ["webfetch", { url: "https://a.org/x#1" }],
    ["webfetch", { url: "https://a.org/x#2" }],
    bash("git status"),
    bash("git status -s"),
    read("a.ts"),
    bash("cat a.ts"),
    ["todowrite", { todos: [] }],
    ["todoread", {}],
  ];

  test.each<[string, Partial<AggressiveFlags> & { preset?: "verbose" | "compact" }, readonly number[]]>([
    ["balanced", {}, [0, 2, 4, 6]],
    ["compact", { preset: "compact" }, [0, 2, 4, 6]],
    ["verbose", { preset: "verbose" }, [6]],
    ["no urls", { pruneSourceUrls: false }, [2, 4, 6]],
    ["no state queries", { stateQuerySupersede: false }, [0, 4, 6]],
    ["no file views", { aggressiveFilePrune: false }, [0, 2, 6]],
    ["file views only", { preset: "verbose", aggressiveFilePrune: "views" }, [4, 6]],
  ])("%s", (_, flags, cut) => expect(listCut(all, flags)).toEqual(cut));

  test("retries: a failed call is cut if the flag is on", () => {
    const step = (id: string, url: string, failed: boolean) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "webfetch", input: { url, tries: id } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: textOf(100), is_error: failed }],
      },
    ];
    const messages = [
      { role: "user", content: "go" },
      ...step("t1", "https://a.org/x", true),
      ...step("t2", "https://a.org/x", false),
    ];
    const authors = (pruneRetryParts: boolean) => {
      const aggressivePruning = { preset: "verbose" as const, pruneRetryParts };
      const config = { schedule: { mode: "eager" as const }, strategies: { aggressivePruning } };
      return createPruner({ config })
        .prune(messages)
        .report.edits.map(({ edit: { author } }) => author);
    };
    expect(authors(true)).toEqual(["retries"]);
    expect(authors(false)).toEqual([]);
  });

  test.each<[string, Call, Call, readonly string[]]>([
    ["an edit", edit("a.ts"), edit("./a.ts"), ["retries"]],
    ["a write", write("a.ts"), write("a.ts"), ["retries"]],
    ["an edit of a protected file", edit("package.json"), edit("package.json"), ["retries"]],
    ["not an edit of another file", edit("a.ts"), edit("b.ts"), []],
    ["a command", tried("bash", 1), tried("bash", 2), ["retries"]],
    ["not a protected tool of another kind", tried("deploy", 1), tried("deploy", 2), []],
  ])(
    "retries: %s that failed is cut when a later one succeeds, protected or not",
    (_, first, second, cut) => {
      const content = ([name, input]: Call, id: string, is_error: boolean) => [
        { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: textOf(100), is_error }] },
      ];
      const failed = content(first, "t1", true);
      const messages = [{ role: "user", content: "go" }, ...failed, ...content(second, "t2", false)];
      const config: PartialConfig = {
        schedule: { mode: "eager" },
        toolKinds: [{ names: ["deploy"], kind: "shell" }],
        tools: { settings: { protectedTools: ["deploy"] } },
      };
      const { report } = createPruner({ config }).prune(messages);
      expect(report.edits.map(({ edit: { author } }) => author)).toEqual(cut);
      const again = [{ role: "user", content: "go" }, ...failed, ...content(second, "t2", true)];
      expect(createPruner({ config }).prune(again).report.edits).toEqual([]);
    },
  );
});
