import type { AgentView } from "../../src/agent/agent-view.ts";
import { answerInfo } from "../../src/answers/answer-info.ts";
import { answerPrune } from "../../src/answers/answer-prune.ts";
import { answerRecall } from "../../src/answers/answer-recall.ts";
import { formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { decodeMessage } from "../../src/formats/intake/decode.ts";
import { createPruner, type PruneResult, type Pruner, type PrunerOptions } from "../../src/pruner.ts";
import type { SessionStatus } from "../../src/transcript/session-command.ts";
import { render, type Script } from "../generate.ts";

export interface Said {
  readonly text?: string;
  readonly thinking?: { readonly text: string; readonly signed: boolean };
  /** Milliseconds until its results arrive. */
  readonly pause?: number;
  readonly calls?: readonly (readonly [
    tool: string,
    input: Readonly<Record<string, unknown>>,
    output: string,
    /** In two text blocks. */
    split?: boolean,
  ])[];
}

type Turn = Script["turns"][number];
type Step = Turn["steps"][number];

/** Plays a session with an agent that has Coppice's tools, in any format: a call, its answer, the next request. */
export class AgentSession {
  readonly pruner: Pruner;
  readonly format: FormatName;
  readonly options: PrunerOptions;
  turns: readonly Turn[] = [];
  /** Coppice's status before the first message. */
  status: SessionStatus = "on";
  #serial = 0;

  constructor(options: PrunerOptions = {}, format: FormatName = "openai-chat") {
    this.options = { agentTools: true, ...options };
    this.format = format;
    this.pruner = createPruner({ ...this.options, format });
    this.prompt("Fix the failing test.");
  }

  prompt(prompt: string): this {
    this.turns = [...this.turns, { prompt, image: false, steps: [] }];
    return this;
  }

  step({ text, thinking, pause = 1_000, calls = [] }: Said): this {
    const step: Step = {
      text,
      thinking,
      unknown: false,
      pause,
      calls: calls.map(([tool, input, output, split = false]) => ({
        id: this.#serial++,
        tool,
        input,
        output,
        split,
        failed: false,
      })),
    };
    const last = this.turns.at(-1);
    if (last) this.turns = [...this.turns.slice(0, -1), { ...last, steps: [...last.steps, step] }];
    return this;
  }

  call(tool: string, input: Readonly<Record<string, unknown>>, output: string): this {
    return this.step({ calls: [[tool, input, output]] });
  }

  get messages(): readonly unknown[] {
    return render({ turns: this.turns }, this.format).messages;
  }

  prune(pruner: Pruner = this.pruner): PruneResult<unknown> {
    const { messages, meta } = render({ turns: this.turns }, this.format);
    return pruner.prune(messages, {
      session: "s",
      meta,
      model: "claude-sonnet-4-5",
      status: this.status,
    });
  }

  /** As of the last request. */
  view(): AgentView {
    const view = this.pruner.agentView("s");
    if (!view) throw new Error("nothing was pruned yet");
    return view;
  }

  /** The agent calls `context_prune`; the answer goes into the transcript. */
  ask(action: string, targets: unknown): string {
    this.prune();
    const answer = answerPrune({ action, targets }, this.view());
    this.call("context_prune", { action, targets }, answer);
    return answer;
  }

  recall(input: Readonly<Record<string, unknown>>): string {
    this.prune();
    const answer = answerRecall(input, this.view());
    this.call("context_recall", input, answer);
    return answer;
  }

  info(): string {
    this.prune();
    return answerInfo({}, this.view());
  }

  /** All texts of the next request, by kind, as sent. */
  shown(): readonly { readonly kind: string; readonly role: string; readonly text: string }[] {
    const format = formatByName(this.format);
    return this.prune().messages.flatMap((message) =>
      decodeMessage(format, message, undefined).parts.map(({ kind, role, leaves }) => ({
        kind,
        role,
        text: leaves.map(({ text }) => text).join("\n"),
      })),
    );
  }

  results(): readonly string[] {
    return this.shown().flatMap(({ kind, text }) => (kind === "result" ? [text] : []));
  }

  /** The ref of the n-th part of a kind. */
  ref(kind: "result" | "text" | "reasoning", n = 0): string {
    this.prune();
    const { facts } = this.view();
    const parts = facts.transcript.parts.flatMap((part, i) =>
      part.kind === kind && (kind !== "text" || part.role === "assistant") ? [i] : [],
    );
    return facts.partRef(parts[n] ?? -1) ?? "";
  }
}
