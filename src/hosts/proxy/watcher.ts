import type { ModelOverrides } from "../../models/profile.ts";
import type { CacheLoss } from "../../prefix/cache-loss.ts";
import type { Report } from "../../reports/report.ts";
import type { ClientId } from "../../wires/index.ts";
import type { Answer, Wire, WireRequest } from "../../wires/wire.ts";
import type { RawHeaders } from "./raw-headers.ts";
import type { Route } from "./upstreams.ts";

/** A request to a model that went through the proxy. It is made known when it is sent, and again when its answer has ended. */
export interface SentRequest {
  /** Of this process, from 1. */
  readonly serial: number;
  readonly time: number;
  /** What the client calls its session, else the conversation's root. */
  readonly session: string;
  /** Names the conversation as long as it grows; a client's own compaction begins another. */
  readonly root: string;
  readonly ids: readonly ClientId[];
  /** The program that asks, as far as that is known. */
  readonly client: string | undefined;
  readonly wire: Wire;
  /** As it came: the full history. */
  readonly request: WireRequest;
  readonly report: Report;
  /** What differs from the price library. */
  readonly prices: ModelOverrides;
  /** It went out as it came, so that what pruning saves can be measured. */
  readonly isHeldOut: boolean;
  readonly route: Route;
  /** With credentials: never to be written anywhere, and let go of with the conversation. */
  readonly headers: RawHeaders;
  readonly bytes: { readonly received: number; readonly sent: number; readonly body: Buffer };
  /** What the proxy itself took before the request went on, in milliseconds. */
  readonly heldUp: number;
}

export interface WatchedAnswer {
  readonly time: number;
  readonly status: number;
  /** What could be read of it; an error has none. */
  readonly answer: Answer | undefined;
  /** The provider refused what was cut, and this is the answer to the request as it came. */
  readonly isOfOriginal: boolean;
  /** From the request's arrival to the first byte of the answer, in milliseconds. */
  readonly firstByte: number;
  /** What should have been in the provider's cache and was not, and why. */
  readonly loss?: CacheLoss;
}

/** Whoever wants to know what goes through the proxy. What it throws is told once and harms nobody. */
export interface Watcher {
  sent?(request: SentRequest): void;
  answered?(request: SentRequest, answered: WatchedAnswer): void;
  /** No answer came: the provider can't be reached, or the client went away. */
  failed?(request: SentRequest): void;
  /** Something passed that is no request to a model, or none that could be read. */
  passed?(route: Route): void;
}
