import { isRecord, type JsonRecord } from "../basics/json.ts";
import { listAt, objectAt, stringAt } from "./json.ts";

/**
 * The conversations of a file, each as its lines, without subagents and repeated lines. There is more than one if
 * the user accepted a plan and had the context cleared for it. The first line after that has no parent, like a
 * prompt after the user went back to the start. But it comes from a hook that runs when the context is cleared, or,
 * without such hooks, it contains the plan.
 */
export function splitConversations(records: readonly JsonRecord[]): readonly (readonly JsonRecord[])[] {
  const lines = dropRepeats(records.filter((record) => record.isSidechain !== true));
  const starts = lines.flatMap((line, i) => (i > 0 && clearsContext(line) ? [i] : []));
  return [0, ...starts].map((start, i) => lines.slice(start, starts[i]));
}

/**
 * The lines of a conversation's final history: if the user went back and continued differently, only the newest
 * branch.
 *
 *   u1 ── a1 ── u2 ── a2          the same parent (a1) for two prompts: the user went back to it,
 *          └─── u3 ── a3    ->    u1 a1 u3 a3
 *
 * Results of parallel calls also look like a fork (a call's line has the next call and its own result as children),
 * but are no branch. So only lines that open a message compete.
 */
export function followNewestBranch(lines: readonly JsonRecord[]): readonly JsonRecord[] {
  const parents = findParents(lines);
  const newest = findNewestDescendants(lines);
  const forks = new Map<string, number[]>();
  for (const index of findOpeners(lines)) {
    const parent = parents[index] ?? root;
    // In a log without links, every line is at the root: there, a line competes only if it has descendants.
    if (parent === root && newest[index] === index) continue;
    const rivals = forks.get(parent);
    if (rivals) rivals.push(index);
    else forks.set(parent, [index]);
  }
  const abandoned = new Set<string>();
  for (const rivals of forks.values()) {
    const winner = rivals.reduce((best, index) =>
      (newest[index] ?? 0) > (newest[best] ?? 0) ? index : best,
    );
    for (const index of rivals) if (index !== winner) abandoned.add(stringAt(lines[index], "uuid") ?? "");
  }
  if (abandoned.size === 0) return lines;
  return lines.filter((line) => {
    const isAbandoned = [stringAt(line, "uuid"), stringAt(line, "parentUuid")].some(
      (uuid) => uuid !== undefined && abandoned.has(uuid),
    );
    if (isAbandoned) abandoned.add(stringAt(line, "uuid") ?? "");
    return !isAbandoned;
  });
}

function clearsContext(line: JsonRecord): boolean {
  if (stringAt(line, "parentUuid") !== undefined) return false;
  const hook = objectAt(line, "data") ?? objectAt(line, "attachment");
  return hook?.hookName === "SessionStart:clear" || stringAt(line, "planContent") !== undefined;
}

const root = "";

function dropRepeats(lines: readonly JsonRecord[]): readonly JsonRecord[] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const uuid = stringAt(line, "uuid");
    if (uuid === undefined) return true;
    if (seen.has(uuid)) return false;
    seen.add(uuid);
    return true;
  });
}

/** For each line, the uuid of its nearest ancestor in the conversation, skipping hooks and similar lines. */
function findParents(lines: readonly JsonRecord[]): readonly string[] {
  const anchors = new Map<string, string>();
  return lines.map((line) => {
    const above = stringAt(line, "parentUuid") ?? root;
    const parent = anchors.get(above) ?? above;
    const uuid = stringAt(line, "uuid");
    if (uuid !== undefined) anchors.set(uuid, isConversation(line) ? uuid : parent);
    return parent;
  });
}

/** For each line, the index of its newest descendant, or its own if it has none. */
function findNewestDescendants(lines: readonly JsonRecord[]): readonly number[] {
  const indexes = new Map<string, number>();
  for (const [index, line] of lines.entries()) indexes.set(stringAt(line, "uuid") ?? "", index);
  const newest = lines.map((_, index) => index);
  for (let index = lines.length - 1; index >= 0; index--) {
    const parent = indexes.get(stringAt(lines[index], "parentUuid") ?? "");
    if (parent !== undefined && parent < index)
      newest[parent] = Math.max(newest[parent] ?? 0, newest[index] ?? 0);
  }
  return newest;
}

function findOpeners(lines: readonly JsonRecord[]): readonly number[] {
  const responses = new Set<string>();
  const openers: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.type === "user" ? isPrompt(line) : opensResponse(line, responses)) openers.push(index);
  }
  return openers;
}

function isConversation(line: JsonRecord): boolean {
  return line.type === "user" || line.subtype === "compact_boundary" || isResponse(line);
}

/** A line of a model response. */
export function isResponse(line: JsonRecord): boolean {
  return line.type === "assistant" && !isSynthetic(line);
}

/** Written by the host, not by a model: an API error, or a filler after an interruption. */
function isSynthetic(line: JsonRecord): boolean {
  return line.isApiErrorMessage === true || objectAt(line, "message")?.model === "<synthetic>";
}

function isPrompt(line: JsonRecord): boolean {
  if (line.isMeta === true || line.isCompactSummary === true) return false;
  const blocks = listAt(objectAt(line, "message"), "content");
  return !blocks.some((block) => isRecord(block) && block.type === "tool_result");
}

function opensResponse(line: JsonRecord, responses: Set<string>): boolean {
  if (!isResponse(line)) return false;
  const id = stringAt(objectAt(line, "message"), "id") ?? "";
  if (responses.has(id)) return false;
  responses.add(id);
  return true;
}
