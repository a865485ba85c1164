import type { Issue } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { ReportIssue } from "../pairing.ts";
import { isModelItem, isReference, readCall, readOutputId, readTextField } from "./items.ts";

/**
 * The rules of the Responses API: every call has one output somewhere after it, and every output its call before it
 * (or among the items that are only referred to); reasoning is followed by its next item; nothing is empty.
 */
export function validateOpenAiResponses(items: readonly unknown[]): readonly Issue[] {
  const callIdOf = (item: JsonRecord) => readCall(item)?.callId;
  return validateItems(items, { callIdOf, readOutputId, readTextField, isModelItem, isReference });
}

/** The properties of an item that the rules need. */
interface ItemReader {
  readonly callIdOf: (item: JsonRecord) => string | undefined;
  readonly readOutputId: (item: JsonRecord) => string | undefined;
  readonly readTextField: (block: unknown) => string | undefined;
  readonly isModelItem: (item: JsonRecord) => boolean;
  readonly isReference: (item: JsonRecord) => boolean;
}

/** The same rules for items with another spelling. */
export function validateItems(items: readonly unknown[], read: ItemReader): readonly Issue[] {
  const issues: Issue[] = [];
  const report: ReportIssue = (code, index, message, severity = "error") =>
    issues.push({ code, message, where: `messages/${index}`, severity });
  items.forEach((item, index) => {
    if (!isRecord(item) || !isItem(item, read))
      report("malformed-message", index, "An item is an object with a type or a role.");
    else if (item.type === "reasoning") checkReasoning(items[index + 1], index, report, read);
    else checkContent(item, index, report, read);
  });
  checkPairs(items, report, read);
  return issues;
}

function checkPairs(items: readonly unknown[], report: ReportIssue, read: ItemReader): void {
  const calls = items.map((item) => (isRecord(item) ? read.callIdOf(item) : undefined));
  const last = new Map(calls.flatMap((id, index) => (id === undefined ? [] : [[id, index] as const])));
  const isComplete = !items.some((item) => isRecord(item) && read.isReference(item));
  const open = new Map<string, number>();
  const answered = new Set<string>();
  items.forEach((item, index) => {
    const call = calls[index];
    if (call !== undefined) {
      if (open.has(call)) report("repeated-call-id", index, `Two open calls share the id ${call}.`);
      else if (answered.delete(call))
        report("repeated-call-id", index, `Call id ${call} was used before.`, "warning");
      open.set(call, index);
    }
    const result = isRecord(item) ? read.readOutputId(item) : undefined;
    if (result === undefined) return;
    if (open.delete(result)) answered.add(result);
    else if (answered.has(result)) report("repeated-call-id", index, `Call ${result} has two outputs.`);
    else if ((last.get(result) ?? -1) > index)
      report("result-before-call", index, `Call ${result} comes after its output.`);
    else if (isComplete) report("result-without-call", index, `No call ${result} before this output.`);
  });
  for (const [id, index] of open) report("call-without-result", index, `Call ${id} has no output.`);
}

function checkReasoning(next: unknown, index: number, report: ReportIssue, read: ItemReader): void {
  if (!isRecord(next) || !read.isModelItem(next))
    report("reasoning-order", index, "Reasoning lacks the item that followed it.");
}

function checkContent(item: JsonRecord, index: number, report: ReportIssue, read: ItemReader): void {
  const { content, output } = item;
  const isMessage = item.type == null || item.type === "message";
  if (isMessage && !read.isReference(item) && (content == null || content === "" || isEmptyList(content)))
    report("empty-message", index, "A message has no content.");
  if (read.readOutputId(item) !== undefined && isEmptyList(output))
    report("empty-message", index, "An output has no content.");
  const blocks: readonly unknown[] = [content, output].flatMap((list) => (Array.isArray(list) ? list : []));
  if (blocks.some((block) => isEmptyText(block, read)))
    report("empty-block", index, "A text block is empty.");
}

function isItem(item: JsonRecord, read: ItemReader): boolean {
  return typeof item.type === "string" || typeof item.role === "string" || read.isReference(item);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isEmptyText(block: unknown, read: ItemReader): boolean {
  const field = read.readTextField(block);
  return field !== undefined && isRecord(block) && block[field] === "";
}
