import { isRecord } from "../../basics/json.ts";
import type { PrunedRequest } from "../conversation/conversations.ts";
import { readUsage } from "./read-usage.ts";

/** Reads usage and calls from a model's answer, complete or streamed. Accepts any value, and never throws. */
export class AnswerNotes {
  readonly #answered: PrunedRequest<unknown>["answered"];
  #model: string | undefined;

  constructor(answered: PrunedRequest<unknown>["answered"]) {
    this.#answered = answered;
  }

  /** The result of `doGenerate`. */
  readWhole(result: unknown): void {
    if (!isRecord(result)) return;
    if (Array.isArray(result.content)) for (const part of result.content) this.readPart(part);
    if (isRecord(result.response)) this.#noteModel(result.response.modelId);
    this.#noteUsage(result.usage);
  }

  /**
   * One part of the stream of `doStream`. Calls are reported at once, because tools run while the answer still
   * comes.
   */
  readPart(part: unknown): void {
    if (!isRecord(part)) return;
    if (part.type === "tool-call" && part.providerExecuted !== true && typeof part.toolCallId === "string")
      this.#answered({ calls: [part.toolCallId] });
    if (part.type === "response-metadata") this.#noteModel(part.modelId);
    if (part.type === "finish") this.#noteUsage(part.usage);
  }

  #noteModel(id: unknown): void {
    if (typeof id === "string" && id !== "") this.#model = id;
  }

  #noteUsage(value: unknown): void {
    const usage = readUsage(value);
    const model = this.#model;
    this.#answered({ ...(usage && { usage }), ...(model !== undefined && { model }) });
  }
}
