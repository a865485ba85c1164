import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { Conversation, textOf } from "../conversation.ts";

const script = textOf(400);

/** The command of the first call, six steps later. */
function commandAfter(command: string, steps = 6): string {
  const conversation = new Conversation().call("bash", { command }, "ok");
  for (let i = 0; i < steps; i++) conversation.call("glob", { pattern: `*.${i}` }, "a.ts");
  const { messages } = createPruner({ config: { schedule: { mode: "eager" } } }).prune(conversation.messages);
  const call = messages[1] as { tool_calls: { function: { arguments: string } }[] };
  return JSON.parse(call.tool_calls[0]?.function.arguments ?? "").command;
}

describe("here-documents of old commands are emptied", () => {
  test.each<[string, string, string]>([
    ["a file that was written", `cat > a.py <<'EOF'\n${script}\nEOF`, "cat > a.py <<'EOF'\n…\nEOF"],
    [
      "a script, with more behind it",
      `cd /work && python3 - <<PY > out.txt\n${script}\nPY\nls -la`,
      "cd /work && python3 - <<PY > out.txt\n…\nPY\nls -la",
    ],
    [
      "several of them",
      `cat > a <<"A"\n${script}\nA\ncat > b <<-B\n${script}\n\tB\n`,
      'cat > a <<"A"\n…\nA\ncat > b <<-B\n…\n\tB\n',
    ],
  ])("%s", (_, command, expected) => {
    expect(commandAfter(command)).toBe(expected);
  });

  test.each<[string, string]>([
    ["a short one", "cat > a.py <<EOF\nprint(1)\nEOF"],
    ["a patch, which alone says what it was about", `apply_patch <<'EOF'\n${script}\nEOF`],
    ["one that does not end", `cat > a.py <<EOF\n${script}`],
    ["a long line without any", `echo "${script}" > a.txt`],
    ["a shift of bits", `python3 -c "print(1 << 3)\n${script}"`],
  ])("%s stays", (_, command) => {
    expect(commandAfter(command)).toBe(command);
  });

  test("not too early", () => {
    const command = `cat > a.py <<'EOF'\n${script}\nEOF`;
    expect(commandAfter(command, 4)).toBe(command);
  });
});
