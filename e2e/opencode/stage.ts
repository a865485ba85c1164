import { fileURLToPath } from "node:url";
import { formatByName } from "../../src/entries/host.ts";
import {
  createOpenCode,
  type HostOptions,
  type OpenCode,
  type PromptOptions,
  type Server,
  type StoredMessage,
} from "./harness.ts";
import {
  type Recorded,
  type Reply,
  type ScriptedModel,
  startModel,
  textOf,
  type WireRequest,
} from "./model.ts";

/** The folder that a user would name under `"plugin"`: a clone of this repository. */
export const clone: string = fileURLToPath(new URL("../..", import.meta.url));

/** The wires for most tests, by the names of `Recorded`, and a model of each. */
export const WIRES = [
  ["openai", "m"],
  ["anthropic", "claude/claude-sonnet-4-5"],
] as const;

/** A reply, or a function that makes one for a request. */
export type Line = Reply | ((request: WireRequest) => Reply);

export type Toast = { readonly title?: string; readonly message: string; readonly variant: string };

/** One real OpenCode with the real plugin, in which tests hold their conversations. */
export type Stage = {
  readonly host: OpenCode;
  readonly server: Server;
  readonly model: ScriptedModel;
  readonly toasts: readonly Toast[];
  /** A new session; in another project's folder, if given; with this model, if a prompt names no other. */
  talk(directory?: string, model?: string): Promise<Talk>;
  /** The same for an existing session. */
  resume(session: string, model?: string): Talk;
  restart(): Promise<void>;
  close(): Promise<void>;
};

export type Talk = {
  readonly session: string;
  /** In every user message, so that the model recognises the conversation. Prompts for subagents need it too. */
  readonly tag: string;
  /** The requests of this conversation, oldest first. */
  readonly steps: readonly Recorded[];
  /** A turn: the model answers with these lines, no more and no less. */
  say(text: string, lines: readonly Line[], options?: PromptOptions): Promise<void>;
  command(name: string, args: string): Promise<string>;
  /** Any other action that makes the host call the model. */
  during(act: () => Promise<unknown>, lines: readonly Line[]): Promise<void>;
  messages(): Promise<readonly StoredMessage[]>;
};

export type StageOptions = Partial<Omit<HostOptions, "baseURL">>;

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const model = await startModel();
  const host = createOpenCode({ plugins: [clone], timeoutMs: 120_000, ...options, baseURL: model.baseURL });
  const toasts: Toast[] = [];
  const talks: Running[] = [];
  let active: Running | undefined;
  let server = await host.serve();
  let events = listen(server.url, toasts);

  model.play((request, _, recorded) => {
    const users = request.messages.filter(({ role }) => role === "user").map(textOf);
    const talk = talks.findLast(({ tag }) => users.some((text) => text.includes(tag))) ?? active;
    if (!talk) throw new Error("nobody talks");
    expectLegal(recorded, talk.reasoned);
    talk.steps.push(recorded);
    const line = talk.lines.shift();
    if (!line) throw new Error(`${talk.tag} has no more lines, but the host asked for another step`);
    const reply = typeof line === "function" ? line(request) : line;
    for (const { id } of reply.reasoning ? (reply.calls ?? []) : []) if (id) talk.reasoned.add(id);
    return reply;
  });

  function open(session: string, name?: string): Talk {
    const talk: Running = { tag: `[talk ${talks.length + 1}]`, lines: [], steps: [], reasoned: new Set() };
    talks.push(talk);
    const own: PromptOptions = name === undefined ? {} : { model: name };
    async function during(act: () => Promise<unknown>, lines: readonly Line[]): Promise<void> {
      active = talk;
      talk.lines = [...lines];
      await act();
      if (model.errors[0]) throw model.errors[0];
      if (talk.lines.length > 0)
        throw new Error(
          `${talk.lines.length} of ${lines.length} lines were not asked for\n${host.logTail()}`,
        );
    }
    return {
      session,
      tag: talk.tag,
      steps: talk.steps,
      during,
      say: (text, lines, prompt) =>
        during(() => server.prompt(session, `${text} ${talk.tag}`, { ...own, ...prompt }), lines),
      async command(command, args) {
        await during(() => server.command(session, command, args, name), [{ text: "ok" }]);
        return shownBy(await server.messages(session));
      },
      messages: () => server.messages(session),
    };
  }

  return {
    host,
    model,
    toasts,
    get server() {
      return server;
    },
    talk: async (directory, model) => open(await server.createSession(directory), model),
    resume: open,
    async restart() {
      events.abort();
      await server.stop();
      server = await host.serve();
      events = listen(server.url, toasts);
    },
    async close() {
      events.abort();
      await host.dispose();
      await model.close();
    },
  };
}

type Running = {
  readonly tag: string;
  lines: Line[];
  readonly steps: Recorded[];
  readonly reasoned: Set<string>;
};

/** The text that the newest slash command showed to the person. */
function shownBy(messages: readonly StoredMessage[]): string {
  const user = messages.findLast(({ info }) => info.role === "user");
  const shown = user?.parts.find((part) => part.ignored === true);
  return typeof shown?.text === "string" ? shown.text : "";
}

/**
 * The provider must accept every request, and the model's own text must have no tags. `reasoned`: ids of calls with
 * reasoning.
 */
function expectLegal({ wire, raw, body }: Recorded, reasoned: ReadonlySet<string>): void {
  const { messages } = JSON.parse(raw) as { messages: unknown[] };
  const issues =
    wire === "openai"
      ? formatByName("openai-chat").validate(messages, "none")
      : formatByName("anthropic-messages").validate(messages, "signed");
  const spoken = body.messages.filter(({ role }) => role === "assistant");
  const wantsField = wire === "openai" && body.model !== "plain";
  for (const { tool_calls: calls = [], reasoning_content: field } of wantsField ? spoken : [])
    if (!field && calls.some(({ id }) => reasoned.has(id)))
      throw new Error(`calls have lost their reasoning field: ${JSON.stringify(calls)}`);
  if (spoken.some((message) => `${textOf(message)}${message.reasoning_content ?? ""}`.includes("_hash>")))
    throw new Error(`a tag stands in what the model said\n${raw.slice(-3000)}`);
  const errors = issues.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    throw new Error(`not a legal request: ${JSON.stringify(errors)}\n${raw.slice(-3000)}`);
}

/** Collects the toasts that the server announces. */
function listen(url: string, toasts: Toast[]): AbortController {
  const controller = new AbortController();
  const read = async () => {
    const { body } = await fetch(`${url}/global/event`, { signal: controller.signal });
    let rest = "";
    for await (const chunk of body ?? []) {
      rest += new TextDecoder().decode(chunk as Uint8Array);
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: ")) continue;
        const found = findToast(JSON.parse(line.slice(6)));
        if (found) toasts.push(found);
      }
    }
  };
  read().catch(() => undefined);
  return controller;
}

function findToast(event: { payload?: { type?: string; properties?: Toast } }): Toast | undefined {
  return event.payload?.type === "tui.toast.show" ? event.payload.properties : undefined;
}
