import { describe, expect, test } from "vitest";
import { stateQuestion } from "../../src/tool-kinds/state-query.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";

const kinds = createToolKinds();

function question(command: string, directory?: string): string | undefined {
  return stateQuestion(kinds.describe("bash", { command }, directory === undefined ? {} : { directory }));
}

describe("one question", () => {
  test.each([
    ["git status", "git status -s"],
    ["git status", "git status --short --branch"],
    ["git status", "git --no-pager status --porcelain=v1 | cat"],
    ["git status", "cd . && git status 2>/dev/null"],
    ["git status", "git status && echo done"],
    ["git status", "git status || true"],
    ["git -C lib status", "cd lib && git status"],
    ["git log -5", "git log --oneline -5"],
    ["git log -5", "git log --graph --pretty=format:%h -5"],
    ["git diff a.ts", "git diff -- a.ts"],
    ["git diff --stat --cached", "git diff --cached --stat"],
    ["git branch", "git branch -vv --no-color"],
    ["ls", "ls -la"],
    ["ls", "ls -1"],
    ["ls src", "ls -1 --group-directories-first --sort=time src"],
    ["ls -R", "ls -1R"],
    ["df", "df -hT"],
    ["ls src", "ls -lah ./src/"],
    ["ls src", "cd src && ls"],
    ["ls", "ls ."],
    ["df", "df -h"],
    ["pwd", "pwd -P"],
    ["ls a; ls b", "ls a && echo --- && ls b"],
    ["bash -lc 'git status'", "git status"],
  ])("%s = %s", (a, b) => {
    expect(question(a)).toBeDefined();
    expect(question(a)).toBe(question(b));
    expect(question(a, "/w")).toBe(question(b, "/w"));
  });
});

describe("two questions", () => {
  test.each([
    ["ls /a", "ls /b"],
    ["ls", "ls -R"],
    ["ls", "ls src"],
    ["ls", "cd src && ls"],
    ["ls", "ls | head -5"],
    ["ls | head -5", "ls | head -9"],
    ["find . -name x", "find . -name y"],
    ["find . -name x", "find . -name x -maxdepth 1"],
    ["git diff", "git diff --cached"],
    ["git diff", "git diff HEAD~1"],
    ["git diff", "git diff --stat"],
    ["git log", "git log -5"],
    ["git log", "git log -1"],
    ["git log -1", "git log -2"],
    ["git status", "git diff"],
    ["git status", "git status && git diff"],
    ["git status", "git status --ignored"],
    ["git status", "git -C lib status"],
    ["git branch", "git branch -a"],
    ["git branch", "git branch --show-current"],
    ["which node", "which npm"],
    ["tree", "tree -L 2"],
    ["ps aux", "ps -ef"],
  ])("%s, %s", (a, b) => {
    expect(question(a)).toBeDefined();
    expect(question(b)).toBeDefined();
    expect(question(a)).not.toBe(question(b));
  });
});

describe("no question", () => {
  test.each([
    "npm test",
    "cat a.ts",
    "ls > files.txt",
    "ls | tee files.txt",
    "ls | xargs rm",
    "ls | sort -o files.txt",
    "git status && npm test",
    "git add . && git status",
    "git status; rm a.ts",
    "ls & ls",
    "ls $DIR",
    "cd $DIR && ls",
    "ls $(pwd)",
    "(ls)",
    "for f in a b; do ls; done",
    "X=1; ls",
    "find . -name x -delete",
    "find . -exec rm {} +",
    "git branch new",
    "git branch -D old",
    "git stash",
    "git stash pop",
    "git diff --output=x",
    "git show HEAD",
    "git",
    "env FOO=1 npm test",
    "env -i ls",
    "echo ls",
    "ls 'open",
    "",
  ])("%s", (command) => {
    expect(question(command)).toBeUndefined();
  });

  test.each([
    ["read", { path: "a.ts" }],
    ["grep", { pattern: "x" }],
    ["todowrite", { todos: [] }],
    ["bash", undefined],
    ["PowerShell", { command: "ls" }],
  ])("%s %j", (tool, input) => {
    expect(stateQuestion(kinds.describe(tool, input))).toBeUndefined();
  });
});

describe("tools that list", () => {
  const ask = (tool: string, input: unknown) => stateQuestion(kinds.describe(tool, input));

  test.each([
    ["ls", { path: "./src" }, { path: "src/" }],
    ["ls", {}, { path: "." }],
    [
      "glob",
      { pattern: "*.ts", path: "src" },
      { path: "src", pattern: "*.ts", description: "finds sources" },
    ],
    ["list_files", { path: "a", depth: 1, hidden: true }, { hidden: true, depth: 1, path: "a" }],
    ["git_status", {}, undefined],
  ])("%s: %j = %j", (tool, a, b) => {
    expect(ask(tool, a)).toBeDefined();
    expect(ask(tool, a)).toBe(ask(tool, b));
  });

  test.each([
    ["ls", { path: "a" }, { path: "b" }],
    ["glob", { pattern: "*.ts" }, { pattern: "*.go" }],
    ["list_files", { path: "a" }, { path: "a", recursive: true }],
    ["git_diff", {}, { path: "a.ts" }],
  ])("%s: %j, %j", (tool, a, b) => {
    expect(ask(tool, a)).not.toBe(ask(tool, b));
  });

  test("each asks another question", () => {
    expect(ask("git_status", {})).not.toBe(ask("git_log", {}));
  });
});
