import type { MessageMeta } from "../src/transcript/message.ts";

/** Writes a chat conversation step by step, with times, for tests of the fold. */
export class Conversation {
  readonly messages: unknown[] = [];
  readonly meta: MessageMeta[] = [];
  time = 1_790_000_000_000;
  #serial = 0;

  constructor(prompt = "Fix the failing test.") {
    this.say(prompt);
  }

  say(text: string): this {
    return this.#add({ role: "user", content: text });
  }

  /** A response that makes one call, and its result `pause` later. */
  call(
    tool: string,
    input: unknown,
    output: string,
    { pause = 10_000, ...meta }: MessageMeta & { pause?: number } = {},
  ): this {
    const id = `call_${this.#serial++}`;
    this.#add(
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: tool, arguments: JSON.stringify(input) } }],
      },
      meta,
    );
    this.time += pause;
    return this.#add({ role: "tool", tool_call_id: id, content: output });
  }

  answer(text: string, meta: MessageMeta = {}): this {
    return this.#add({ role: "assistant", content: text }, meta);
  }

  wait(pause: number): this {
    this.time += pause;
    return this;
  }

  #add(message: unknown, meta: MessageMeta = {}): this {
    this.messages.push(message);
    this.meta.push({ time: this.time, ...meta });
    return this;
  }
}

/** A file as Claude Code's and OpenCode's read tools show it: every line has a number. */
export function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
    .join("\n");
}

/** Text of about `tokens` tokens; another `seed`, another text. */
export function textOf(tokens: number, seed = 0): string {
  const lines: string[] = [];
  for (let i = 0; i * 14 < tokens; i++)
    lines.push(`  const value${seed} = compute(order, ${seed * 31 + i}); // keep this`);
  return lines.join("\n");
}
