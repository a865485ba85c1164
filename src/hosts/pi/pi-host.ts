import { isRecord } from "../../basics/json.ts";
import type { AgentHost } from "../plugin/agent-host.ts";
import { attempt } from "../plugin/attempt.ts";
import { listSegments } from "./branch.ts";
import type { PiContext } from "./pi-api.ts";
import { describeModel } from "./pi-models.ts";

/** Gives Coppice access to pi, through the contexts of its events. */
export class PiHost implements AgentHost {
  readonly format = "pi";
  readonly #contexts = new Map<string, PiContext>();
  #newest: PiContext | undefined;

  /** Call this with the context of every event. Returns the session. */
  enter(context: PiContext): string {
    const session = context.sessionManager.getSessionId();
    this.#contexts.set(session, context);
    this.#newest = context;
    return session;
  }

  leave(context: PiContext): void {
    this.#contexts.delete(context.sessionManager.getSessionId());
  }

  notify(text: string, severity: "info" | "warning" | "error"): void {
    void attempt(() => {
      if (this.#newest?.hasUI) this.#newest.ui.notify(text, severity);
      else if (severity !== "info") console.error(`coppice: ${text}`);
    }, undefined);
  }

  /** The model in use comes first: several providers may offer the same model with different limits. */
  async listModels(): ReturnType<AgentHost["listModels"]> {
    const available = await attempt(() => this.#newest?.modelRegistry.getAvailable(), []);
    const models: readonly unknown[] = Array.isArray(available) ? available : [];
    return [this.#newest?.model, ...models].flatMap((model) =>
      isRecord(model) && typeof model.id === "string" ? [[model.id, describeModel(model)] as const] : [],
    );
  }

  /** oh-my-pi records in a subagent's session how it was started. pi has no subagents. */
  async isSubagent(session: string): Promise<boolean> {
    const branch = await this.#readBranch(session);
    return branch.some((entry) => isRecord(entry) && entry.type === "session_init");
  }

  async listSegments(session: string): ReturnType<AgentHost["listSegments"]> {
    return listSegments(await this.#readBranch(session));
  }

  modelOf(_: readonly unknown[], session: string): string | undefined {
    const model = this.#contexts.get(session)?.model;
    return isRecord(model) && typeof model.id === "string" ? model.id : undefined;
  }

  findCompaction(messages: readonly unknown[]): string | undefined {
    const summary = messages.find((message) => isRecord(message) && message.role === "compactionSummary");
    return isRecord(summary) ? String(summary.timestamp) : undefined;
  }

  #readBranch(session: string): Promise<readonly unknown[]> {
    const read = () => this.#contexts.get(session)?.sessionManager.getBranch() ?? [];
    return attempt<readonly unknown[]>(read, []);
  }
}
