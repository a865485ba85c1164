import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import { describeError } from "../../basics/issue.ts";
import type { ModelOverrides } from "../../models/profile.ts";
import type { CacheLoss } from "../../prefix/cache-loss.ts";
import { findWire } from "../../wires/index.ts";
import type { Conversations } from "../conversation/conversations.ts";
import { type PrunedBody, pruneBody } from "../conversation/prune-body.ts";
import { AnswerTap } from "./answer-tap.ts";
import { CacheLosses } from "./cache-losses.ts";
import { decodeBody } from "./decode-body.ts";
import { answerHeaders, findHeader, headersForBody, requestHeaders } from "./raw-headers.ts";
import { readRefusal } from "./read-refusal.ts";
import { replyError } from "./reply.ts";
import { takeBody } from "./take-body.ts";
import type { Route } from "./upstreams.ts";
import type { SentRequest, WatchedAnswer, Watcher } from "./watcher.ts";

export interface RelayOptions {
  readonly conversations: Conversations;
  readonly dispatcher: Dispatcher;
  /** Larger bodies are passed on without reading them, in bytes. */
  readonly largestBody: number;
  /** Is this session left unpruned? */
  readonly isHeldOut: (group: string) => boolean;
  /** Values that override the price library. */
  readonly prices: ModelOverrides;
  /** The client program; `undefined` if unknown. */
  readonly nameClient: (headers: IncomingMessage["headers"]) => string | undefined;
  readonly clock: () => number;
  readonly watch: Required<Watcher>;
}

/** A request to a provider. */
interface Outgoing {
  readonly headers: string[];
  readonly body: Buffer | Readable | null;
}

/**
 * Passes requests on to their providers and the answers back, and prunes requests to models:
 *
 *   read the body → wire → conversation → prune → splice → upstream; the answer chunk by chunk
 *
 * If our code fails, the request is sent unchanged.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #losses = new CacheLosses();
  #serial = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** @param isWatched whether the request may be read, pruned and remembered */
  async pass(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    route: Route,
    isWatched: boolean,
  ): Promise<void> {
    const arrived = performance.now();
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const method = incoming.method ?? "GET";
    const isRead = isWatched && findWire(method, route.path) !== undefined;
    const taken = isRead
      ? await takeBody(incoming, this.#options.largestBody)
      : ({ kind: "stream", stream: incoming } as const);
    const headers = requestHeaders(incoming.rawHeaders);
    const original: Outgoing = {
      headers,
      body: taken.kind === "whole" ? taken.bytes : hasBody(incoming) ? taken.stream : null,
    };
    const pruned = taken.kind === "whole" ? await this.#prune(incoming, route, taken.bytes) : undefined;
    const ask = ({ headers, body }: Outgoing) =>
      this.#options.dispatcher.request({
        origin: route.origin,
        // Unchanged: a `URL` would normalise it.
        path: route.path,
        method: method as Dispatcher.HttpMethod,
        headers,
        body,
        signal: gone.signal,
        responseHeaders: "raw",
      });
    if (!pruned || taken.kind !== "whole") {
      this.#options.watch.passed(route);
      const response = await ask(original);
      await this.#answer(outgoing, response);
      return;
    }
    const { isChanged } = pruned;
    const body = isChanged ? Buffer.from(pruned.body) : taken.bytes;
    const shortened = isChanged ? { headers: headersForBody(headers, body.length), body } : original;
    const sent = this.#note(incoming, route, pruned, {
      headers: shortened.headers,
      bytes: { received: taken.bytes.length, sent: body.length, body },
      heldUp: performance.now() - arrived,
    });
    let isOfOriginal = false;
    const response = await this.#askFor(sent, async () => {
      const first = await ask(shortened);
      isOfOriginal = isChanged && mayBeRefusedForUs(pruned) && first.statusCode === 400;
      return isOfOriginal ? this.#insist(first, pruned, original, route, ask) : first;
    });
    await this.#answer(outgoing, response, { sent, pruned, arrived, isOfOriginal });
  }

  /** Watchers that saw the request sent are also told if no answer comes. */
  async #askFor(
    sent: SentRequest,
    ask: () => Promise<Dispatcher.ResponseData>,
  ): Promise<Dispatcher.ResponseData> {
    try {
      return await ask();
    } catch (error) {
      this.#options.watch.failed(sent);
      throw error;
    }
  }

  async #prune(incoming: IncomingMessage, route: Route, bytes: Buffer): Promise<PrunedBody | undefined> {
    const { conversations, largestBody } = this.#options;
    const { method = "GET", headers } = incoming;
    try {
      const body = await decodeBody(bytes, headers["content-encoding"], largestBody);
      return body === undefined
        ? undefined
        : await pruneBody(
            conversations,
            { method, path: route.path, headers, body },
            this.#options.isHeldOut,
          );
    } catch (error) {
      conversations.fail("reading a request", error);
      return undefined;
    }
  }

  #note(
    { headers }: IncomingMessage,
    route: Route,
    { wire, request, ids, group, turn }: PrunedBody,
    rest: Pick<SentRequest, "headers" | "bytes" | "heldUp">,
  ): SentRequest {
    const { root, report } = turn;
    const own = ids.find(({ isShared }) => !isShared);
    const sent: SentRequest = {
      serial: ++this.#serial,
      time: this.#options.clock(),
      session: own?.id ?? root,
      root,
      ids,
      client: this.#options.nameClient(headers),
      wire,
      request,
      report,
      isHeldOut: this.#options.isHeldOut(group),
      prices: this.#options.prices,
      route,
      ...rest,
    };
    this.#options.watch.sent(sent);
    return sent;
  }

  /**
   * The provider refuses the pruned request. If it accepts the original, the fault is ours, and this conversation
   * is no longer pruned.
   */
  async #insist(
    refusal: Dispatcher.ResponseData,
    { turn }: PrunedBody,
    original: Outgoing,
    route: Route,
    ask: (what: Outgoing) => Promise<Dispatcher.ResponseData>,
  ): Promise<Dispatcher.ResponseData> {
    const { conversations } = this.#options;
    const refusalText = await readRefusal(refusal, original.headers, route.path);
    const response = await ask(original);
    if (response.statusCode < 300) {
      conversations.giveUp(turn.root);
      conversations.tell({
        code: "pruned-request-refused",
        message: `the provider refused a pruned request and accepted the original, so Coppice no longer prunes this conversation; please report it: ${refusalText}`,
        severity: "error",
      });
    }
    return response;
  }

  async #answer(
    outgoing: ServerResponse,
    response: Dispatcher.ResponseData,
    of?: Pick<WatchedAnswer, "isOfOriginal"> & {
      readonly sent: SentRequest;
      readonly pruned: PrunedBody;
      readonly arrived: number;
    },
  ): Promise<void> {
    // With `raw`: names and values in turn.
    const headers = response.headers as unknown as readonly string[];
    outgoing.sendDate = false;
    outgoing.writeHead(response.statusCode, answerHeaders(headers));
    // Sends the headers at once with their original bytes: `flushHeaders` would encode them as UTF-8.
    outgoing.write(NOTHING);
    if (!of) {
      await pipeline(response.body, outgoing);
      return;
    }
    const { sent, pruned, arrived, isOfOriginal } = of;
    const { turn, wire } = pruned;
    const { watch, clock } = this.#options;
    const isOk = response.statusCode < 300;
    const firstByte = performance.now() - arrived;
    const tap = new AnswerTap(wire.openAnswer(), findHeader(headers, "content-encoding"), {
      called: (called) => isOk && turn.answered(called),
      ended: (answer) => {
        const { ok, usage, model, calls, calledTools } = answer;
        const isKnown = isOk && (ok || usage !== undefined);
        if (isKnown)
          turn.answered({
            calls,
            calledTools,
            ...(usage && { usage }),
            ...(model !== undefined && { model }),
          });
        const answered: Omit<WatchedAnswer, "loss"> = {
          time: clock(),
          status: response.statusCode,
          answer: isKnown ? answer : undefined,
          firstByte,
          isOfOriginal,
        };
        const loss = this.#explain(sent, answered);
        watch.answered(sent, { ...answered, ...(loss && { loss }) });
      },
    });
    await pipeline(response.body, tap, outgoing);
  }

  #explain(sent: SentRequest, answered: Omit<WatchedAnswer, "loss">): CacheLoss | undefined {
    try {
      return this.#losses.explain(sent, answered);
    } catch (error) {
      this.#options.conversations.fail("explaining a lost cache", error);
      return undefined;
    }
  }
}

/** Can a change of Coppice be the reason? Refs are only a few more words, and a cache mark follows every rule. */
function mayBeRefusedForUs({ turn: { report, note }, leavesOutTools }: PrunedBody): boolean {
  return report.edits.length > 0 || note !== undefined || leavesOutTools;
}

const NOTHING = Buffer.alloc(0);

/** Reports an error to the client, unless it has disconnected. */
export function replyFault(outgoing: ServerResponse, route: Route, error: unknown): void {
  if (outgoing.destroyed) return;
  replyError(outgoing, 502, `can't reach ${route.origin}: ${describeError(error)}`);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
