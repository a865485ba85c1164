import { expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { AgentSession } from "./agent-session.ts";

test("a text that was discarded before, in a transcript that was already pruned, is not discarded again", () => {
  // The description of the marker is shorter than the marker: this text has characters of several units.
  const said = `${"größte 𝒳 emoji 👩‍🚀 naïve ".repeat(3)}\n${"and so on, ".repeat(60)}`;
  const played = new AgentSession().step({
    text: said,
    calls: [["read", { filePath: "a.ts" }, "ok"]],
  });
  const ref = played.ref("text");
  expect(played.ask("discard", [[ref]])).toContain(ref);
  const once = played.prune();
  expect(JSON.stringify(once.messages)).toContain("[discarded: message ");
  const again = createPruner({ ...played.options, format: played.format }).prune(once.messages);
  expect(again.messages).toEqual(once.messages);
  expect(again.report.edits).toEqual([]);
});
