import { readAgentSettings } from "../../agent/agent-settings.ts";
import { type AgentTool, makeAgentTools, measureOverhead } from "../../answers/agent-tools.ts";
import { describeError, type Issue } from "../../basics/issue.ts";
import { VERSION } from "../../basics/version.ts";
import { mergeLevels } from "../../config/merge.ts";
import { parseConfig } from "../../config/parse.ts";
import type { AnsweredRequest, ConversationChoice } from "../../fold/known-conversations.ts";
import type { PruneRequest } from "../../fold/prune-request.ts";
import { chosenFormat } from "../../formats/detect.ts";
import type { FormatChoice } from "../../formats/format.ts";
import { createPruner, type OpenedRequest, type PruneResult, type Pruner } from "../../pruner.ts";
import type { Report } from "../../reports/report.ts";
import { unprunedAfter, unprunedFor } from "../../reports/unpruned.ts";
import type { Store } from "../../stores/store.ts";
import { hashText } from "../../transcript/hash.ts";
import type { SessionStatus } from "../../transcript/session-command.ts";
import { answerOutside } from "./answer-outside.ts";
import { Complaints, listFaults } from "./complaints.ts";
import type { OutsideCall } from "./find-caller.ts";
import type { HostOptions } from "./host-options.ts";
import { ToolDrops } from "./tool-drops.ts";

/** One request of one conversation. */
export interface ConversationRequest extends Omit<PruneRequest, "at" | "overheadTokens"> {
  /** Does the agent have our tools in this request? Then results carry tags, and its calls are carried out. */
  readonly agentTools?: boolean;
  /**
   * Has the request any tools at all? One that has none, of a conversation with calls, is a question of the client's own (a
   * title, a summary): nothing new is cut for it. Unless told, it has.
   */
  readonly hasTools?: boolean;
  readonly format: FormatChoice;
  /** Whether the conversation with this root is pruned or only watched; always the same for the same one. */
  readonly statusOf?: (root: string) => SessionStatus | undefined;
}

/** What a request became, and where to say what came back. */
export interface PrunedRequest<M> extends PruneResult<M> {
  /** Names the conversation as long as it grows; empty where nothing could be read. */
  readonly root: string;
  /** To be called when the answer is there; before that with calls, where tools run while it still comes. Never throws. */
  answered(answer: Omit<AnsweredRequest, "request">): void;
}

const IN_MEMORY: Issue = {
  code: "journal-in-memory",
  message:
    "times and usage of requests are kept in memory only: after a restart what is sent may differ from what was sent before, at the price of one rewrite; give a `store`",
  severity: "info",
};

const REFUSED: Issue = {
  code: "pruned-request-refused",
  message:
    "the provider refused a pruned request of this conversation and took the original: it is left alone now",
  severity: "info",
};

const LEFT_ALONE =
  "Coppice leaves this conversation alone: nothing in it is cut, all of it stands there as it is.";
const WARMED_KEPT = 1_000;

const NOTHING_YET = "Nothing was sent in this conversation yet.";

/**
 * What every host inside a program needs beside `prune`: which conversation a request is of, when it was made (the
 * journal), what came back, the answers of the agent's tools, and complaints once. Nothing here throws or rejects:
 * whatever fails, the messages come back as they came.
 *
 *   const turn = await conversations.prune(messages, { format: "openai-chat", model });
 *   …send turn.messages…
 *   turn.answered({ usage, calls });
 */
export class Conversations {
  /** None where Coppice is off or only watches: requests have to be what they are without it. */
  readonly tools: readonly AgentTool[];
  /** Tokens that they and our system text add to a request. */
  readonly overheadTokens: number;
  readonly #complaints: Complaints;
  readonly #store: Store | undefined;
  readonly #onReport: HostOptions["onReport"];
  readonly #clock: () => number;
  readonly #config: string;
  readonly #pruners: Readonly<Record<"plain" | "withTools", Pruner>>;
  /** By key: when a request was last sent again. */
  readonly #warmed = new Map<string, number>();
  readonly #drops: ToolDrops;
  /** Roots of conversations that go out as they come from now on. */
  readonly #leftAlone = new Set<string>();

  /** @param showsRefs do marks name refs where the agent has no tools to recall them by? */
  constructor(options: HostOptions = {}, showsRefs = true) {
    const { store, directory, onIssue = warn, onReport, clock = Date.now, ...settings } = options;
    const parsed = parseConfig(settings, "options");
    const { config } = mergeLevels([{ name: "options", config: parsed.config }]);
    this.#complaints = new Complaints(onIssue);
    this.#complaints.note(parsed.issues);
    this.#store = store;
    this.#onReport = onReport;
    this.#clock = clock;
    this.#config = hashText(JSON.stringify(config));
    this.tools = config.enabled && !config.shadow ? makeAgentTools(readAgentSettings(config)) : [];
    this.#drops = new ToolDrops(
      config.enabled && !config.shadow ? config.prefix.dropTools : [],
      (work, otherwise) => this.#attempt(work, otherwise),
    );
    const policy = { config, ...(directory !== undefined && { directory }) };
    this.overheadTokens = measureOverhead(this.tools);
    const { overheadTokens } = this;
    this.#pruners = {
      plain: createPruner({ ...policy, showsRefs }),
      withTools: createPruner({ ...policy, agentTools: true, overheadTokens }),
    };
  }

  /** To be called before every request, with the full history. */
  async prune<M>(messages: readonly M[], request: ConversationRequest): Promise<PrunedRequest<M>> {
    try {
      return await this.#prune(messages, request);
    } catch (error) {
      this.fail("pruning", error);
      return { ...unprunedAfter(error, messages), root: "", answered: () => {} };
    }
  }

  /**
   * Names of the tools to leave out of this request: the same from the conversation's first request to its last. None unless
   * the configuration names some.
   *
   * @param listDroppable names of the tools that the request could do without
   */
  async chooseDrops(
    messages: readonly unknown[],
    { format, session, statusOf, agentTools = false }: ConversationRequest,
    listDroppable: () => readonly string[],
  ): Promise<readonly string[]> {
    if (!this.#drops.isOn) return [];
    try {
      const pruner = agentTools ? this.#pruners.withTools : this.#pruners.plain;
      const { root } = pruner.open(messages, { format, ...(session !== undefined && { session }) });
      if (root === "" || this.#leftAlone.has(root) || statusOf?.(root) === "shadow") return [];
      const isFirst = () => !hasAnswers(messages, format);
      return await this.#drops.choose({ root, isFirst, droppable: listDroppable });
    } catch (error) {
      this.fail("leaving out tools", error);
      return [];
    }
  }

  /** Notes that a request was sent again, only to keep its prefix in the provider's cache. */
  keptWarm(key: string, time: number): void {
    this.#warmed.delete(key);
    this.#warmed.set(key, time);
    const [oldest] = this.#warmed.keys();
    if (this.#warmed.size > WARMED_KEPT && oldest !== undefined) this.#warmed.delete(oldest);
  }

  /** Leaves a conversation alone from now on, in this process. */
  giveUp(root: string): void {
    this.#leftAlone.add(root);
  }

  async #prune<M>(
    messages: readonly M[],
    conversationRequest: ConversationRequest,
  ): Promise<PrunedRequest<M>> {
    const { agentTools = false, hasTools = true, statusOf, ...pruneRequest } = conversationRequest;
    const quiet = pruneRequest.quiet ?? (!hasTools && hasCalls(messages, pruneRequest.format));
    const { plain, withTools } = this.#pruners;
    const request = { ...pruneRequest, quiet, at: this.#clock() };
    // A question about a conversation whose agent has our tools has none itself, and shows what that agent has cut.
    const isTooled =
      (agentTools && this.tools.length > 0) || (quiet && withTools.open(messages, request).known);
    const pruner = isTooled ? withTools : plain;
    const opened = pruner.open(messages, request);
    const { root } = opened;
    if (this.#leftAlone.has(root)) return { ...unprunedFor(REFUSED, messages), root, answered: () => {} };
    if (opened.missing.length > 0)
      pruner.learn(await this.#attempt((store) => store.readRequests(opened.missing), []));
    const result = opened.prune(this.#tell(opened, statusOf?.(root)));
    const { key, terms, issues } = result.report;
    this.#complaints.tell(listFaults(issues));
    // Before the request goes out: whoever goes on with this conversation has to find its time.
    if (key !== "")
      await this.#attempt(
        (store) => store.writeRequest({ key, terms, version: VERSION, config: this.#config }),
        undefined,
      );
    const report = this.#store ? result.report : { ...result.report, issues: [...issues, IN_MEMORY] };
    this.#show(report);
    return { ...result, report, root, answered: (answer) => this.#answered(pruner, key, answer) };
  }

  #tell(
    { last }: OpenedRequest<unknown>,
    status: SessionStatus | undefined,
  ): Pick<PruneRequest, "status" | "warmedAt"> {
    const warmedAt = last === undefined ? undefined : this.#warmed.get(last);
    return {
      ...(status !== undefined && { status }),
      ...(warmedAt !== undefined && { warmedAt }),
    };
  }

  /** What one of our tools answers in the conversation that the call was made in. */
  answer(tool: string, input: unknown, of: ConversationChoice): string {
    try {
      const view = this.#pruners.withTools.agentView(of);
      const known = this.tools.find(({ name }) => name === tool);
      if (!known) return `There is no tool ${tool}.`;
      return view ? known.answer(input, view) : NOTHING_YET;
    } catch (error) {
      this.fail(tool, error);
      return `${tool} failed inside Coppice; the context is unchanged.`;
    }
  }

  /** The same where the client runs the tool outside of the conversation, as over MCP. */
  answerOutside(call: OutsideCall): string {
    try {
      const known = this.tools.find(({ name }) => name === call.tool);
      if (!known) return `There is no tool ${call.tool}.`;
      const object = (root: string) => (this.#leftAlone.has(root) ? LEFT_ALONE : undefined);
      return answerOutside(known, call, this.#pruners.withTools, object);
    } catch (error) {
      this.fail(call.tool, error);
      return `${call.tool} failed inside Coppice; the context is unchanged.`;
    }
  }

  /** Tells that something of ours failed; the host goes on with what it had. */
  fail(what: string, error: unknown): void {
    const message = `${what} failed: ${describeError(error)}`;
    this.tell({ code: "host-failed", message, severity: "error" });
  }

  /** Tells that a request goes out as it came: its history is not in it, but where `what` says. */
  leaveAlone(what: string): void {
    const message = `requests whose history is on the provider's server are not pruned: ${what}`;
    this.tell({ code: "history-on-server", message, severity: "warning" });
  }

  tell(...issues: readonly Issue[]): void {
    this.#complaints.tell(issues);
  }

  #show(report: Report): void {
    try {
      this.#onReport?.(report);
    } catch (error) {
      this.fail("`onReport`", error);
    }
  }

  #answered(pruner: Pruner, key: string, answer: Omit<AnsweredRequest, "request">): void {
    try {
      pruner.answered({ request: key, ...answer });
      const { usage, model } = answer;
      const came = { ...(usage && { usage }), ...(model !== undefined && { model }) };
      if (Object.keys(came).length === 0) return;
      void this.#attempt((store) => store.writeAnswer(key, came), undefined);
    } catch (error) {
      this.fail("noting an answer", error);
    }
  }

  async #attempt<T>(work: (store: Store) => Promise<T>, otherwise: T): Promise<T> {
    if (!this.#store) return otherwise;
    try {
      return await work(this.#store);
    } catch (error) {
      const message = `the journal can't be used, so a restart may cost a rewrite: ${describeError(error)}`;
      this.tell({ code: "store-unavailable", message, severity: "warning" });
      return otherwise;
    }
  }
}

/** Has the model said anything yet? */
function hasAnswers(messages: readonly unknown[], format: FormatChoice): boolean {
  const { decode } = chosenFormat(format);
  return messages.some((message) => decode(message).role === "assistant");
}

/** Were any tools used in this conversation? */
function hasCalls(messages: readonly unknown[], choice: FormatChoice): boolean {
  const format = chosenFormat(choice);
  return messages.some((message) => format.decode(message).parts.some(({ kind }) => kind === "call"));
}

function warn(_: Issue, text: string): void {
  console.warn(`coppice: ${text}`);
}
