import { setTimeout as wait } from "node:timers/promises";

/** The results of an agent. */
export interface Trials {
  requests: number;
  /** Nobody listened, or nobody answered. */
  refused: number;
  /** An answer that broke off in the middle. */
  cut: number;
  /** The last error. */
  last?: string;
}

/** An agent that reads files, step by step, and repeats a request after an error, as SDKs and their programs do. */
export class Agent {
  readonly trials: Trials = { requests: 0, refused: 0, cut: 0 };
  readonly name: string;
  readonly #random: () => number;
  readonly #messages: unknown[];
  /** When each step times and ended. */
  readonly times: (readonly [from: number, to: number])[] = [];
  #steps = 0;

  constructor(name: string, random: () => number) {
    this.name = name;
    this.#random = random;
    this.#messages = [{ role: "user", content: `Look at the files of ${name}.` }];
  }

  get steps(): number {
    return this.#steps;
  }

  /** The next request, which stays the same until it is answered. */
  get body(): string {
    const tools = [{ name: "read_file", input_schema: { type: "object" } }];
    return JSON.stringify({
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      stream: true,
      // As agents do. Without a cache, usage that is reported late would change the cuts.
      cache_control: { type: "ephemeral" },
      tools,
      messages: this.#messages,
    });
  }

  get messages(): readonly unknown[] {
    return this.#messages;
  }

  /**
   * Repeats until there is an answer, and advances one step. On a busy machine that takes any number of attempts;
   * the only failure is that nothing is disturbed, and there still is no answer.
   *
   * @param disturbed the time when something was last killed
   */
  async step(url: string, disturbed: () => number = () => 0): Promise<void> {
    const id = `${this.name}-${this.#steps}`;
    const from = Date.now();
    for (let attempt = 0; ; attempt++) {
      if (await ask(url, this.body, id, this.trials)) break;
      if (Date.now() - Math.max(from, disturbed()) > PATIENCE)
        throw new Error(`${id} was not answered, ${attempt + 1} times: ${this.trials.last}`);
      await wait(Math.min(500, 50 * 2 ** attempt) * (0.75 + this.#random() / 2));
    }
    const file = Math.floor(this.#random() * 4);
    const input = { path: `src/${file}.ts` };
    this.#messages.push(
      {
        role: "assistant",
        content: [
          { type: "text", text: "I read on." },
          { type: "tool_use", id: `call-${id}`, name: "read_file", input },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `call-${id}`, content: fileText(file, this.#steps) }],
      },
    );
    this.times.push([from, Date.now()]);
    this.#steps++;
  }
}

/** In milliseconds. */
const PATIENCE = 90_000;

/** Returns whether there was a whole answer. A refusal is an error. */
export async function ask(url: string, body: string, id: string, trials: Trials): Promise<boolean> {
  trials.requests++;
  let text = "";
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-api-key": "k",
        "x-id": id,
        "x-session-id": id.split("-")[0] ?? "",
      },
      // Nothing may hang: whatever is killed, an answer or an error comes.
      signal: AbortSignal.timeout(60_000),
    });
    if (response.status >= 500) {
      trials.last = `${response.status} ${await response.text()}`;
      trials.refused++;
      return false;
    }
    if (response.status !== 200) throw new Refusal(`${id}: ${response.status} ${await response.text()}`);
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    if (text.includes("event: message_stop")) return true;
    trials.cut++;
    trials.last = `an end without an end: ${text.slice(-200)}`;
    return false;
  } catch (error) {
    if (error instanceof Refusal || (error instanceof Error && error.name === "TimeoutError")) throw error;
    trials.last = error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error);
    if (text === "") trials.refused++;
    else trials.cut++;
    return false;
  }
}

class Refusal extends Error {}

function fileText(file: number, step: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `export const value${file}_${i} = ${(i * 7919 + file) % 1_000};`,
  );
  // Some change on the way.
  if (step % 3 === 0) lines.push(`// seen at step ${step}`);
  return lines.join("\n");
}
