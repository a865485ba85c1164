import { describe, expect, test } from "vitest";
import { contextCalls } from "../../src/strategies/context-calls.ts";
import { duplicateCalls } from "../../src/strategies/duplicate-calls.ts";
import { retries } from "../../src/strategies/retries.ts";
import { snapshots } from "../../src/strategies/snapshots.ts";
import { sources } from "../../src/strategies/sources.ts";
import { stateQueries } from "../../src/strategies/state-queries.ts";
import { todos } from "../../src/strategies/todos.ts";
import type { Outcome, Use } from "../play.ts";
import { listStale, type Steps } from "./list-stale.ts";

type Row = readonly [what: string, steps: Steps, stale: readonly string[]];

const bash = (command: string, outcome?: Outcome): Use => ["bash", { command }, outcome];
const fetch = (url: string, outcome?: Outcome): Use => ["webfetch", { url }, outcome];
const search = (query: string): Use => ["websearch", { query }];
const write = (...todos: readonly string[]): Use => ["todowrite", { todos }];
const edit = (path: string, text: string, outcome?: Outcome): Use => [
  "edit",
  { filePath: path, oldString: text, newString: "" },
  outcome,
];

describe("duplicate calls", () => {
  test.each<Row>([
    [
      "key order is free",
      [[["x", { a: 1, b: 2 }]], [["x", { b: 2, a: 1 }]]],
      ["c0: the same x call was made again"],
    ],
    ["another input is another call", [[["x", { a: 1 }]], [["x", { a: 2 }]]], []],
    ["a failure makes only failures stale", [[["x", {}]], [["x", {}, "error"]]], []],
    ["both have to be complete", [[["x", {}, "pending"]], [["x", {}]]], []],
    [
      "parallel calls both stay",
      [
        [
          ["x", {}],
          ["x", {}],
        ],
      ],
      [],
    ],
  ])("%s", (_, steps, stale) => expect(listStale(duplicateCalls, steps)).toEqual(stale));
});

describe("todos", () => {
  test.each<Row>([
    ["a newer write", [[write("a")], [write("a", "b")]], ["c0: newer todo list"]],
    ["a newer read", [[write("a")], [["todoread", {}]]], ["c0: newer todo list"]],
    ["each once", [[write("a")], [write("b")], [write("c")]], ["c0: newer todo list", "c1: newer todo list"]],
    ["not by a failed one", [[write("a")], [["todowrite", { todos: 1 }, "error"]]], []],
    [
      "in any agent",
      [[["TodoWrite", { todos: [] }]], [["update_plan", { plan: [1] }]]],
      ["c0: newer todo list"],
    ],
    [
      "a call about one item tells nothing of the others",
      [[["task_create", { subject: "a" }]], [["task_update", { id: 1 }]]],
      [],
    ],
    ["nothing of the same step", [[write("a"), write("b")]], []],
  ])("%s", (_, steps, stale) => expect(listStale(todos, steps)).toEqual(stale));
});

describe("context calls", () => {
  test.each<Row>([
    [
      "any by any",
      [[["context_info", {}]], [["context_prune", {}]], [["context_info", {}]]],
      ["c0: newer context call", "c1: newer context call"],
    ],
    ["a recalled text stays", [[["context_recall", { ref: "a1b2c3" }]], [["context_info", {}]]], []],
    ["and makes nothing stale", [[["context_info", {}]], [["context_recall", { ref: "a1b2c3" }]]], []],
  ])("%s", (_, steps, stale) => expect(listStale(contextCalls, steps)).toEqual(stale));
});

describe("sources", () => {
  test.each<Row>([
    [
      "fragment and default port do not count",
      [[fetch("https://a.org/x#top")], [fetch("https://a.org:443/x")]],
      ["c0: newer fetch"],
    ],
    ["another page", [[fetch("https://a.org/x")], [fetch("https://a.org/y")]], []],
    ["another page by its query", [[fetch("https://a.org/?p=1")], [fetch("https://a.org/?p=2")]], []],
    [
      "by whatever tool",
      [[fetch("https://a.org/x")], [["fetch_url", { url: "https://a.org/x" }]]],
      ["c0: newer fetch"],
    ],
    ["the same search", [[search("node streams")], [search(" node streams")]], ["c0: newer search"]],
    ["another search", [[search("node streams")], [search("node buffers")]], []],
    [
      "a failed fetch is no newer source",
      [[fetch("https://a.org/x")], [fetch("https://a.org/x", "error")]],
      [],
    ],
  ])("%s", (_, steps, stale) => expect(listStale(sources, steps)).toEqual(stale));
});

describe("state queries", () => {
  test.each<Row>([
    ["display flags do not count", [[bash("git status")], [bash("git status -s")]], ["c0: newer git status"]],
    ["another folder", [[bash("ls /a")], [bash("ls /b")]], []],
    ["the same folder", [[bash("ls src")], [bash("ls ./src")]], ["c0: newer ls"]],
    ["another diff", [[bash("git diff")], [bash("git diff --cached")]], []],
    ["a line that writes is no query", [[bash("git status")], [bash("git status > out.txt")]], []],
    ["nor is one that does something else", [[bash("git status")], [bash("git status && npm test")]], []],
    ["list tools", [[["list", { path: "src" }]], [["list", { path: "./src" }]]], ["c0: newer list"]],
  ])("%s", (_, steps, stale) => expect(listStale(stateQueries, steps)).toEqual(stale));
});

describe("retries", () => {
  const url = "https://a.org/x";
  test.each<Row>([
    [
      "the failures go with the first success",
      [[fetch(url, "error")], [fetch(url, "error")], [fetch(url)]],
      ["c1: it succeeded later", "c0: it succeeded later"],
    ],
    ["they stay while nothing has succeeded", [[fetch(url, "error")], [fetch(url, "error")]], []],
    [
      "the same target, whatever else the input says",
      [[edit("a.ts", "x", "error")], [edit("./a.ts", "y")]],
      ["c0: it succeeded later"],
    ],
    ["another target", [[edit("a.ts", "x", "error")], [edit("b.ts", "x")]], []],
    ["another tool", [[["write", { filePath: "a.ts" }, "error"]], [edit("a.ts", "x")]], []],
    [
      "what succeeded is no failure",
      [[fetch(url)], [fetch(url, "error")], [fetch(url)]],
      ["c1: it succeeded later"],
    ],
    ["nothing of the same step", [[fetch(url, "error"), fetch(url)]], []],
  ])("%s", (_, steps, stale) => expect(listStale(retries, steps)).toEqual(stale));
});

describe("snapshots", () => {
  test.each<Row>([
    [
      "of the page, wherever they were saved",
      [
        [["browser_snapshot", {}]],
        [["browser_click", { ref: "e1" }]],
        [["browser_snapshot", { filename: "b" }]],
      ],
      ["c0: newer snapshot"],
    ],
    [
      "by whatever tool of that server, however a host writes its name",
      [[["chrome__browser_snapshot", {}]], [["chrome_take_snapshot", { verbose: true }]]],
      ["c0: newer snapshot"],
    ],
    [
      "another server's page is another page",
      [[["mcp__playwright__browser_snapshot", {}]], [["evil_browser_snapshot", {}]]],
      [],
    ],
    [
      "of another element",
      [[["browser_snapshot", { ref: "e1" }]], [["browser_snapshot", { ref: "e2" }]]],
      [],
    ],
    ["of another tab", [[["read_page", { tabId: 1 }]], [["read_page", { tabId: 2 }]]], []],
    ["of another kind", [[["browser_snapshot", {}]], [["browser_take_screenshot", {}]]], []],
    ["a failed one is no newer one", [[["take_snapshot", { a: 1 }]], [["take_snapshot", {}, "error"]]], []],
    [
      "what a click answers is no snapshot",
      [[["browser_click", { ref: "e1" }]], [["browser_snapshot", {}]]],
      [],
    ],
    [
      "nothing of the same step",
      [
        [
          ["take_snapshot", { a: 1 }],
          ["take_snapshot", {}],
        ],
      ],
      [],
    ],
  ])("%s", (_, steps, stale) => expect(listStale(snapshots, steps)).toEqual(stale));
});
