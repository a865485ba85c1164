import { answerPrune, createPruner, type Pruner, type Report } from "../../src/index.ts";

/* The engine under test, configured once for the plugin in the host and for the cold replay in the test. */

export function createEngine(): Pruner {
  return createPruner({ format: "opencode", agentTools: true });
}

/** The answer of `context_prune`. */
export function answer(pruner: Pruner, session: string, input: unknown): string {
  const view = pruner.agentView(session);
  return view ? answerPrune(input, view) : "Nothing discarded.";
}

/** By call id, the ids of the edits on the call's parts, or on those of the step that it opens. */
export function editsByCall(report: Report): ReadonlyMap<string, string> {
  const active = new Map(
    report.edits.flatMap(({ edit }) => (edit.type === "undo" ? [] : [[edit.id, edit] as const])),
  );
  for (const { edit } of report.edits) if (edit.type === "undo") active.delete(edit.target);
  const edits = new Map<string, string>();
  for (const edit of active.values()) {
    for (const part of edit.type === "drop" ? edit.parts : [edit.part]) {
      const call = /^(?:call|result|\w+:in:call):(.*)#\d+(?:#\d+)?$/.exec(part)?.[1];
      if (call !== undefined) edits.set(call, `${edits.get(call) ?? ""} ${edit.id}`);
    }
  }
  return edits;
}
