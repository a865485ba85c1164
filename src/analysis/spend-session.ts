import { formatByName } from "../formats/detect.ts";
import { joinResponses } from "../intake/decode.ts";
import type { ModelProfile } from "../models/profile.ts";
import type { Recording } from "../recordings/recording.ts";
import { listRequests } from "../replay/requests.ts";
import { MessageReader } from "../replay/sent-view.ts";
import { priceRequest } from "../schedule/bill.ts";
import { type CacheState, EMPTY_CACHE, isCold, noteRequest } from "../schedule/cache-model.ts";
import { createToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { Part } from "../transcript/part.ts";
import type { Reread } from "./analyze-session.ts";

/** What one tool, or one kind of text, cost. */
export interface Spending {
  readonly name: string;
  /** Its tokens, each counted once. */
  readonly tokens: number;
  /** Its tokens times the requests that carried them. */
  readonly sent: number;
  /** In tokens of plain input. */
  readonly bill: number;
}

/** Requests after the first whose whole prefix had to be written again. */
export interface ColdStarts {
  readonly count: number;
  readonly tokens: number;
  /** What that cost beyond reading them from the cache. */
  readonly bill: number;
}

export interface SessionSpending {
  readonly requests: number;
  readonly sent: number;
  readonly peak: number;
  readonly bill: number;
  readonly dollars: number | undefined;
  readonly tools: readonly Spending[];
  readonly kinds: readonly Spending[];
  readonly coldStarts: ColdStarts;
  readonly rereads: readonly Reread[];
}

/** System prompt and tool schemas: recordings do not have them (spec/9). */
const PREFIX_TOKENS = 8_000;

/** The bill of a session as it was, request by request, and the share of each tool and each kind of text. */
export function spendSession(
  recording: Recording,
  profileOf: (model: string | undefined) => ModelProfile,
): SessionSpending {
  const reader = new MessageReader(formatByName(recording.format));
  const tools = new Purse();
  const kinds = new Purse();
  const reads = new Reads();
  const cold = { count: 0, tokens: 0, bill: 0 };
  const sum = { requests: 0, sent: 0, peak: 0, bill: 0, dollars: 0, isPriced: true };
  for (const segment of recording.segments) {
    const messages = segment.messages.map((message) => reader.read(message));
    const uses = new Uses();
    let cache: CacheState = EMPTY_CACHE;
    let last = 0;
    let total = PREFIX_TOKENS;
    tools.open();
    kinds.open();
    kinds.put("system prompt and tool schemas", PREFIX_TOKENS, true);
    for (const { end, model, time } of listRequests(
      segment,
      joinResponses(messages.map(({ decoded }) => decoded)),
    )) {
      const profile = profileOf(model);
      const isColdNow = isCold(cache, profile, time);
      const carried = total;
      cache = noteRequest(cache, profile, time);
      for (let at = last; at < end; at++) {
        const message = messages[at];
        for (const [i, part] of message?.decoded.parts.entries() ?? []) {
          const tokens = message?.counts[i] ?? 0;
          const use = uses.of(part);
          const isNew = at >= segment.carried;
          total += tokens;
          kinds.put(nameKind(part, use), tokens, isNew);
          if (use) tools.put(use.name, tokens, isNew);
          if (part.kind === "result" && use && isNew) reads.note(use, tokens);
        }
      }
      last = end;
      const bill = priceRequest({ total, cached: isColdNow ? 0 : carried }, profile.cache);
      const isRead = !isColdNow && carried >= profile.cache.minimumPrefix;
      const old = isRead ? profile.cache.read : profile.cache.write;
      tools.pay(old, profile.cache.write);
      kinds.pay(old, profile.cache.write);
      if (isColdNow && sum.requests > 0) {
        cold.count++;
        cold.tokens += carried;
        cold.bill += carried * (profile.cache.write - profile.cache.read);
      }
      sum.requests++;
      sum.sent += total;
      sum.peak = Math.max(sum.peak, total);
      sum.bill += bill;
      if (profile.dollarsPerMillion === undefined) sum.isPriced = false;
      else sum.dollars += (bill * profile.dollarsPerMillion) / 1e6;
    }
  }
  const { requests, sent, peak, bill, dollars, isPriced } = sum;
  return {
    requests,
    sent,
    peak,
    bill,
    dollars: isPriced && requests > 0 ? dollars : undefined,
    tools: tools.list(),
    kinds: kinds.list(),
    coldStarts: cold,
    rereads: reads.list(),
  };
}

/** What calls mean; a result means what its call does. */
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

interface Entry {
  tokens: number;
  sent: number;
  bill: number;
  /** Tokens in the context at the last request. */
  carried: number;
  /** Tokens added since. */
  fresh: number;
}

/** Sums by name, so that a request takes time for each name and not for each part. */
class Purse {
  readonly #entries = new Map<string, Entry>();

  /** A new history begins. */
  open(): void {
    for (const entry of this.#entries.values()) entry.carried = entry.fresh = 0;
  }

  put(name: string, tokens: number, isNew: boolean): void {
    const entry = this.#entries.get(name) ?? { tokens: 0, sent: 0, bill: 0, carried: 0, fresh: 0 };
    this.#entries.set(name, entry);
    entry.fresh += tokens;
    if (isNew) entry.tokens += tokens;
  }

  /** Counts a request: a carried token costs `old`, a new one `fresh`. */
  pay(old: number, fresh: number): void {
    for (const entry of this.#entries.values()) {
      entry.bill += entry.carried * old + entry.fresh * fresh;
      entry.carried += entry.fresh;
      entry.sent += entry.carried;
      entry.fresh = 0;
    }
  }

  list(): readonly Spending[] {
    return [...this.#entries].map(([name, { tokens, sent, bill }]) => ({ name, tokens, sent, bill }));
  }
}

class Reads {
  readonly #byFile = new Map<string, { reads: number; first: number; tokens: number }>();

  note({ files }: ToolUse, tokens: number): void {
    const read = files.filter(({ operation }) => operation === "read");
    for (const { path } of read) {
      const known = this.#byFile.get(path) ?? { reads: 0, first: tokens / read.length, tokens: 0 };
      this.#byFile.set(path, known);
      known.reads++;
      known.tokens += tokens / read.length;
    }
  }

  /** The files that were read again. */
  list(): readonly Reread[] {
    return [...this.#byFile]
      .filter(([, { reads }]) => reads > 1)
      .map(([file, { reads, first, tokens }]) => ({ file, reads, again: Math.round(tokens - first) }));
  }
}
