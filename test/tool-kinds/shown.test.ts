import { expect, test } from "vitest";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";

const kinds = createToolKinds();

test.each<[tool: string, shows: string | undefined]>([
  ["tree", "tree"],
  ["mcp__fs__directory_tree", "tree"],
  ["get_repo_map", "repo-map"],
  ["code_structure", "structure"],
  ["git_status", "git-status"],
  ["git_diff", "git-diff"],
  ["git_log", "git-log"],
  ["list_files", undefined],
])("%s shows %s", (tool, shows) => {
  const use = kinds.describe(tool, {});
  expect(use.kind).toBe("list");
  expect(use.shows).toBe(shows);
});

test.each<[command: string, shows: string | undefined]>([
  ["git status", "git-status"],
  ["cd lib && git --no-pager status -s", "git-status"],
  ["git diff HEAD~1 | head -50", "git-diff"],
  ["git show HEAD", "git-diff"],
  ["git log --oneline", "git-log"],
  ["git ls-files", "files"],
  ["ls -la src", "files"],
  ["find . -name '*.ts' | sort | head", "files"],
  ["tree -L 2", "tree"],
  ["rg applyRate src", "matches"],
  ["/usr/bin/grep -rn x .", "matches"],
  ["cat a.ts", "file"],
  ["sed -n 1,80p a.ts", "file"],
  ["ls | wc -l", undefined],
  ["ls && npm test", undefined],
  ["ls > files.txt", undefined],
  ["find . -name x -delete", undefined],
  ["git status; git diff", undefined],
  ["git commit -m x", undefined],
  ["npm test", undefined],
  ["for f in a b; do ls $f; done", undefined],
])("the shell line %s shows %s", (command, shows) => {
  expect(kinds.describe("bash", { command }).shows).toBe(shows);
});
