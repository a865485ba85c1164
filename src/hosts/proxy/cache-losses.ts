import type { CacheLoss } from "../../prefix/cache-loss.ts";
import { explainLoss } from "../../prefix/explain-loss.ts";
import { type PrefixFingerprint, takeFingerprint } from "../../prefix/fingerprint.ts";
import { isKnown } from "../../schedule/cache-model.ts";
import { countInput } from "../../schedule/usage-cost.ts";
import type { Usage } from "../../transcript/message.ts";
import { isOwnQuestion } from "../../wires/index.ts";
import { isCounted, isCut, profileOf } from "./measure-request.ts";
import { findHeader } from "./raw-headers.ts";
import type { SentRequest, WatchedAnswer } from "./watcher.ts";

/** The last request of a conversation, without its text. */
interface LastRequest {
  readonly root: string;
  readonly time: number;
  readonly ttl: number;
  readonly print: PrefixFingerprint;
  /** Tokens that the provider should have in its cache now. */
  readonly cached: number;
  /** Has the provider reported cached tokens in this conversation? */
  readonly usesCache: boolean;
}

/** Losses of a smaller share of a request are not reported. */
const WORTH_NAMING = 0.3;
/** The most conversations of one session: an agent and its subagents. */
const MOST_IN_GROUP = 8;
/** The most messages in memory, over all conversations: each is a few hashes. */
const MOST_MESSAGES = 100_000;

/** Compares each request with the previous one of its conversation, and explains why the cache was lost. */
export class CacheLosses {
  /** Keyed by session; the one used last is at the end. */
  readonly #groups = new Map<string, readonly LastRequest[]>();
  readonly #mostMessages: number;
  #messages = 0;

  constructor(mostMessages: number = MOST_MESSAGES) {
    this.#mostMessages = mostMessages;
  }

  /** Call this with every answer, in order. */
  explain(sent: SentRequest, answered: Omit<WatchedAnswer, "loss">): CacheLoss | undefined {
    const { answer } = answered;
    if (!answer || !isKnown(answer.usage) || !isCounted(sent) || isOwnQuestion(sent.request))
      return undefined;
    const { usage } = answer;
    const key = nameGroup(sent);
    const group = this.#groups.get(key) ?? [];
    const last = group.findLast(({ root }) => root === sent.root);
    const print = takeFingerprint(
      readSent(sent, answered),
      sent.request.model,
      findHeader(sent.headers, "anthropic-beta"),
      last?.print,
    );
    if (!print) return undefined;
    const before = last ?? findSimilar(group, print);
    const { cache, dollarsPerMillion } = profileOf(sent, answered);
    const now: LastRequest = {
      root: sent.root,
      time: sent.time,
      ttl: cache.ttl,
      print,
      cached: cache.marks ? usage.cacheRead + usage.cacheWrite : countInput(usage),
      usesCache: before?.usesCache || usage.cacheRead > 0 || usage.cacheWrite > 0,
    };
    this.#keep(key, [...group.filter((each) => each !== before), now].slice(-MOST_IN_GROUP));
    const tokens = before?.usesCache ? countLost(before, usage) : 0;
    if (!before || tokens === 0) return undefined;
    const write = usage.cacheWrite > 0 ? cache.write : 1;
    return {
      ...explainLoss(before.print, print, {
        pause: sent.time - before.time,
        ttl: before.ttl,
        isCut: isCut(sent, answered),
        diagnosis: answer.cacheMiss,
      }),
      tokens,
      ...(dollarsPerMillion !== undefined && {
        dollars: (tokens * Math.max(0, write - cache.read) * dollarsPerMillion) / 1e6,
      }),
    };
  }

  #keep(key: string, group: readonly LastRequest[]): void {
    this.#drop(key);
    this.#groups.set(key, group);
    this.#messages += countMessages(group);
    for (const oldest of this.#groups.keys()) {
      if (this.#messages <= this.#mostMessages || oldest === key) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#messages -= countMessages(this.#groups.get(key) ?? []);
    this.#groups.delete(key);
  }
}

function countMessages(group: readonly LastRequest[]): number {
  // A request without messages needs memory too.
  return group.reduce((sum, { print }) => sum + print.messages.length + print.tools.length + 1, 0);
}

/** The body that was sent, as text. A body that is still compressed was sent unchanged. */
function readSent({ bytes, request }: SentRequest, { isOfOriginal }: Pick<WatchedAnswer, "isOfOriginal">) {
  const isPlain = !isOfOriginal && (bytes.body[0] === BRACE || WHITE.has(bytes.body[0] ?? 0));
  return isPlain ? bytes.body.toString() : request.body;
}

const BRACE = 0x7b;
const WHITE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Groups by session if the client names one, because the root changes with the first message. */
function nameGroup({ ids, root }: SentRequest): string {
  const [first] = ids;
  return first ? `id ${first.parent ?? ""} ${first.id}` : `root ${root}`;
}

/** If its first message has changed, a conversation has another root but still most of its messages. */
function findSimilar(
  group: readonly LastRequest[],
  { messages }: PrefixFingerprint,
): LastRequest | undefined {
  return group.findLast(({ print }) => {
    const same = print.messages.filter(({ hash }, i) => messages[i]?.hash === hash).length;
    return same > 0 && same >= print.messages.length / 2;
  });
}

function countLost(before: LastRequest, usage: Usage): number {
  const total = countInput(usage);
  const lost = Math.min(before.cached, total) - usage.cacheRead;
  return lost >= WORTH_NAMING * total ? lost : 0;
}
