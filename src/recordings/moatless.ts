import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { MessageMeta } from "../transcript/message.ts";
import { makeMeta } from "./chat-message.ts";
import { type FoundSession, malformed, parseDocument } from "./document.ts";
import { isString, listAt, numberAt, objectAt, stringAt } from "./json.ts";
import type { PaidRequest, Recording, RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import {
  type AnthropicSegment,
  addBlocks,
  readAnthropicUsage,
  toAnthropic,
  withoutBlanks,
} from "./to-anthropic.ts";

export const moatless: RecordingKind = {
  name: "moatless",
  lookedFor: "moatless-tools trajectory: a JSON object with nodes that have node_id, action and observation",
  matches: ({ document }) =>
    isRecord(document) &&
    listAt(document, "nodes").some((node) => isRecord(node) && numberAt(node, "node_id") !== undefined),
  parse: parseMoatless,
};

/**
 * The path to the last node of a moatless tree, as messages of the Messages API: a node is the model's action and
 * its result. Completions that an action made itself are not part of the conversation.
 */
export function parseMoatless(text: string, name?: string): Result<Recording> {
  return parseDocument("moatless", text, name, readTree);
}

function readTree(document: unknown, issues: Issue[]): FoundSession {
  const tree = isRecord(document) ? document : {};
  const nodes = listAt(tree, "nodes").filter((node, index) => {
    if (!isRecord(node)) issues.push(malformed(`nodes/${index}`));
    return isRecord(node);
  });
  const segment: AnthropicSegment = new SegmentSteps();
  const path = followPath(nodes.filter(isRecord));
  for (const node of path) readNode(node, segment, issues);
  const session = stringAt(objectAt(tree, "metadata"), "instance_id");
  return {
    format: "anthropic-messages",
    session,
    segments: [toAnthropic(segment, issues)],
    asides: listAsides(nodes.filter(isRecord), new Set(path)),
  };
}

/**
 * Completions of other branches, and those that an action made. Their recorded costs exclude the cache, so they are
 * not read.
 */
function listAsides(nodes: readonly JsonRecord[], path: ReadonlySet<JsonRecord>): readonly PaidRequest[] {
  return nodes.flatMap((node) =>
    Object.entries(objectAt(node, "completions") ?? {}).flatMap(([name, completion]) => {
      const isOwn = name === "build_action";
      if ((isOwn && path.has(node)) || !isRecord(completion)) return [];
      const paid = readPaid(completion);
      return paid.usage ? [{ kind: isOwn ? "branch" : "subagent", ...paid, usage: paid.usage } as const] : [];
    }),
  );
}

function readPaid(completion: JsonRecord): Pick<MessageMeta, "model" | "usage"> {
  const response = objectAt(completion, "response");
  return makeMeta({
    model: stringAt(completion, "model") ?? stringAt(response, "model"),
    usage: readAnthropicUsage(objectAt(response, "usage")),
  });
}

/** From the root to the last node; a parent always comes before its children. */
function followPath(nodes: readonly JsonRecord[]): readonly JsonRecord[] {
  const path: JsonRecord[] = [];
  let wanted = nodes.at(-1)?.node_id;
  for (const node of nodes.toReversed()) {
    if (node.node_id !== wanted) continue;
    path.push(node);
    wanted = node.parent_id;
  }
  return path.reverse();
}

function readNode(node: JsonRecord, segment: AnthropicSegment, issues: Issue[]): void {
  const message = withoutBlanks(stringAt(node, "message") ?? stringAt(node, "user_message") ?? "");
  if (message) segment.addInput(message, undefined);
  const completion = objectAt(objectAt(node, "completions"), "build_action");
  const response = objectAt(completion, "response");
  const blocks = withoutBlanks(listAt(response, "content").filter(isRecord));
  if (!blocks || isString(blocks)) return;
  const step = segment.openStep();
  Object.assign(step, readPaid(completion ?? {}));
  addBlocks(blocks, step, segment);
  const output = stringAt(objectAt(node, "observation"), "message");
  const [call] = step.calls;
  if (call && output !== undefined) {
    const content = withoutBlanks(output) ?? "";
    segment.addResult(call.id, { type: "tool_result", tool_use_id: call.id, content }, undefined, issues);
  } else if (output) segment.addInput(output, undefined);
}
