import type { Issue } from "../../basics/issue.ts";
import { isRecord } from "../../basics/json.ts";
import type { ReasoningRule } from "../../models/profile.ts";
import { isTextBlock } from "../blocks.ts";
import type { ReportIssue } from "../pairing.ts";
import { isReasoning, isSigned } from "./blocks.ts";

/** The provider joins neighbouring messages of one role into one turn. */
interface Turn {
  readonly role: "user" | "assistant";
  /** The index of its first message. */
  readonly index: number;
  readonly blocks: unknown[];
}

/**
 * The rules of the Messages API: the user begins; a turn's calls are answered by the first blocks of the next turn, one
 * result each; ids are unique; no text is blank; thinking is signed, and comes first in the current tool loop.
 */
export function validateAnthropicMessages(
  messages: readonly unknown[],
  reasoning: ReasoningRule,
): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message) =>
    issues.push({ code, message, where: `messages/${index}`, severity: "error" });
  const turns = readTurns(messages, report);
  if (turns[0]?.role === "assistant")
    report("role-order", turns[0].index, "The first message must be the user's.");
  const calledAt = indexCalls(turns, report);
  turns.forEach((turn, order) => {
    const before = turns[order - 1];
    if (turn.role === "user") checkResults(before, turn, calledAt, report);
    else checkReasoning(turn, reasoning, report);
  });
  const last = turns.at(-1);
  if (last?.role === "assistant") reportUnanswered(last, readCallIds(last), report);
  if (reasoning === "signed" || reasoning === "bound") checkToolLoop(turns, report);
  return issues;
}

function readTurns(messages: readonly unknown[], report: ReportIssue): readonly Turn[] {
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    if (!isRecord(message) || !(typeof message.content === "string" || Array.isArray(message.content))) {
      report("malformed-message", index, "A message is an object with a role and content.");
      return;
    }
    const { role, content } = message;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
    checkBlocks(blocks, index, role === "assistant" && index === messages.length - 1, report);
    if (role === "system") return;
    if (role !== "user" && role !== "assistant") {
      report("role-order", index, "The role is user or assistant.");
      return;
    }
    const turn = turns.at(-1);
    if (turn?.role === role) for (const block of blocks) turn.blocks.push(block);
    else turns.push({ role, index, blocks: [...blocks] });
  });
  return turns;
}

function checkBlocks(
  blocks: readonly unknown[],
  index: number,
  mayBeEmpty: boolean,
  report: ReportIssue,
): void {
  if (blocks.length === 0 && !mayBeEmpty) report("empty-message", index, "A message has no content.");
  const inner = blocks.flatMap((block) =>
    isRecord(block) && Array.isArray(block.content) ? block.content : [],
  );
  if ([...blocks, ...inner].some((block) => isTextBlock(block) && block.text.trim() === "")) {
    report("empty-block", index, "A text is blank.");
  }
}

function indexCalls(turns: readonly Turn[], report: ReportIssue): ReadonlyMap<string, number> {
  const calledAt = new Map<string, number>();
  for (const turn of turns) {
    for (const id of readCallIds(turn)) {
      if (calledAt.has(id)) report("repeated-call-id", turn.index, `Call id ${id} was used before.`);
      calledAt.set(id, turn.index);
    }
  }
  return calledAt;
}

function checkResults(
  before: Turn | undefined,
  turn: Turn,
  calledAt: ReadonlyMap<string, number>,
  report: ReportIssue,
): void {
  const callIds = new Set(before ? readCallIds(before) : []);
  const open = new Set(callIds);
  let isLate = false;
  for (const block of turn.blocks) {
    if (!isRecord(block) || block.type !== "tool_result") {
      isLate = true;
      continue;
    }
    const id = typeof block.tool_use_id === "string" ? block.tool_use_id : "(none)";
    if (isLate) report("role-order", turn.index, `The result of ${id} comes after other blocks.`);
    if (open.delete(id)) continue;
    if (callIds.has(id)) report("repeated-call-id", turn.index, `Call ${id} has two results.`);
    else if ((calledAt.get(id) ?? -1) > turn.index)
      report("result-before-call", turn.index, `Call ${id} comes after its result.`);
    else report("result-without-call", turn.index, `No call ${id} in the turn before.`);
  }
  if (before) reportUnanswered(before, open, report);
}

function reportUnanswered(turn: Turn, ids: Iterable<string>, report: ReportIssue): void {
  for (const id of ids)
    report("call-without-result", turn.index, `Call ${id} has no result in the next turn.`);
}

function checkReasoning(turn: Turn, rule: ReasoningRule, report: ReportIssue): void {
  if (isReasoning(turn.blocks.at(-1))) {
    report("reasoning-order", turn.index, "An assistant message must not end with thinking.");
  }
  const mustSign = rule === "signed" || rule === "bound";
  if (mustSign && turn.blocks.some((block) => isReasoning(block) && !isSigned(block))) {
    report("reasoning-missing", turn.index, "Thinking has no signature.");
  }
}

/** If the last response has calls, its tool loop is still open: any thinking must come first in it. */
function checkToolLoop(turns: readonly Turn[], report: ReportIssue): void {
  const turn = turns.findLast(({ role }) => role === "assistant");
  if (turn === undefined || readCallIds(turn).length === 0) return;
  if (turn.blocks.some(isReasoning) && !isReasoning(turn.blocks[0])) {
    report("reasoning-order", turn.index, "Thinking must come before the other blocks of its message.");
  }
}

function readCallIds(turn: Turn): readonly string[] {
  if (turn.role !== "assistant") return [];
  return turn.blocks.flatMap((block) =>
    isRecord(block) && block.type === "tool_use" && typeof block.id === "string" ? [block.id] : [],
  );
}
