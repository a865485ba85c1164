import { describe, expect, test } from "vitest";
import { findEdits } from "../../src/tool-kinds/shell/find-edits.ts";

describe("texts that sed looks for in a file that it changes", () => {
  test.each<[string, readonly string[]]>([
    ["sed -i 's/const total = 1;/x/' a.ts", ["const total = 1;"]],
    ["cd /w && sed -i.bak -e '12,14s|const a|x|g' -e 's#b\\/c#d#' a.ts", ["const a", "b/c"]],
    [`sed -i "862s/.replace(\\"''\\", \\"'\\")//" card.py`, [`.replace("''", "'")`]],
    ["sed -i 's/cright\\[-right.shape\\[0\\]:\\] = 1/x/' a.py", ["cright[-right.shape[0]:] = 1"]],
    ["sed -i '/^import os$/a\\import tempfile' a.py", ["import os"]],
    ["sed -i '/first line/,/last line/d' a.py", ["first line", "last line"]],
    ["sed -i 's/total.*sum(lines)[,;] end/x/' a.py", ["total", "sum(lines)", " end"]],
    ["sed -i -E 's/f\\(x\\) (one|two)+ three/x/' a.py", ["f(x) ", "one", "two", " three"]],
    ["sed -i 's/\\(one\\) two\\{2\\}/x/' a.py", ["one", " two", "2"]],
    ["sed -i 's/first/x/; s/second/y/\ns/third/z/' a.py", ["first", "second", "third"]],
    ["sed -i '12,14d' a.py", []],
    ["sed -i '12i\\    s/not a command/' a.py", []],
    ["sed -n 's/shown, not changed/x/p' a.py", []],
    ["sed 's/printed, not changed/x/' a.py", []],
    ["sed -i 's/no end", []],
  ])("%s", (line, replaced) => {
    expect(findEdits(line)).toEqual({ replaced, patches: [], written: [] });
  });
});

describe("texts that stand in the line", () => {
  const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n";
  const envelope = "*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n*** End Patch";

  test.each<[string, string, object]>([
    ["a file", "cat > a.ts <<'EOF'\none\ntwo\nEOF", { written: ["one\ntwo\n"] }],
    ["a file, by tee", "tee a.ts <<EOF\none\nEOF", { written: ["one\n"] }],
    ["lines at the end of a file", "cat >> a.ts <<EOF\none\nEOF", {}],
    ["a script", "python3 - <<EOF\nprint(1)\nEOF", {}],
    ["a diff", `git apply <<'EOF'\n${diff}EOF`, { patches: [diff] }],
    ["a patch", `apply_patch <<'EOF'\n${envelope}\nEOF`, { patches: [`${envelope}\n`] }],
    ["in Codex's scripts", `await tools.apply_patch(${JSON.stringify(envelope)});`, { patches: [envelope] }],
    [
      "in a command of such a script",
      `text(await tools.exec_command({ cmd: "sed -i 's/old text/x/' a.ts" }));`,
      { replaced: ["old text"] },
    ],
  ])("%s", (_, line, found) => {
    expect(findEdits(line)).toEqual({ replaced: [], patches: [], written: [], ...found });
  });
});
