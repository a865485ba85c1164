import type { Issue, Result } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import type { Usage } from "../transcript/message.ts";
import { makeMeta } from "./chat-message.ts";
import { readCodexItem } from "./codex-item.ts";
import { listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import { parseLines } from "./json-lines.ts";
import type { PaidRequest, Recording, RecordingKind } from "./recording.ts";
import { knownUsage, SegmentSteps } from "./segment-steps.ts";
import { type ChatBlock, type ChatSegment, type ChatStep, toChat } from "./to-chat.ts";

const recordTypes = new Set<unknown>([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
]);

export const codex: RecordingKind = {
  name: "codex",
  lookedFor: "Codex rollout JSONL (~/.codex/sessions/**/rollout-*.jsonl): lines with type and payload",
  matches: ({ records }) =>
    records.some((record) => recordTypes.has(record.type) && isRecord(record.payload)),
  parse: parseCodex,
};

/** A rollout of Codex, as messages of chat completions. */
export function parseCodex(text: string, name?: string): Result<Recording> {
  return parseLines("codex", text, name, (records, issues) => {
    const reader = new RolloutReader(issues);
    for (const record of records) reader.read(record);
    const segments = reader.segments.map((segment) => toChat(segment, issues));
    const { session, project, asides, window } = reader;
    return { format: "openai-chat", session, project, segments, asides, window };
  });
}

/**
 * A rollout does not mark the end of a response. It ends before the first record that is not the model's:
 *
 *   reasoning, message, call, call | output, output, token_count      tools wait for the response
 *   reasoning, message, call, call | token_count, output, output      older versions
 *
 * A token_count that repeats the last one (at a new turn, a rate limit, a compaction) is ignored.
 */
class RolloutReader {
  #segment: ChatSegment = new SegmentSteps();
  readonly segments: ChatSegment[] = [this.#segment];
  session: string | undefined;
  project: string | undefined;
  /** Counts of requests that left nothing in the history: a compaction, or an answer that was hidden completely. */
  readonly asides: PaidRequest[] = [];
  window: number | undefined;
  readonly #issues: Issue[];
  #model: string | undefined;
  #lastCount = "";
  /** The newest response, until its token count comes. `step` is missing while everything in it is hidden. */
  #response: { open: boolean; step?: ChatStep } | undefined;

  constructor(issues: Issue[]) {
    this.#issues = issues;
  }

  read(record: JsonRecord): void {
    const payload = objectAt(record, "payload") ?? {};
    if (record.type === "response_item") this.#readItem(payload, timeOf(record));
    else if (record.type === "compacted") this.#openSegment(payload, timeOf(record));
    else if (payload.type === "token_count") this.#readCount(objectAt(payload, "info"), timeOf(record));
    else if (record.type === "turn_context") this.#model = stringAt(payload, "model") ?? this.#model;
    else if (record.type === "session_meta") {
      this.session ??= stringAt(payload, "id");
      this.project ??= stringAt(payload, "cwd");
    }
  }

  #readItem(payload: JsonRecord, time: number | undefined): void {
    const item = readCodexItem(payload);
    if (item?.kind === "response") {
      if (!this.#response?.open) this.#response = { open: true };
      if (item.block) this.#addBlock(this.#response, item.block, time);
      return;
    }
    if (item && this.#response) this.#response.open = false;
    if (item?.kind === "input") this.#segment.addInput(item.message, time);
    if (item?.kind === "result") this.#segment.addResult(item.callId, item.content, time, this.#issues);
  }

  #addBlock(response: { step?: ChatStep }, block: ChatBlock, time: number | undefined): void {
    const step = response.step ?? this.#segment.openStep();
    response.step = step;
    step.time = time;
    step.model = this.#model;
    if (block.kind === "call") this.#segment.addCall(step, block, block);
    else step.blocks.push(block);
  }

  #readCount(info: JsonRecord | undefined, time: number | undefined): void {
    const last = objectAt(info, "last_token_usage");
    const count = writeJson(objectAt(info, "total_token_usage") ?? last);
    if (!last || count === this.#lastCount) return;
    this.#lastCount = count;
    this.window = numberAt(info, "model_context_window") ?? this.window;
    const usage = usageOf(last);
    if (this.#response?.step) this.#response.step.usage = usage;
    else if (usage) this.asides.push({ kind: "hidden", ...makeMeta({ time, model: this.#model }), usage });
    this.#response = undefined;
  }

  /**
   * The record contains the new history. Older versions record only the summary, and keep all input except results.
   */
  #openSegment(payload: JsonRecord, time: number | undefined): void {
    const kept = this.#segment.steps.flatMap((step) => step.inputs);
    const history = listAt(payload, "replacement_history").filter(isRecord);
    const summary = stringAt(payload, "message");
    this.#segment = new SegmentSteps();
    this.segments.push(this.#segment);
    this.#response = undefined;
    this.#segment.carry(() => {
      if (history.length > 0) {
        for (const item of history) this.#readItem(item, time);
      } else {
        for (const input of kept) this.#segment.addInput(input.value, time);
        if (summary) this.#segment.addInput({ role: "user", content: summary }, time);
      }
    });
    this.#response = undefined;
  }
}

/** `input_tokens` include those read from the cache. */
function usageOf(usage: JsonRecord): Usage | undefined {
  const cacheRead = numberAt(usage, "cached_input_tokens") ?? 0;
  const input = (numberAt(usage, "input_tokens") ?? 0) - cacheRead;
  return knownUsage({
    input: Math.max(0, input),
    cacheRead,
    cacheWrite: 0,
    output: numberAt(usage, "output_tokens") ?? 0,
  });
}
