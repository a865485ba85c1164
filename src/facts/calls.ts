import { failedChange } from "../tool-kinds/failed-change.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { ResultPart } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** A call with its result. */
export interface CallFact {
  /** Indices of the two parts. */
  readonly call: number;
  readonly result: number;
  readonly step: number;
  readonly use: ToolUse;
  /** `false` too where a client reports a success, and the result of a change says that nothing was changed. */
  readonly ok: boolean;
}

/** Pairs calls with results. If an id repeats, the n-th result answers the n-th call. */
export class CallFacts {
  /** Results of calls, in order. */
  readonly results: number[] = [];
  /** By id: its calls in order, and how many of them have results. */
  readonly #made = new Map<string, number[]>();
  /** All of them in order. */
  readonly #calls: number[] = [];
  readonly #answered = new Map<string, number>();
  readonly #byPart = new Map<number, CallFact>();
  readonly #uses = new Map<number, ToolUse>();
  readonly #transcript: Transcript;
  readonly #kinds: ToolKinds;
  readonly #directory: string | undefined;

  constructor(transcript: Transcript, kinds: ToolKinds, directory: string | undefined) {
    this.#transcript = transcript;
    this.#kinds = kinds;
    this.#directory = directory;
  }

  /** The fact for the index of a call or a result; `undefined` while the call has no result. */
  of(index: number): CallFact | undefined {
    return this.#byPart.get(index);
  }

  /** The meaning of a call, answered or not. */
  useOf(call: number): ToolUse | undefined {
    return this.#uses.get(call);
  }

  /** The step that made the n-th call of the session. */
  stepOfNth(n: number): number | undefined {
    const call = this.#calls[n - 1];
    return call === undefined ? undefined : this.#transcript.step[call];
  }

  /** Adds the parts `from … to` and returns the calls that they completed. */
  ingest(from: number, to: number): readonly CallFact[] {
    const completed: CallFact[] = [];
    for (let i = from; i < to; i++) {
      const part = this.#transcript.part(i);
      if (part.kind === "call") this.#openCall(i, part.callId, part.tool, part.input);
      else if (part.kind === "result" && part.status !== "pending") {
        const fact = this.#complete(i, part);
        if (fact) completed.push(fact);
      }
    }
    return completed;
  }

  #openCall(index: number, callId: string, tool: string, input: unknown): void {
    const { undoLog } = this.#transcript;
    const options = this.#directory === undefined ? {} : { directory: this.#directory };
    undoLog.set(this.#uses, index, this.#kinds.describe(tool, input, options));
    undoLog.push(this.#calls, index);
    const made = this.#made.get(callId);
    if (made) undoLog.push(made, index);
    else undoLog.set(this.#made, callId, [index]);
  }

  #complete(result: number, part: ResultPart): CallFact | undefined {
    const { undoLog, step } = this.#transcript;
    const answered = this.#answered.get(part.callId) ?? 0;
    const call = this.#made.get(part.callId)?.[answered];
    const use = call === undefined ? undefined : this.#uses.get(call);
    if (call === undefined || !use) return undefined;
    undoLog.set(this.#answered, part.callId, answered + 1);
    const ok = part.status !== "error" && !part.failed && !failedChange(use, textsOf(part));
    const fact: CallFact = { call, result, step: step[call] ?? 0, use, ok };
    undoLog.set(this.#byPart, call, fact);
    undoLog.set(this.#byPart, result, fact);
    undoLog.push(this.results, result);
    return fact;
  }
}

function textsOf({ leaves }: ResultPart): readonly string[] {
  return leaves.map(({ text }) => text);
}
