import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import { addChatResponse, makeMeta } from "./chat-message.ts";
import { listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import { parseLines } from "./json-lines.ts";
import type { Recording, RecordingKind } from "./recording.ts";
import { knownUsage, SegmentSteps } from "./segment-steps.ts";
import { type ChatBlock, type ChatSegment, toChat } from "./to-chat.ts";

const eventTypes = /^(?:session|system|user|assistant|tool|hook|skill|subagent|permission)\./;

export const copilotCli: RecordingKind = {
  name: "copilot-cli",
  lookedFor:
    "Copilot CLI events (~/.copilot/session-state/**/events.jsonl): lines with a dotted type and data",
  matches: ({ records }) =>
    records.some((record) => isRecord(record.data) && eventTypes.test(stringAt(record, "type") ?? "")),
  parse: parseCopilotCli,
};

/** A session of Copilot CLI, as messages of chat completions, without its subagents. */
export function parseCopilotCli(text: string, name?: string): Result<Recording> {
  return parseLines("copilot-cli", text, name, (records, issues) => {
    const reader = new EventReader(issues);
    for (const record of records) reader.read(record, objectAt(record, "data") ?? {});
    const segments = reader.segments.map((segment) => toChat(segment, issues));
    const { session, project } = reader;
    return { format: "openai-chat", session, project, segments, leavesOutCompactions: true };
  });
}

class EventReader {
  #segment: ChatSegment = new SegmentSteps();
  readonly segments: ChatSegment[] = [this.#segment];
  session: string | undefined;
  project: string | undefined;
  readonly #issues: Issue[];
  #model: string | undefined;
  /** The system prompt is recorded again with every user prompt, but sent once. */
  #system: string | undefined;

  constructor(issues: Issue[]) {
    this.#issues = issues;
  }

  read(record: JsonRecord, data: JsonRecord): void {
    if (stringAt(data, "parentToolCallId") !== undefined) return;
    switch (record.type) {
      case "session.start":
        this.session ??= stringAt(data, "sessionId");
        this.project ??= stringAt(objectAt(data, "context"), "cwd");
        break;
      case "session.model_change":
        this.#model = stringAt(data, "newModel") ?? this.#model;
        break;
      case "session.compaction_complete":
        this.#openSegment(record, data);
        break;
      case "system.message":
        if (this.#system === undefined) this.#addInput("system", stringAt(data, "content"), record);
        this.#system ??= stringAt(data, "content");
        break;
      case "user.message":
        this.#addInput("user", stringAt(data, "transformedContent") ?? stringAt(data, "content"), record);
        break;
      case "assistant.message":
        this.#readResponse(record, data);
        break;
      case "tool.execution_complete":
        this.#segment.addResult(
          stringAt(data, "toolCallId") ?? "",
          resultOf(data),
          timeOf(record),
          this.#issues,
        );
    }
  }

  #addInput(role: string, content: string | undefined, record: JsonRecord): void {
    if (content) this.#segment.addInput({ role, content }, timeOf(record));
  }

  #readResponse(record: JsonRecord, data: JsonRecord): void {
    const model = stringAt(data, "model") ?? this.#model;
    // It records only output tokens, not input.
    const output = numberAt(data, "outputTokens") ?? 0;
    const usage = knownUsage({ input: 0, cacheRead: 0, cacheWrite: 0, output });
    addChatResponse(readBlocks(data), makeMeta({ time: timeOf(record), model, usage }), this.#segment);
  }

  #openSegment(record: JsonRecord, data: JsonRecord): void {
    const summary = stringAt(data, "summaryContent");
    if (data.success === false || !summary) return;
    this.#segment = new SegmentSteps();
    this.segments.push(this.#segment);
    this.#segment.carry(() => {
      this.#addInput("system", this.#system, record);
      this.#addInput("user", summary, record);
    });
  }
}

function readBlocks(data: JsonRecord): readonly ChatBlock[] {
  const reasoning = stringAt(data, "reasoningText");
  const text = stringAt(data, "content");
  return [
    ...(reasoning ? [{ kind: "reasoning" as const, text: reasoning }] : []),
    ...(text ? [{ kind: "text" as const, text }] : []),
    ...listAt(data, "toolRequests").filter(isRecord).map(readCall),
  ];
}

/** A custom tool (`apply_patch`) takes one text. */
function readCall(request: JsonRecord): ChatBlock {
  const input = request.arguments ?? {};
  return {
    kind: "call",
    id: stringAt(request, "toolCallId") ?? "",
    name: stringAt(request, "name") ?? "",
    arguments: writeJson(isRecord(input) ? input : { input }),
  };
}

function resultOf(data: JsonRecord): string {
  const content = stringAt(objectAt(data, "result"), "content");
  return content ?? stringAt(objectAt(data, "error"), "message") ?? "";
}
