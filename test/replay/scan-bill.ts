/**
 * The payments in a raw recording, in US dollars: an independent reading that shares neither parsers nor prices
 * with the project. Only recorded amounts count.
 */
export function scanBill(agent: string, text: string): number {
  return SCANS[agent]?.(text) ?? 0;
}

// biome-ignore lint/suspicious/noExplicitAny: raw JSON of a dozen agents
type Json = any;

/**
 * Dollars per million tokens: input, cache read, cache write, write for an hour, output; the number of tokens above
 * which they are more expensive.
 */
const PRICES: readonly (readonly [RegExp, number, number, number, number, number, number?])[] = [
  [/claude-(?:fable|mythos)-5[-.]1/, 10, 0.25, 12.5, 20, 50],
  [/claude-(?:fable|mythos)-5/, 10, 1, 12.5, 20, 50],
  [/claude-opus-5[-.]5/, 4, 0.2, 5, 8, 20],
  [/claude-opus-(?:4[-.][5-8]|5)/, 5, 0.5, 6.25, 10, 25],
  [/claude-sonnet-5[-.]5/, 2, 0.1, 2.5, 4, 10],
  [/claude-sonnet-5/, 2, 0.2, 2.5, 4, 10],
  [/claude-sonnet-4[-.]5/, 3, 0.3, 3.75, 6, 15, 200_000],
  [/claude-3-5-sonnet/, 3, 0.3, 3.75, 6, 15],
  [/gpt-5\.5/, 5, 0.5, 5, 5, 30, 271_999],
  [/gpt-5\.4-mini/, 0.75, 0.075, 0.75, 0.75, 4.5],
  [/gpt-5\.4/, 2.5, 0.25, 2.5, 2.5, 15, 271_999],
  [/gpt-5-mini/, 0.25, 0.025, 0.25, 0.25, 2],
  [/gpt-5$/, 1.25, 0.125, 1.25, 1.25, 10],
  [/gpt-4o/, 2.5, 1.25, 2.5, 2.5, 10],
  [/gemini-3\.1-pro/, 2, 0.2, 2, 2, 12, 200_000],
  [/gemini-3-flash/, 0.5, 0.05, 0.5, 0.5, 3],
];

interface Counts {
  readonly input?: number;
  readonly read?: number;
  readonly write?: number;
  readonly hour?: number;
  readonly output?: number;
}

function price(
  model: string,
  { input = 0, read = 0, write = 0, hour = 0, output = 0 }: Counts,
  isOne = true,
): number {
  if (input + read + write + output === 0 || /-free$/.test(model)) return 0;
  const row = PRICES.find(([ids]) => ids.test(model));
  if (!row) throw new Error(`no price of ${model}`);
  const [, i, r, w, h, o, from = Number.POSITIVE_INFINITY] = row;
  const isLong = isOne && input + read + write > from;
  const dollars = input * i + read * r + (write - hour) * w + hour * h;
  return (dollars * (isLong ? 2 : 1) + output * o * (isLong ? 1.5 : 1)) / 1e6;
}

/** Some lines contain two records, because the line end between them was never written; others are cut off. */
function readLines(text: string): readonly Json[] {
  return text
    .replaceAll(/\}\{"type":/g, '}\n{"type":')
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function add(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}

function priceAnthropic(model: string, usage: Json): number {
  return price(model, {
    input: usage?.input_tokens,
    read: usage?.cache_read_input_tokens,
    write: usage?.cache_creation_input_tokens,
    hour: usage?.cache_creation?.ephemeral_1h_input_tokens,
    output: usage?.output_tokens,
  });
}

function priceChat(model: string, usage: Json): number {
  const read = usage?.prompt_tokens_details?.cached_tokens ?? usage?.cache_read_input_tokens ?? 0;
  const write = usage?.cache_creation_input_tokens ?? 0;
  const input = (usage?.prompt_tokens ?? 0) - read - write;
  return price(model, { input, read, write, output: usage?.completion_tokens });
}

const SCANS: Readonly<Record<string, (text: string) => number>> = {
  /** The last line of a message id counts. */
  "claude-code": (text) => {
    const messages = new Map<string, Json>();
    for (const { type, message, isApiErrorMessage } of readLines(text)) {
      const isReal = type === "assistant" && !isApiErrorMessage && message.model !== "<synthetic>";
      if (isReal) messages.set(message.id, message);
    }
    return add([...messages.values()].map(({ model, usage }) => priceAnthropic(model, usage)));
  },
  /** Its own running total. None of its requests is long enough for the higher price. */
  codex: (text) => {
    const records = readLines(text);
    const model = records.findLast(({ type }) => type === "turn_context").payload.model;
    const counts = records.filter(({ payload }) => payload?.type === "token_count" && payload.info);
    const total = counts.at(-1)?.payload.info.total_token_usage;
    const { input_tokens, cached_input_tokens: read, output_tokens: output } = total;
    const input = input_tokens - read;
    return price(model, { input, read, output }, false);
  },
  pi: (text) =>
    add(
      readLines(text).map(({ message }) => {
        if (message?.role !== "assistant" || !message.usage) return 0;
        const { input, cacheRead: read, cacheWrite: write, output, cost } = message.usage;
        return cost?.total || price(message.model, { input, read, write, output });
      }),
    ),
  opencode: (text) =>
    add(
      JSON.parse(text).messages.map(({ info }: Json) => {
        if (info.role !== "assistant" || !info.tokens) return 0;
        const { input, cache, output, total } = info.tokens;
        const rest = total === undefined ? output : total - input - cache.read - cache.write;
        return info.cost || price(info.modelID, { input, ...cache, output: rest });
      }),
    ),
  "gemini-cli": (text) => {
    const document = JSON.parse(text);
    return add(
      (document.messages ?? []).map(({ model, tokens }: Json) =>
        tokens
          ? price(model, {
              input: tokens.input - tokens.cached + (tokens.tool ?? 0),
              read: tokens.cached,
              output: tokens.output + tokens.thoughts,
            })
          : 0,
      ),
    );
  },
  "copilot-cli": (text) => {
    let model = "";
    return add(
      readLines(text).map(({ type, data }) => {
        if (type === "session.model_change") model = data.newModel;
        return type === "assistant.message" ? price(data.model ?? model, { output: data.outputTokens }) : 0;
      }),
    );
  },
  "mini-swe-agent": (text) =>
    add(
      JSON.parse(text).messages.map(({ role, extra }: Json) =>
        role === "assistant" ? (extra?.cost ?? 0) : 0,
      ),
    ),
  "openhands-completion": (text) => {
    const { response } = JSON.parse(text);
    return priceChat(response.model, response.usage);
  },
  moatless: (text) =>
    add(
      JSON.parse(text).nodes.flatMap(({ completions }: Json) =>
        Object.values(completions ?? {}).map((completion: Json) =>
          priceAnthropic(completion.model, completion.response?.usage),
        ),
      ),
    ),
  "tau2-bench": (text) =>
    add(
      JSON.parse(text).simulations.flatMap(({ messages }: Json) =>
        messages.map(({ cost }: Json) => cost ?? 0),
      ),
    ),
  "trae-agent": (text) =>
    add(
      JSON.parse(text).llm_interactions.map(({ provider, model, response }: Json) => {
        const {
          input_tokens = 0,
          output_tokens: output,
          cache_read_input_tokens: read = 0,
        } = response.usage ?? {};
        const input = provider === "bedrock" ? input_tokens : input_tokens - read;
        return price(model, { input, read, output });
      }),
    ),
};
