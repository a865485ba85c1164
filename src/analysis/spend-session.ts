import { formatByName } from "../formats/detect.ts";
import { joinResponses, pairResults } from "../formats/intake/decode.ts";
import type { Recording } from "../recordings/recording.ts";
import type { BookEntry } from "../replay/book-entry.ts";
import type { ReplayBench } from "../replay/replay.ts";
import { listRequests } from "../replay/requests.ts";
import { MessageReader } from "../replay/sent-view.ts";
import { createToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { Part } from "../transcript/part.ts";
import { countPart } from "../transcript/transcript.ts";
import type { Day } from "./calendar.ts";
import { CostByName } from "./cost-by-name.ts";
import type { PrefixCost } from "./prefix-share.ts";
import { RereadTally } from "./reread-tally.ts";
import type { DaySpending } from "./session-analysis.ts";

export type DayUse = Pick<DaySpending, "tools" | "kinds" | "stale" | "coldStarts" | "rereads" | "prefix">;

interface SpendingInput {
  readonly bench: ReplayBench;
  /** The day of each entry of the session's book. */
  readonly days: readonly (Day | undefined)[];
  /** For each segment: the stale tokens of the request that has this many after it. */
  readonly stale: readonly ((left: number) => number)[];
}

/**
 * What a session's money was spent on. The cost of a request is spread over its text: cached text costs less than
 * new text, by the model's prices.
 */
export function spendSession(
  recording: Recording,
  { bench, days, stale }: SpendingInput,
): (day: Day | undefined) => DayUse {
  const { book, unpruned } = bench;
  const reader = new MessageReader(formatByName(recording.format));
  const tools = new CostByName();
  const kinds = new CostByName();
  const rereads = new RereadTally();
  const waste = new Waste();
  const prefixes = new PrefixCosts();
  let index = 0;
  for (const [number, segment] of recording.segments.entries()) {
    const sentMessages = segment.messages.map((message) => reader.read(message));
    const messages = pairResults(sentMessages.map(({ decoded }) => decoded));
    const requests = listRequests(segment, joinResponses(messages));
    const uses = new Uses();
    tools.open();
    kinds.open();
    let [last, carried] = [0, 0];
    for (const [i, { end }] of requests.entries()) {
      const entry = book.entries[index];
      const sent = unpruned.requests[index];
      const day = days[index++];
      if (!entry || !sent) continue;
      const { prefix, isRecorded, scale, read, write } = bench.termsOf(sent.model);
      let fresh = 0;
      for (let at = last; at < end; at++) {
        const message = messages[at];
        const counts = message === sentMessages[at]?.decoded ? sentMessages[at]?.counts : undefined;
        for (const [place, part] of message?.parts.entries() ?? []) {
          const tokens = counts?.[place] ?? countPart(part);
          const use = uses.of(part);
          const isNew = at >= segment.carried;
          fresh += tokens;
          kinds.put(nameKind(part, use), tokens, isNew, day, scale);
          if (use) tools.put(use.name, tokens, isNew, day, scale);
          if (part.kind === "result" && use && isNew) rereads.note(use, tokens * scale, day);
        }
      }
      last = end;
      const isFirst = i === 0;
      const old = prefix + scale * carried;
      const share = old === 0 ? 0 : Math.min(1, sent.cached / old);
      const oldPrice = share * read + (1 - share) * write;
      const weight = old * oldPrice + scale * fresh * write;
      const paid = entry.unpriced ? 0 : entry.input;
      const dollar = weight === 0 ? 0 : paid / weight;
      const prices = { old: oldPrice * dollar, fresh: write * dollar, scale };
      kinds.add(day, "system prompt and tool definitions", prefix, prefix * prices.old, isFirst);
      if (isRecorded && isPaid(entry)) prefixes.add(day, prefix, prefix * prices.old);
      kinds.pay(day, prices);
      tools.pay(day, prices);
      payAnswer(kinds, entry, day);
      waste.noteStale(day, Math.min(carried, stale[number]?.(requests.length - i) ?? 0) * scale, prices.old);
      if (sent.cold && !isFirst) waste.noteCold(day, old, (write - read) * dollar);
      carried += fresh;
    }
  }
  for (const [i, entry] of book.entries.entries()) {
    if (i >= index) payAside(kinds, entry, days[i]);
    prefixes.addBill(days[i], entry);
  }
  return (day) => ({
    tools: tools.list(day),
    kinds: kinds.list(day),
    rereads: rereads.list(day),
    prefix: prefixes.of(day),
    ...waste.list(day),
  });
}

function payAnswer(kinds: CostByName, { tokens, output, unpriced }: BookEntry, day: Day | undefined): void {
  kinds.add(day, "answers and reasoning, as they are written", tokens.output, unpriced ? 0 : output);
}

const ASIDES: Readonly<Record<Exclude<BookEntry["kind"], "request">, string>> = {
  subagent: "subagents",
  branch: "abandoned answers",
  failed: "requests that failed",
  compaction: "compactions by the agent",
  hidden: "requests that show nothing",
  "played-user": "the user, played by a model",
};

function payAside(kinds: CostByName, entry: BookEntry, day: Day | undefined): void {
  const { kind, tokens, input, output, unpriced } = entry;
  if (kind === "request") return;
  const sum = tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output;
  kinds.add(day, ASIDES[kind], sum, unpriced ? 0 : input + output);
}

/** The meanings of calls; a result has the meaning of its call. */
class Uses {
  readonly #kinds = createToolKinds();
  readonly #byCall = new Map<string, ToolUse>();

  of(part: Part): ToolUse | undefined {
    if (part.kind === "result") return this.#byCall.get(part.callId);
    if (part.kind !== "call") return undefined;
    const use = this.#kinds.describe(part.tool, part.input);
    this.#byCall.set(part.callId, use);
    return use;
  }
}

function nameKind(part: Part, use: ToolUse | undefined): string {
  switch (part.kind) {
    case "call":
      return `calls: ${use?.kind ?? "other"}`;
    case "result":
      return `results: ${use?.kind ?? "other"}`;
    case "text":
      return part.role === "assistant" ? "answers" : part.role === "user" ? "prompts" : "other text";
    case "file":
      return "attachments";
    case "reasoning":
      return "reasoning";
    default:
      return "other";
  }
}

type Amounts = { tokens: number; dollars: number; count: number };

/** Text that was sent although it was stale, and text that was written although it had been in the cache. */
class Waste {
  readonly #stale = new Map<Day | undefined, Amounts>();
  readonly #cold = new Map<Day | undefined, Amounts>();

  noteStale(day: Day | undefined, tokens: number, price: number): void {
    add(this.#stale, day, tokens, price);
  }

  noteCold(day: Day | undefined, tokens: number, price: number): void {
    add(this.#cold, day, tokens, price);
  }

  list(day: Day | undefined): Pick<DaySpending, "stale" | "coldStarts"> {
    const { count: _, ...stale } = this.#stale.get(day) ?? NOTHING;
    return { stale, coldStarts: this.#cold.get(day) ?? NOTHING };
  }
}

/** Is the cost of its input known? */
function isPaid({ estimated, unpriced }: BookEntry): boolean {
  return !estimated.input && !unpriced;
}

const NO_PREFIX: PrefixCost = { tokens: 0, dollars: 0, bill: 0 };

/** The cost of the prefix if usage was recorded, and the whole bill. Leaves out sessions whose prefix is unknown. */
class PrefixCosts {
  #isKnown = false;
  readonly #days = new Map<Day | undefined, { tokens: number; dollars: number; bill: number }>();

  add(day: Day | undefined, tokens: number, dollars: number): void {
    const sum = this.#open(day);
    this.#isKnown ||= tokens > 0;
    sum.tokens += Math.round(tokens);
    sum.dollars += dollars;
  }

  addBill(day: Day | undefined, entry: BookEntry): void {
    if (isPaid(entry)) this.#open(day).bill += entry.input + entry.output;
  }

  of(day: Day | undefined): PrefixCost {
    return this.#isKnown ? this.#open(day) : NO_PREFIX;
  }

  #open(day: Day | undefined): { tokens: number; dollars: number; bill: number } {
    const sum = this.#days.get(day) ?? { ...NO_PREFIX };
    this.#days.set(day, sum);
    return sum;
  }
}

const NOTHING: Readonly<Amounts> = { tokens: 0, dollars: 0, count: 0 };

function add(sums: Map<Day | undefined, Amounts>, day: Day | undefined, tokens: number, price: number): void {
  const sum = sums.get(day) ?? { ...NOTHING };
  sums.set(day, sum);
  sum.tokens += Math.round(tokens);
  sum.dollars += tokens * price;
  sum.count++;
}
