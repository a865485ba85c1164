import { readAgentSettings } from "../agent/agent-settings.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { type AgentTool, makeAgentTools, measureOverhead } from "../answers/agent-tools.ts";
import { describeError, type Issue } from "../basics/issue.ts";
import type { Config } from "../config/config.ts";
import type { Report } from "../reports/report.ts";
import { Complaints, listFaults } from "./complaints.ts";

export const NOTHING_YET = "Nothing was sent in this conversation yet.";

/**
 * The parts that every host inside a program needs besides `prune`: the agent's tools and their answers, and problems
 * that are each reported once. The state is elsewhere: in the host's own history (`plugin/sessions.ts`), or in a
 * journal (`conversation/conversations.ts`).
 */
export class HostService {
  /** Empty if Coppice is off or only watches. Requests must then be the same as without it. */
  readonly tools: readonly AgentTool[];
  /** Tokens that the tools and our system text add to every request. */
  readonly overheadTokens: number;
  readonly #complaints: Complaints;

  /** @param say shows a problem to a person */
  constructor(config: Config, say: (issue: Issue, text: string) => void) {
    this.tools = config.enabled && !config.shadow ? makeAgentTools(readAgentSettings(config)) : [];
    this.overheadTokens = this.tools.length > 0 ? measureOverhead(this.tools) : 0;
    this.#complaints = new Complaints(say);
  }

  /** All problems reported so far. */
  protected get told(): readonly string[] {
    return this.#complaints.all;
  }

  /** Keeps issues until the host can show them. */
  note(issues: readonly Issue[]): void {
    this.#complaints.note(issues);
  }

  tell(...issues: readonly Issue[]): void {
    this.#complaints.tell(issues);
  }

  protected tellFaults({ issues }: Report): void {
    this.#complaints.tell(listFaults(issues));
  }

  /** Reports that Coppice failed at something. The host goes on with its own data. */
  fail(what: string, error: unknown): void {
    this.tell({ code: "host-failed", message: `${what} failed: ${describeError(error)}`, severity: "error" });
  }

  /** Returns the answer of one of Coppice's tools. Never throws. */
  protected runTool(tool: string, work: (known: AgentTool) => string): string {
    try {
      const known = this.tools.find(({ name }) => name === tool);
      return known ? work(known) : `There is no tool ${tool}.`;
    } catch (error) {
      return this.failedAnswer(tool, error);
    }
  }

  /** The answer of a tool that failed. */
  protected failedAnswer(tool: string, error: unknown): string {
    this.fail(tool, error);
    return `${tool} failed inside Coppice; the context is unchanged.`;
  }
}

/** The answer of a tool in a conversation. */
export function answerIn(tool: AgentTool, input: unknown, view: AgentView | undefined): string {
  return view ? tool.answer(input, view) : NOTHING_YET;
}
