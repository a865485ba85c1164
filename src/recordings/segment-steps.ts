import type { Issue } from "../basics/issue.ts";
import type { MessageMeta, Usage } from "../transcript/message.ts";

export interface Call {
  readonly id: string;
  readonly name: string;
}

/** A result or an input, and its time. */
export interface TimedValue<T> {
  readonly value: T;
  readonly time: number | undefined;
  readonly carried: boolean;
  /** A result that the host has cut itself. */
  readonly cleared?: boolean;
}

/** One model response, the results of its calls and the input that came after it. */
export interface Step<Block, Input, Output> {
  readonly blocks: Block[];
  readonly calls: Call[];
  readonly results: Map<string, TimedValue<Output>>;
  readonly inputs: TimedValue<Input>[];
  /** Kept by the host's compaction from the segment before. */
  readonly carried: boolean;
  time?: number | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
  cost?: number | undefined;
}

/**
 * Sorts the entries of a recording, in the order of its file, into steps. A result goes to the step that made the
 * call, however late it comes: parallel calls run while the response still streams, and a user may write in
 * between. The first step has no response: it contains the input before the first response.
 */
export class SegmentSteps<Block, Input, Output> {
  readonly steps: Step<Block, Input, Output>[] = [];
  readonly #callers = new Map<string, Step<Block, Input, Output>>();
  #carrying = false;

  constructor() {
    this.openStep();
  }

  /** Everything that `add` adds counts as carried: the summary and the tail that the host kept. */
  carry(add: () => void): void {
    this.#carrying = true;
    add();
    this.#carrying = false;
  }

  openStep(): Step<Block, Input, Output> {
    const step = { blocks: [], calls: [], results: new Map(), inputs: [], carried: this.#carrying };
    this.steps.push(step);
    return step;
  }

  /** A second call with the same id in one step is skipped: no provider accepts it. */
  addCall(step: Step<Block, Input, Output>, call: Call, block: Block): void {
    if (step.calls.some(({ id }) => id === call.id)) return;
    step.calls.push(call);
    step.blocks.push(block);
    this.#callers.set(call.id, step);
  }

  /** A result without an open call is skipped and reported. */
  addResult(
    callId: string,
    value: Output,
    time: number | undefined,
    issues: Issue[],
    cleared: boolean = false,
  ): void {
    const step = this.#callers.get(callId);
    if (!step || step.results.has(callId)) issues.push(resultWithoutCall(callId));
    else step.results.set(callId, { value, time, carried: this.#carrying, cleared });
  }

  addInput(value: Input, time: number | undefined): void {
    this.steps.at(-1)?.inputs.push({ value, time, carried: this.#carrying });
  }
}

/** The result of a call that had no answer when the session broke off. */
export const noResult = "[no result recorded]";

/** The results of a step's calls, in the order of the calls; `standIn` makes missing ones. */
export function resultsOf<Block, Input, Output>(
  step: Step<Block, Input, Output>,
  standIn: (call: Call) => Output,
  issues: Issue[],
): readonly TimedValue<Output>[] {
  return step.calls.map((call) => {
    const result = step.results.get(call.id);
    if (result) return result;
    if (!step.carried) issues.push(callWithoutResult(call));
    return { value: standIn(call), time: undefined, carried: step.carried };
  });
}

/** The recorded data of a step's response. */
export function metaOf<Block, Input, Output>(step: Step<Block, Input, Output>): MessageMeta {
  const { time, model, usage, cost } = step;
  return {
    ...(time !== undefined && { time }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && !step.carried && { usage }),
    ...(cost !== undefined && !step.carried && { cost }),
  };
}

/** `undefined` if all figures are zero: then the host did not count. */
export function knownUsage(usage: Usage): Usage | undefined {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output > 0 ? usage : undefined;
}

function callWithoutResult({ id, name }: Call): Issue {
  const message = `this call of ${name} has no recorded result; "${noResult}" is used instead`;
  return { code: "call-without-result", severity: "info", where: id, message };
}

function resultWithoutCall(id: string): Issue {
  const message = "skipped: this result belongs to no call that still waits for one";
  return { code: "result-without-call", severity: "warning", where: id, message };
}
