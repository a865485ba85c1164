import type { ModelOverrides } from "../../models/profile.ts";
import type { CacheLoss } from "../../prefix/cache-loss.ts";
import type { Report } from "../../reports/report.ts";
import type { ClientId } from "../../wires/index.ts";
import type { Answer, Wire, WireRequest } from "../../wires/wire.ts";
import type { RawHeaders } from "./raw-headers.ts";
import type { Route } from "./upstreams.ts";

/**
 * A request to a model that went through the proxy. Watchers get it when it is sent, and again when its answer has
 * ended.
 */
export interface SentRequest {
  /** Counts the requests of this process, from 1. */
  readonly serial: number;
  readonly time: number;
  /** The client's name for its session; default: the conversation's root. */
  readonly session: string;
  /** Identifies the conversation as long as it grows; a compaction by the client begins another. */
  readonly root: string;
  readonly ids: readonly ClientId[];
  /** The client program, if known. */
  readonly client: string | undefined;
  readonly wire: Wire;
  /** The original, with the full history. */
  readonly request: WireRequest;
  readonly report: Report;
  /** Values that override the price library. */
  readonly prices: ModelOverrides;
  /** Was it sent unchanged, so that the savings can be measured? */
  readonly isHeldOut: boolean;
  readonly route: Route;
  /** Contains credentials: never write it anywhere, and release it with the conversation. */
  readonly headers: RawHeaders;
  readonly bytes: { readonly received: number; readonly sent: number; readonly body: Buffer };
  /** Time that the proxy took before the request was sent on, in milliseconds. */
  readonly heldUp: number;
}

export interface WatchedAnswer {
  readonly time: number;
  readonly status: number;
  /** The answer, as far as it could be read; missing for an error. */
  readonly answer: Answer | undefined;
  /** Did the provider refuse the pruned request? Then this is the answer to the original. */
  readonly isOfOriginal: boolean;
  /** From the request's arrival to the first byte of the answer, in milliseconds. */
  readonly firstByte: number;
  /** What should have been in the provider's cache but was not, and why. */
  readonly loss?: CacheLoss;
}

/** Observes the proxy's requests. An error in a watcher is reported once and affects nothing else. */
export interface Watcher {
  sent?(request: SentRequest): void;
  answered?(request: SentRequest, answered: WatchedAnswer): void;
  /** No answer came: the provider can't be reached, or the client disconnected. */
  failed?(request: SentRequest): void;
  /** A request passed that is not a model request, or could not be read. */
  passed?(route: Route): void;
}
