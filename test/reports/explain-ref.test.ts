import { describe, expect, it } from "vitest";
import { createPruner, type Pruner } from "../../src/index.ts";
import { explainRef } from "../../src/reports/explain-ref.ts";

const text = Array.from({ length: 80 }, (_, i) => `line ${i} of the file`).join("\n");

const read = (id: string) => [
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id, type: "function", function: { name: "read", arguments: '{"filePath":"src/a.ts"}' } }],
  },
  { role: "tool", tool_call_id: id, content: text.replaceAll("line", id) },
];

/** A session that reads a file twice, and the ref of the first read. */
function play(mode: "eager" | "pressure") {
  const pruner: Pruner = createPruner({
    format: "openai-chat",
    agentTools: true,
    config: { schedule: { mode } },
  });
  const first = [{ role: "user", content: "Go." }, ...read("a")];
  const shown = JSON.stringify(pruner.prune(first).messages);
  const { report } = pruner.prune([...first, ...read("b")]);
  const view = pruner.agentView();
  if (!view) throw new Error("no request was made");
  return { ref: /<tool_hash>([0-9a-f]{6})/.exec(shown)?.[1] ?? "", report, view };
}

describe("what happened to a text", () => {
  it("that was cut", () => {
    const { ref, report, view } = play("eager");
    expect(explainRef(ref, report, view)).toMatch(
      new RegExp(`^${ref} is read src/a\\.ts\\n {2}cut at step \\d by [a-z-]+, [\\d,]+ tokens saved: .*read`),
    );
  });

  it("that will be cut", () => {
    const { ref, report, view } = play("pressure");
    expect(explainRef(ref, report, view)).toMatch(
      /to be cut by [a-z-]+ when it is cheap, saves [\d,]+ tokens/,
    );
  });

  it("that is whole", () => {
    const { report, view } = play("eager");
    const { refs, transcript } = view.facts;
    const place = { part: transcript.key(transcript.length - 1), leaf: "content", from: 0, to: text.length };
    expect(explainRef(refs.refOf(place), report, view)).toMatch(
      /^[0-9a-f]{6} is read src\/a\.ts\n {2}it is whole$/,
    );
  });

  it("that is not a ref", () => {
    const { report, view } = play("eager");
    expect(explainRef("000000", report, view)).toBe("Nothing in this session has the ref 000000.");
    expect(explainRef("", report, view)).toContain("is not a ref");
    expect(explainRef("ABC123", report, view)).toContain("is not a ref");
  });
});
