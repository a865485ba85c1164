import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { listAsides } from "./claude-code-asides.ts";
import { readAttachment } from "./claude-code-attachment.ts";
import { followNewestBranch, isResponse, splitConversations } from "./claude-code-branch.ts";
import { isString, listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import { parseLines } from "./json-lines.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import {
  type AnthropicContent,
  type AnthropicSegment,
  type AnthropicStep,
  addBlocks,
  readAnthropicUsage,
  toAnthropic,
  withoutBlanks,
} from "./to-anthropic.ts";

export const claudeCode: RecordingKind = {
  name: "claude-code",
  lookedFor: "Claude Code JSONL (~/.claude/projects/**/*.jsonl): lines with uuid, parentUuid and message",
  matches: ({ records }) =>
    records.some((record) => isString(record.leafUuid) || ("parentUuid" in record && "uuid" in record)),
  parse: parseClaudeCode,
};

/** A session of Claude Code, as messages of the Messages API. */
export function parseClaudeCode(text: string, name?: string): Result<Recording> {
  return parseLines("claude-code", text, name, (records, issues) => {
    const reader = new LineReader(records, issues);
    const paths = splitConversations(records).map(followNewestBranch);
    for (const path of paths) reader.readConversation(path);
    const segments = reader.segments.map((segment) => ({
      ...toAnthropic(segment, issues),
      ...(reader.separate.has(segment) && { separate: true as const }),
    }));
    const session = records.map((record) => stringAt(record, "sessionId")).find(isString);
    const project = records.map((record) => stringAt(record, "cwd")).find(isString);
    const asides = listAsides(records, paths.flat(), reader.counted);
    const { window } = reader;
    const isCompactionPeak = window !== undefined;
    return {
      format: "anthropic-messages",
      session,
      project,
      segments,
      asides,
      window,
      isCompactionPeak,
      leavesOutCompactions: true,
    };
  });
}

class LineReader {
  #segment: AnthropicSegment = new SegmentSteps();
  readonly segments: AnthropicSegment[] = [];
  /** Segments that begin with a cleared context. */
  readonly separate = new Set<AnthropicSegment>();
  readonly #issues: Issue[];
  readonly #byUuid = new Map<string, JsonRecord>();
  /** By `message.id`: one response takes several lines, with results of its first calls between them. */
  readonly #responses = new Map<string, AnthropicStep>();
  /** Ids of the responses whose usage is in a segment: each is paid for once. */
  readonly counted = new Set<string>();
  /** The largest context that the host compacted by itself. */
  window: number | undefined;
  /** Uuids of the lines that the last compaction kept; they follow the summary. */
  #kept: readonly unknown[] = [];

  constructor(records: readonly JsonRecord[], issues: Issue[]) {
    this.#issues = issues;
    for (const record of records) this.#byUuid.set(stringAt(record, "uuid") ?? "", record);
  }

  /** Input without an answer at the start of the file is the end of a conversation in another file. */
  readConversation(path: readonly JsonRecord[]): void {
    const hasAnswers = this.segments.length > 1 || this.#segment.steps.length > 1;
    if (!hasAnswers) this.segments.pop();
    this.#openSegment();
    if (hasAnswers) this.separate.add(this.#segment);
    for (const line of path) this.#read(line);
  }

  #read(line: JsonRecord): void {
    if (line.subtype === "compact_boundary") this.#openCompacted(line);
    else if (line.isCompactSummary === true) this.#segment.carry(() => this.#readSummary(line));
    else this.#readMessage(line);
  }

  #readMessage(line: JsonRecord): void {
    if (line.type === "user") this.#readUser(line);
    else if (isResponse(line)) this.#readResponse(line);
    else if (line.type === "attachment")
      this.#readInput(readAttachment(objectAt(line, "attachment") ?? {}), line);
  }

  #openSegment(): void {
    this.#segment = new SegmentSteps();
    this.segments.push(this.#segment);
    this.#responses.clear();
  }

  #openCompacted(line: JsonRecord): void {
    this.#openSegment();
    const about = objectAt(line, "compactMetadata");
    if (about?.trigger === "auto")
      this.window = Math.max(this.window ?? 0, numberAt(about, "preTokens") ?? 0) || undefined;
    this.#kept = listAt(objectAt(about, "preservedMessages"), "uuids");
  }

  #readSummary(line: JsonRecord): void {
    this.#readUser(line);
    for (const uuid of this.#kept) {
      const kept = isString(uuid) ? this.#byUuid.get(uuid) : undefined;
      if (kept) this.#readMessage(kept);
    }
  }

  #readUser(line: JsonRecord): void {
    const isShownOnly = line.isVisibleInTranscriptOnly === true && line.isCompactSummary !== true;
    if (isShownOnly) return;
    const message = objectAt(line, "message");
    const blocks = listAt(message, "content").filter(isRecord);
    const results = blocks.filter((block) => block.type === "tool_result");
    for (const result of results) {
      const callId = stringAt(result, "tool_use_id") ?? "";
      this.#segment.addResult(callId, result, timeOf(line), this.#issues);
    }
    const rest = blocks.filter((block) => block.type !== "tool_result");
    this.#readInput(stringAt(message, "content") ?? rest, line);
  }

  #readInput(content: AnthropicContent | undefined, line: JsonRecord): void {
    const input = content && withoutBlanks(content);
    if (input) this.#segment.addInput(input, timeOf(line));
  }

  #readResponse(line: JsonRecord): void {
    const message = objectAt(line, "message");
    const blocks = withoutBlanks(listAt(message, "content").filter(isRecord));
    if (blocks === undefined || typeof blocks === "string") return;
    const id = stringAt(message, "id");
    const step = this.#stepOf(id);
    addBlocks(blocks, step, this.#segment);
    step.time = timeOf(line) ?? step.time;
    step.model = stringAt(message, "model") ?? step.model;
    const isPaid = id !== undefined && this.counted.has(id) && step.usage === undefined;
    const usage = isPaid ? undefined : readAnthropicUsage(objectAt(message, "usage"));
    step.usage = usage ?? step.usage;
    if (usage && id !== undefined && !step.carried) this.counted.add(id);
  }

  #stepOf(responseId: string | undefined): AnthropicStep {
    const known = responseId === undefined ? undefined : this.#responses.get(responseId);
    const step = known ?? this.#segment.openStep();
    if (responseId !== undefined) this.#responses.set(responseId, step);
    return step;
  }
}
