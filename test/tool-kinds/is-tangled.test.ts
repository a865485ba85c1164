import { expect, test } from "vitest";
import { isTangled } from "../../src/tool-kinds/shell/is-tangled.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import { textOf } from "../conversation.ts";

const json = JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ id: i, tags: [{ name: `tag ${i}` }] })));
const code = `${textOf(2_000)}\n`.repeat(20).replaceAll("compute(order", "{ compute([order(");

test.each<[string, string, boolean]>([
  ["braces and brackets that are closed", "cp {a,b}.ts $[1+2] $(pwd)/{c,d}", false],
  ["a few that are not", "echo {{{ $[ `(((", false],
  ["JSON in one word", `curl -d '${json}' http://localhost`, false],
  ["code in a here-document", `cat > a.ts <<'EOF'\n${code}EOF`, false],
  ["a long script", "for f in $(ls); do echo {$f,y}; done\n".repeat(2_000), false],
  ["braces without an end", "{".repeat(20_000), true],
  ["braces with words between", "{a,".repeat(20_000), true],
  ["braces that end in quotes", "{'}'".repeat(20_000), true],
  ["brackets without an end", `echo "${"$[".repeat(20_000)}"`, true],
  ["parentheses in backticks", `echo \`${"$(".repeat(20_000)}\``, true],
])("%s", (_, line, tangled) => {
  expect(isTangled(line)).toBe(tangled);
});

test("a line that is tangled is not understood, and stays a command", () => {
  const command = `echo ${"{".repeat(20_000)} > a.ts`;
  expect(createToolKinds().describe("bash", { command })).toMatchObject({
    kind: "shell",
    command,
    files: [],
    commands: [],
  });
});
