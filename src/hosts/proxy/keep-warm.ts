import type { Dispatcher } from "undici";
import type { ModelOverrides, ModelProfile } from "../../models/profile.ts";
import { profileCachedFor, profileFor } from "../../models/profile-for.ts";
import { nextPing } from "../../schedule/keep-warm.ts";
import { costOfUsage } from "../../schedule/usage-cost.ts";
import type { Store } from "../../stores/store.ts";
import type { Usage } from "../../transcript/message.ts";
import type { Conversations } from "../conversation/conversations.ts";
import { dropHeaders, findHeader, type RawHeaders } from "./raw-headers.ts";
import type { Service } from "./service.ts";
import type { SentRequest, WatchedAnswer } from "./watcher.ts";

export interface KeepWarmOptions {
  readonly conversations: Conversations;
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly prices: ModelOverrides;
  /** Also for subscriptions, whose rules may not allow it. */
  readonly withSubscriptions: boolean;
  readonly clock: () => number;
}

/** A conversation that has paused. */
interface Pause {
  readonly sent: SentRequest;
  readonly profile: ModelProfile;
  readonly tokens: number;
  readonly usedAt: number;
  readonly pings: number;
  readonly timer: NodeJS.Timeout;
}

/** The bodies are kept in memory: the oldest pauses go first. */
const MOST_PAUSES = 100;

/**
 * When a conversation pauses, its last request is sent again shortly before the provider's cache expires, and the
 * answer is dropped at its first event. This stops when the pings would cost too much of the rewrite that they
 * save.
 */
export function keepWarm(options: KeepWarmOptions): Service {
  const { conversations, store, dispatcher, prices, withSubscriptions, clock } = options;
  const pauses = new Map<string, Pause>();

  function end(session: string): void {
    clearTimeout(pauses.get(session)?.timer);
    pauses.delete(session);
  }

  function wait(pause: Omit<Pause, "timer">): void {
    const { sent, profile, tokens, usedAt, pings } = pause;
    const ping = nextPing({ tokens, usedAt, pings, prices: profile.cache });
    if (!ping) return;
    const timer = setTimeout(
      () => {
        pauses.delete(sent.session);
        // A machine that was asleep wakes up too late.
        if (clock() < ping.until) void send(pause);
      },
      Math.max(0, ping.at - clock()),
    );
    timer.unref();
    pauses.set(sent.session, { ...pause, timer });
    const [oldest] = pauses.keys();
    if (pauses.size > MOST_PAUSES && oldest !== undefined) end(oldest);
  }

  async function send(pause: Omit<Pause, "timer">): Promise<void> {
    const { sent, profile } = pause;
    const usedAt = clock();
    try {
      const usage = await ping(dispatcher, sent);
      if (usage === "refused") return;
      conversations.keptWarm(sent.report.key, usedAt);
      const cost = usage && costOfUsage(usage, profile);
      void store.addPing({ session: sent.session, time: usedAt, ...(cost !== undefined && { cost }) });
      // Nothing was cached: there is nothing to keep.
      if (usage?.cacheRead === 0 || pauses.has(sent.session)) return;
      wait({ ...pause, usedAt, pings: pause.pings + 1 });
    } catch {
      // The provider can't be reached: the prefix may expire.
    }
  }

  return {
    // A session that continues is no longer paused. One that continues with another history has left the old one.
    sent: ({ session, request }) => {
      if (request.hasTools) end(session);
    },
    answered(sent, answered) {
      const usage = answered.answer?.usage;
      // The provider would refuse the first body again.
      if (!usage || answered.isOfOriginal || !mayPing(sent, answered, withSubscriptions)) return;
      const profile = profileCachedFor(profileFor(sent.request.model, prices), sent.report.terms.ttl);
      const tokens = usage.input + usage.cacheRead + usage.cacheWrite;
      end(sent.session);
      wait({ sent, profile, tokens, usedAt: sent.time, pings: 0 });
    },
    close() {
      for (const session of [...pauses.keys()]) end(session);
    },
  };
}

/** Only a stream can be dropped at its first event. Side questions and finished subagents don't continue. */
function mayPing(
  { request, ids, headers, wire }: SentRequest,
  { answer }: WatchedAnswer,
  withSubscriptions: boolean,
): boolean {
  if (wire.name === "anthropic-count-tokens" || !request.hasTools) return false;
  const isStream = request.isStream || wire.name === "gemini";
  const isDone = ids.some(({ parent }) => parent !== undefined) && answer?.calls.length === 0;
  return isStream && !isDone && (withSubscriptions || !isSubscription(headers));
}

/** A login, and not a key with which tokens are paid for. */
export function isSubscription(headers: RawHeaders): boolean {
  const beta = findHeader(headers, "anthropic-beta") ?? "";
  const key = findHeader(headers, "authorization") ?? "";
  return findHeader(headers, "chatgpt-account-id") !== undefined || beta.includes("oauth") || LOGIN.test(key);
}

/** The credentials of logins: Claude's, signed tokens, Google's, GitHub's. */
const LOGIN = /^Bearer (?:sk-ant-oat|eyJ|ya29\.|gh[a-z]_|tid=)/i;

/** The usage in the first event; most providers report it only at the end, which nobody waits for. */
async function ping(
  dispatcher: Dispatcher,
  { route, headers, bytes, wire }: SentRequest,
): Promise<Usage | undefined | "refused"> {
  const response = await dispatcher.request({
    origin: route.origin,
    path: route.path,
    method: "POST",
    // Uncompressed, so that its first event can be read.
    headers: dropHeaders(headers, (name) => name === "accept-encoding"),
    body: bytes.body,
  });
  const reader = wire.openAnswer();
  for await (const chunk of response.body) {
    reader.push(chunk as Buffer);
    break;
  }
  response.body.destroy();
  return response.statusCode < 300 ? reader.end().usage : "refused";
}
