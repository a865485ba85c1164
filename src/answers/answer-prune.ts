import type { AgentView } from "../agent/agent-view.ts";
import { listTargets, readAction } from "../agent/prune-input.ts";
import { isRecord } from "../basics/json.ts";
import { answerParts } from "./answer-parts.ts";
import { answerReplace } from "./answer-replace.ts";
import { answerRestore } from "./answer-restore.ts";
import { answerSafely } from "./answer-safely.ts";
import { writeRefusal } from "./write-answer.ts";

/**
 * Answers a `context_prune` call. The fold carries out what the answer accepts, when it reads the answer in the
 * transcript. Never throws.
 */
export function answerPrune(input: unknown, view: AgentView): string {
  return answerSafely(() => answer(input, view));
}

function answer(input: unknown, view: AgentView): string {
  const { actions } = view.settings;
  const action = readAction(input);
  if (!action || !actions.includes(action)) {
    const argument =
      isRecord(input) && typeof input.action === "string" ? JSON.stringify(input.action) : "(none)";
    const problem = action ? `The action ${action} is turned off` : `Unknown action ${argument}`;
    const use = actions.length > 0 ? `use ${actions.join(", ")}` : "context_prune is turned off";
    return writeRefusal(undefined, [`${problem}: ${use}`], view);
  }
  if (!view.obeys) return writeRefusal(action, [PRUNING_IS_OFF], view);
  const targets = listTargets(input);
  if (targets.length === 0)
    return writeRefusal(action, [`No targets provided: give targets as ${FORMS[action]}`], view);
  if (action === "replace") return answerReplace(targets, view);
  return action === "restore" ? answerRestore(targets, view) : answerParts(action, targets, view);
}

const PRUNING_IS_OFF = "The user turned pruning off in this session: continue without it";

const FORMS = {
  discard: '[["a1b2c3"], …]',
  distill: '[["a1b2c3", "summary"], …]',
  replace: '[["start", "end", "replacement"], …]',
  restore: '[["a1b2c3"], …]',
} as const;
