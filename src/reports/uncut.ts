import { countOf, formatNumber } from "../basics/numbers.ts";
import { FIRST_STEP_AND_CALL } from "../facts/spent.ts";
import type { Fold } from "../fold/fold.ts";

/** Why nothing was ever cut in a session. */
export interface Uncut {
  readonly code: UncutCode;
  /** The whole reason in one line, for people. */
  readonly message: string;
}

export type UncutCode = "off" | "no-results" | "maybe-text" | "waiting" | "short" | "protected" | "in-use";

/** The codes in words, for several sessions. */
const WORDS: Readonly<Record<UncutCode, string>> = {
  off: "Coppice is off",
  "no-results": "no tool results",
  "maybe-text": "no tool results, but user messages that may be outputs",
  waiting: "cuts wait until they pay for rewriting the cache",
  short: "too short",
  protected: "all results are protected",
  "in-use": "all results are still in use",
};

const HINT = "if your agent writes its commands as text, see docs/text-protocols.md";

/** Shorter user messages are not treated as outputs, nor is a single long one. */
const LONG_MESSAGE = 100;
const SEVERAL = 2;

/** `undefined` if something was cut, or if there was no request yet. */
export function explainUncut(fold: Fold): Uncut | undefined {
  const last = fold.advances.at(-1);
  if (!last || fold.ledger.entries.length > 0) return undefined;
  const [code, why] = last.status === "off" ? (["off", WORDS.off] as const) : findReason(fold);
  return { code, message: `Nothing was cut: ${why}` };
}

function findReason(fold: Fold): readonly [UncutCode, string] {
  const { transcript, facts, scheduler } = fold;
  const { results } = facts.calls;
  if (results.length === 0) return findOutputs(fold);
  const { waiting } = scheduler;
  if (waiting.length > 0) {
    const saves = waiting.reduce((sum, each) => sum + each.price.saves, 0);
    const cuts = `${countOf(waiting.length, "cut")} of ${formatNumber(saves)} tokens`;
    return ["waiting", `${cuts} wait until they pay for rewriting the cache, or the window fills`];
  }
  if (results.length < FIRST_STEP_AND_CALL)
    return [
      "short",
      `the session is short (${countOf(results.length, "call")}; most pruning begins with the sixth)`,
    ];
  const tokens = results.reduce((sum, result) => sum + (transcript.tokens[result] ?? 0), 0);
  const all = `all ${countOf(results.length, "result")} (${formatNumber(tokens)} tokens)`;
  const isProtected = results.every((result) => fold.protectedFrom(result, "") !== undefined);
  return isProtected ? ["protected", `${all} are protected`] : ["in-use", `${all} are still in use`];
}

/** Long messages that answer the model may be outputs of commands that it wrote as text. */
function findOutputs({ transcript }: Fold): readonly [UncutCode, string] {
  const { parts, tokens: counts, stepStart } = transcript;
  let [messages, tokens] = [0, 0];
  // Runs with every request; the token counts exclude most parts.
  for (let i = stepStart[1] ?? parts.length; i < parts.length; i++) {
    const count = counts[i] ?? 0;
    const part = count < LONG_MESSAGE ? undefined : parts[i];
    if (part?.kind !== "text" || part.role !== "user") continue;
    messages++;
    tokens += count;
  }
  if (messages < SEVERAL) return ["no-results", "there are no tool results"];
  const found = `${countOf(messages, "user message")} of ${formatNumber(tokens)} tokens may be outputs`;
  return ["maybe-text", `there are no tool results, but ${found}; ${HINT}`];
}

/**
 * The same for many sessions, where `undefined` is a session with cuts. Returns `undefined` if all have cuts.
 *
 *   Nothing was cut in 5 of 12 sessions: no tool results (4), too short (1)
 */
export function sumUncut(sessions: readonly (Uncut | undefined)[]): string | undefined {
  const uncut = sessions.flatMap((each) => each ?? []);
  if (uncut.length === 0) return undefined;
  if (sessions.length === 1) return uncut[0]?.message;
  const counts = new Map<UncutCode, number>();
  for (const { code } of uncut) counts.set(code, (counts.get(code) ?? 0) + 1);
  const why = [...counts].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${WORDS[code]} (${count})`);
  const hint = counts.has("maybe-text") ? `; ${HINT}` : "";
  const of = `${formatNumber(uncut.length)} of ${countOf(sessions.length, "session")}`;
  return `Nothing was cut in ${of}: ${why.join(", ")}${hint}`;
}
