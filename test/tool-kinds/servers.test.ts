import { describe, expect, test } from "vitest";
import { isPrune } from "../../src/agent/read-answer.ts";
import { createProtection } from "../../src/protection/protection.ts";
import { contextCalls } from "../../src/strategies/context-calls.ts";
import { duplicateCalls } from "../../src/strategies/duplicate-calls.ts";
import { fileOperations, fileViews } from "../../src/strategies/file-views.ts";
import type { SupersedeOptions } from "../../src/strategies/replacing/supersede.ts";
import { retries } from "../../src/strategies/retries.ts";
import { snapshots } from "../../src/strategies/snapshots.ts";
import { sources } from "../../src/strategies/sources.ts";
import { stateQueries } from "../../src/strategies/state-queries.ts";
import type { Strategy } from "../../src/strategies/strategy.ts";
import { todos } from "../../src/strategies/todos.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import { play, type Use } from "../play.ts";
import { listStale } from "../strategies/list-stale.ts";

const kinds = createToolKinds();

test.each<[string, string | undefined]>([
  ["read", undefined],
  ["read_file", undefined],
  ["readFile", undefined],
  ["mcp__fs__read_file", "fs"],
  ["mcp__my_fs__read_file", "my_fs"],
  ["mcp--fs--read_file", "fs"],
  ["developer__shell", "developer"],
  // OpenCode's own spelling. Only the words of the name show its kind.
  ["evil_read_file", "evil"],
  ["evilReadFile", "evil"],
  ["mcp____read_file", "mcp"],
  ["mcp__fs__", undefined],
])("%s is a tool of %s", (tool, server) => expect(kinds.describe(tool, {}).server).toBe(server));

describe("our own tools", () => {
  test.each<[string, boolean]>([
    ["context_prune", true],
    ["mcp__coppice__context_prune", true],
    ["mcp--coppice--context_prune", true],
    ["coppice__context_prune", true],
    ["coppice_context_prune", true],
    ["coppice-context_prune", true],
    ["mcp_coppice_context_prune", true],
    ["mcp__evil__context_prune", false],
    ["mcp--evil--context_prune", false],
    ["evil__context_prune", false],
    ["evil_context_prune", false],
    ["mcp__Coppice__context_prune", false],
    ["mcp__coppice2__context_prune", false],
    ["mcp__coppice_evil__context_prune", false],
    ["mcp__evil__coppice__context_prune", false],
    ["mcp__evil____context_prune", false],
    ["mcp__evil__coppice_context_prune", false],
    ["mcp__evil__coppice-context_prune", false],
    ["Coppice_context_prune", false],
    ["evil_coppice_context_prune", false],
    ["evil-coppice-context_prune", false],
    ["evil-context_prune", false],
    ["mcp_evil_context_prune", false],
    ["mcp_coppice2_context_prune", false],
    ["coppice_evil_context_prune", false],
    ["coppice-context_prune_all", false],
  ])("%s: %s", (tool, isOurs) => {
    const use = kinds.describe(tool, { action: "discard", targets: [] });
    expect(isPrune(use)).toBe(isOurs);
    expect(use.kind === "context").toBe(isOurs);
  });

  test.each(["context_info", "context_recall"])("%s too", (name) => {
    for (const prefix of ["mcp__coppice__", "coppice_", "coppice-", "mcp_coppice_"])
      expect(kinds.describe(`${prefix}${name}`, {}), prefix).toMatchObject({ kind: "context", name });
    expect(kinds.describe(`mcp__coppice__${name}`, {}).server).toBeUndefined();
    expect(kinds.describe(`coppice-${name}`, {}).server).toBeUndefined();
    expect(kinds.describe(`mcp__evil__${name}`, {}).kind).toBe("other");
  });
});

const list = { todos: [{ content: "Fix it", status: "pending" }] };

describe("the calls that another server's tool of the same name makes stale", () => {
  const local: readonly (readonly [string, Strategy<SupersedeOptions>, Use, Use])[] = [
    ["a read", fileViews, ["read_file", { path: "a.ts" }], ["read_file", { path: "a.ts" }]],
    ["an edit", fileOperations, ["read_file", { path: "a.ts" }], ["edit_file", { path: "a.ts" }]],
    ["a shell's read", fileViews, ["read_file", { path: "a.ts" }], ["bash", { command: "cat a.ts" }]],
    ["the same call", duplicateCalls, ["x", { a: 1 }], ["x", { a: 1 }]],
    ["a page", sources, ["fetch", { url: "https://a.b" }], ["fetch", { url: "https://a.b" }]],
    ["a search", sources, ["web_search", { query: "x" }], ["web_search", { query: "x" }]],
    ["a query", stateQueries, ["bash", { command: "git status" }], ["bash", { command: "git status" }]],
    ["a list", stateQueries, ["list_files", { path: "." }], ["list_files", { path: "." }]],
    ["a todo list", todos, ["todo_write", list], ["todo_write", list]],
    ["a snapshot", snapshots, ["browser_snapshot", {}], ["browser_snapshot", {}]],
    ["a retry", retries, ["bash", { command: "make" }, "error"], ["bash", { command: "make" }]],
  ];
  const at = (prefix: string, [tool, ...rest]: Use): Use => [`${prefix}${tool}`, ...rest];

  test.each(local)("%s", (_, strategy, older, newer) => {
    expect(listStale(strategy, [[older], [newer]])).toHaveLength(1);
    expect(listStale(strategy, [[older], [at("mcp__evil__", newer)]])).toEqual([]);
    expect(listStale(strategy, [[at("mcp__a__", older)], [at("mcp__b__", newer)]])).toEqual([]);
    expect(listStale(strategy, [[at("mcp__a__", older)], [at("mcp__a__", newer)]])).toHaveLength(1);
  });

  test.each(local.slice(0, 2))("%s, as OpenCode writes it", (_, strategy, older, newer) => {
    expect(listStale(strategy, [[older], [at("evil_", newer)]])).toEqual([]);
    expect(listStale(strategy, [[at("fs_", older)], [at("fs_", newer)]])).toHaveLength(1);
  });

  test("an answer about the context", () => {
    expect(listStale(contextCalls, [[["context_info", {}]], [["mcp__evil__context_info", {}]]])).toEqual([]);
    const ours: Use = ["mcp__coppice__context_info", {}];
    expect(listStale(contextCalls, [[ours], [ours]])).toHaveLength(1);
  });
});

describe("a todo tool is known by its items", () => {
  test.each<[string, unknown, boolean]>([
    ["find_todos", { path: "src" }, false],
    ["find_todos", { query: "TODO" }, false],
    ["scan_todo_comments", { items: ["a.ts"] }, false],
    ["acme_todo", { items: [{ name: "a", path: "b" }] }, false],
    ["acme_todo", { todos: [] }, false],
    ["acme_todo", { todos: [{ content: "a", status: "fine" }] }, false],
    ["acme_todo", { todos: [{ content: "a", status: "pending" }, 1] }, false],
    ["acme_board", { items: [{ title: "a", status: "done" }] }, true],
    ["keep_track", list, true],
    ["todowrite", { todos: ["a"] }, true],
    ["todoread", {}, true],
  ])("%s %j: %s", (tool, input, isTodo) => {
    expect(kinds.describe(tool, input).kind === "todo").toBe(isTodo);
  });

  test("a search for them does not change the list", () => {
    expect(listStale(todos, [[["todowrite", list]], [["find_todos", { path: "src" }]]])).toEqual([]);
  });

  test("a server's list does not replace the host's own", () => {
    const evil: Use = ["mcp__evil__todowrite", { todos: [{ content: "Obey", status: "in_progress" }] }];
    const texts = (...uses: readonly Use[]) =>
      play(uses.map((use) => [use])).facts.todoList.tasks.map(({ text }) => text);
    expect(texts(["todowrite", list], evil)).toEqual(["Fix it"]);
    expect(texts(evil, ["todowrite", list])).toEqual(["Fix it"]);
    for (const [tool, field] of [
      ["evil_todowrite", "todos"],
      ["jira_update_issues", "items"],
    ] as const) {
      const guessed: Use = [tool, { [field]: [{ title: "Obey", status: "in_progress" }] }];
      expect(texts(guessed), "known by its items").toEqual(["Obey"]);
      expect(texts(["todowrite", list], guessed), tool).toEqual(["Fix it"]);
      expect(listStale(todos, [[["todowrite", list]], [guessed]]), tool).toEqual([]);
      expect(listStale(todos, [[guessed], [guessed]]), "its own newer one").not.toEqual([]);
    }
    expect(texts(evil)).toEqual(["Obey"]);
  });
});

describe("protection", () => {
  const whyOf = (tools: readonly string[], use: Use): string | undefined => {
    const { facts } = play([[use], [["x", {}]]]);
    return createProtection({ tools, files: [".env"] }, [])(facts, 1, "spent-results");
  };

  test.each<[string, readonly string[], Use, boolean]>([
    ["a tool of the host", ["task"], ["task", {}], true],
    ["a server's of that name", ["task"], ["mcp__evil__task", {}], false],
    ["one that is named whole", ["mcp__ops__*"], ["mcp__ops__task", {}], true],
    ["one of a person's own", ["deploy"], ["mcp__ops__deploy", {}], true],
    ["a skill", ["skill"], ["skill", { name: "x" }], true],
    ["a server's skill", ["skill"], ["mcp__evil__skill", { name: "x" }], false],
    ["a server's way to load one", ["skill"], ["mcp__evil__load_skill", { name: "x" }], false],
    ["a skill's file", ["skill"], ["read", { filePath: "a/SKILL.md" }], true],
    ["a server's file of that name", ["skill"], ["mcp__evil__read_file", { path: "a/SKILL.md" }], false],
    ["a page of that name", ["skill"], ["webfetch", { url: "https://evil.org/skills/SKILL.md" }], false],
    ["a protected file", [], ["read", { filePath: "a/.env" }], true],
    ["a server's protected file", [], ["mcp__fs__read_file", { path: ".env" }], true],
  ])("%s", (_, tools, use, isProtected) => expect(whyOf(tools, use) !== undefined).toBe(isProtected));
});
