import { textOf } from "../../test/conversation.ts";

/** The client and the place of a played session. */
export interface Player {
  /** The proxy's address. */
  readonly url: string;
  readonly session: string;
  /** The session that started it, in Claude Code's form. */
  readonly agent?: string;
  readonly folder?: string;
  readonly model?: string;
  /** Sent in `user-agent`; without it the headers are Claude Code's. */
  readonly program?: string;
  /** The file that it reads, if it is always the same. */
  readonly path?: string;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** A client that reads the same few files repeatedly, request by request, and ignores the answers. */
export class PlayedSession {
  readonly #player: Player;
  #messages: Message[] = [{ role: "user", content: "Please look at the files." }];
  #step = 0;

  constructor(player: Player) {
    this.#player = player;
  }

  /** One more request, with the answer to the last one and its result. */
  async ask({
    words = 600,
    files = 4,
  }: {
    readonly words?: number;
    readonly files?: number;
  } = {}): Promise<number> {
    const status = await this.#post(this.#messages, true);
    const id = `call_${this.#step}`;
    const { path = `src/module-${this.#step % files}.ts` } = this.#player;
    this.#messages = [
      ...this.#messages,
      { role: "assistant", content: [{ type: "tool_use", id, name: "read_file", input: { path } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: textOf(words, this.#step % files) }],
      },
    ];
    this.#step++;
    return status;
  }

  /** One request with the messages of another session. */
  replay(messages: readonly unknown[]): Promise<number> {
    return this.#post(messages as readonly Message[], true);
  }

  /** Requests of clients on the side: a title. */
  askForTitle(): Promise<number> {
    return this.#post([{ role: "user", content: `Give a title. ${this.#step}` }], false);
  }

  /** The client throws its history away for a summary. */
  compact(): void {
    this.#messages = [{ role: "user", content: `Summary of ${this.#step} steps; go on.` }];
  }

  async #post(messages: readonly Message[], hasTools: boolean): Promise<number> {
    const { url, session, agent, folder = "shop", model = "claude-sonnet-4-5", program } = this.#player;
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(program === undefined
          ? {
              "x-claude-code-session-id": session,
              ...(agent !== undefined && { "x-claude-code-agent-id": agent }),
            }
          : { "user-agent": program, "x-session-id": session }),
      },
      body: JSON.stringify({
        model,
        max_tokens: 100,
        stream: true,
        system: [
          {
            type: "text",
            text: `You are an agent.\nWorking directory: /home/ada/${folder}\n`,
            cache_control: { type: "ephemeral" },
          },
        ],
        messages: markLast(messages),
        ...(hasTools && { tools: [{ name: "read_file", input_schema: { type: "object" } }] }),
      }),
    });
    await response.text();
    return response.status;
  }
}

/** Clients mark the end of the text to be cached. */
function markLast(messages: readonly Message[]): readonly Message[] {
  return messages.map((message, i) => {
    if (i < messages.length - 1 || typeof message.content === "string") return message;
    const blocks = message.content as readonly object[];
    return {
      ...message,
      content: blocks.map((block, n) =>
        n === blocks.length - 1 ? { ...block, cache_control: { type: "ephemeral" } } : block,
      ),
    };
  });
}
