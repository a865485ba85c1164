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
import { answerIn, HostService } from "../host-service.ts";
import { answerOutside } from "./answer-outside.ts";
import type { OutsideCall } from "./find-caller.ts";
import type { HostOptions } from "./host-options.ts";
import { ToolDrops } from "./tool-drops.ts";

/** One request of one conversation. */
export interface ConversationRequest extends Omit<PruneRequest, "at" | "overheadTokens"> {
  /** Does the agent have our tools in this request? Then results have tags, and its calls are carried out. */
  readonly agentTools?: boolean;
  /**
   * Does the request have any tools? In a conversation with calls, a request without tools is the client's own
   * question (a title, a summary): nothing new is cut for it. Default: true.
   */
  readonly hasTools?: boolean;
  readonly format: FormatChoice;
  /** Whether the conversation with this root is pruned or in shadow mode; the same each time. */
  readonly statusOf?: (root: string) => SessionStatus | undefined;
}

/** A request after pruning, and the function to call with its answer. */
export interface PrunedRequest<M> extends PruneResult<M> {
  /** Identifies the conversation as long as it grows; empty if nothing could be read. */
  readonly root: string;
  /**
   * Call this when the answer is complete. If tools run while it still comes, also call it earlier with the calls.
   * Never throws.
   */
  answered(answer: Omit<AnsweredRequest, "request">): void;
}

const IN_MEMORY: Issue = {
  code: "journal-in-memory",
  message:
    "times and usage of requests are kept in memory only: after a restart, a request may differ from before, which costs one rewrite; set a `store`",
  severity: "info",
};

const REFUSED: Issue = {
  code: "pruned-request-refused",
  message:
    "the provider refused a pruned request of this conversation and accepted the original: Coppice no longer prunes this conversation",
  severity: "info",
};

const LEFT_ALONE = "Coppice does not prune this conversation: everything in it is sent unchanged.";
const WARMED_KEPT = 1_000;

/**
 * The host service for programs with an SDK: finds the conversation of a request, and keeps its times and usage in the
 * journal. Nothing here throws or rejects: if anything fails, the messages come back unchanged.
 *
 *   const turn = await conversations.prune(messages, { format: "openai-chat", model });
 *   …send turn.messages…
 *   turn.answered({ usage, calls });
 */
export class Conversations extends HostService {
  readonly #store: Store | undefined;
  readonly #onReport: HostOptions["onReport"];
  readonly #clock: () => number;
  readonly #config: string;
  readonly #pruners: Readonly<Record<"plain" | "withTools", Pruner>>;
  /** By key: when a request was last sent again. */
  readonly #warmed = new Map<string, number>();
  readonly #drops: ToolDrops;
  /** Roots of conversations that are no longer pruned. */
  readonly #leftAlone = new Set<string>();

  /** @param showsRefs do markers name refs even if the agent has no tools to recall them? */
  constructor(options: HostOptions = {}, showsRefs = true) {
    const { store, directory, onIssue = warn, onReport, clock = Date.now, ...settings } = options;
    const parsed = parseConfig(settings, "options");
    const { config } = mergeLevels([{ name: "options", config: parsed.config }]);
    super(config, onIssue);
    this.note(parsed.issues);
    this.#store = store;
    this.#onReport = onReport;
    this.#clock = clock;
    this.#config = hashText(JSON.stringify(config));
    this.#drops = new ToolDrops(
      config.enabled && !config.shadow ? config.prefix.dropTools : [],
      (work, fallback) => this.#attempt(work, fallback),
    );
    const policy = { config, ...(directory !== undefined && { directory }) };
    const { overheadTokens } = this;
    this.#pruners = {
      plain: createPruner({ ...policy, showsRefs }),
      withTools: createPruner({ ...policy, agentTools: true, overheadTokens }),
    };
  }

  /** Call this before every request, with the full history. */
  async prune<M>(messages: readonly M[], request: ConversationRequest): Promise<PrunedRequest<M>> {
    try {
      return await this.#prune(messages, request);
    } catch (error) {
      this.fail("pruning", error);
      return { ...unprunedAfter(error, messages), root: "", answered: () => {} };
    }
  }

  /**
   * Names of the tools to leave out of this request: the same from the conversation's first request to its last.
   * Empty unless the configuration names tools.
   *
   * @param listDroppable names of the tools that the request does not need
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

  /** Records that a request was sent again only to keep its prefix in the provider's cache. */
  keptWarm(key: string, time: number): void {
    this.#warmed.delete(key);
    this.#warmed.set(key, time);
    const [oldest] = this.#warmed.keys();
    if (this.#warmed.size > WARMED_KEPT && oldest !== undefined) this.#warmed.delete(oldest);
  }

  /** Stops pruning a conversation, in this process. */
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
    // A client's own question about a conversation has no tools, even if the agent has ours. It must still show the
    // agent's cuts.
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
    this.tellFaults(result.report);
    // Written before the request is sent, so that every continuation of this conversation finds its time.
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

  /** The answer of one of our tools, in the conversation that the call was made in. */
  answer(tool: string, input: unknown, of: ConversationChoice): string {
    return this.runTool(tool, (known) => answerIn(known, input, this.#pruners.withTools.agentView(of)));
  }

  /** The same for a client that runs the tool outside of the conversation, as over MCP. */
  answerOutside(call: OutsideCall): string {
    const object = (root: string) => (this.#leftAlone.has(root) ? LEFT_ALONE : undefined);
    return this.runTool(call.tool, (known) => answerOutside(known, call, this.#pruners.withTools, object));
  }

  /** Reports that a request is sent unchanged because `what` keeps its history elsewhere. */
  leaveAlone(what: string): void {
    const message = `requests whose history is on the provider's server are not pruned: ${what}`;
    this.tell({ code: "history-on-server", message, severity: "warning" });
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

  async #attempt<T>(work: (store: Store) => Promise<T>, fallback: T): Promise<T> {
    if (!this.#store) return fallback;
    try {
      return await work(this.#store);
    } catch (error) {
      const message = `the journal can't be used, so a restart may cost a rewrite: ${describeError(error)}`;
      this.tell({ code: "store-unavailable", message, severity: "warning" });
      return fallback;
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
