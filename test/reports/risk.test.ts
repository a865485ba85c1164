import { expect, test } from "vitest";
import { buildReportData } from "../../src/page/report-data.ts";
import { createPruner } from "../../src/pruner.ts";
import { explainRef } from "../../src/reports/explain-ref.ts";
import { describeRisk } from "../../src/risk/describe-risk.ts";
import { Conversation, textOf } from "../conversation.ts";
import { makeRecording } from "../replay/make-recording.ts";

/* A cut of text that the agent may need again: every place that shows the cut shows the chance and the price. */

/** Commands with much output, which shrinks when the agent has seen it. */
function play(mode: "eager" | "pressure") {
  const session = new Conversation();
  for (let i = 0; i < 10; i++)
    session.call("bash", { command: `make ${i}` }, `${textOf(600, i)}\nnameNumber${i}`);
  const pruner = createPruner({ config: { schedule: { mode } } });
  const { report } = pruner.prune(session.messages, { meta: session.meta });
  const view = pruner.agentView();
  if (!view) throw new Error("nothing was sent");
  return { session, report, view };
}

test("of a cut that was made", () => {
  const { report, view } = play("eager");
  const cut = report.edits.flatMap(({ edit }) => (edit.type !== "undo" && edit.risk ? [edit] : []))[0];
  if (!cut?.risk) throw new Error("no cut with a risk");
  expect(cut.risk).toMatchObject({ kind: "run", age: 5 });
  expect(cut.risk.chance).toBeGreaterThan(0);
  expect(explainRef(cut.ref, report, view)).toContain(`\n  ${describeRisk(cut.risk)}`);
});

test("of one that waits", () => {
  const { report, view } = play("pressure");
  const waiting = report.waiting.find(({ author }) => author === "spent-results");
  if (!waiting?.risk) throw new Error("nothing waits with a risk");
  expect(waiting.risk.price).toBeGreaterThan(0);
  expect(explainRef(waiting.ref, report, view)).toContain(`\n  ${describeRisk(waiting.risk)}`);
});

test("on the page", () => {
  const { session, report } = play("eager");
  session.answer("done");
  const recording = {
    ...makeRecording([]),
    format: "openai-chat" as const,
    segments: [{ messages: session.messages, meta: session.meta, carried: 0 }],
  };
  const { edits } = buildReportData(recording, { config: { schedule: { mode: "eager" } } });
  const risks = edits.flatMap(({ risk }) => risk ?? []);
  expect(risks.length).toBe(report.edits.filter(({ edit }) => edit.type !== "undo" && edit.risk).length);
  expect(risks[0]).toMatch(/^needed again in .* such cases \(output of a command, /);
});
