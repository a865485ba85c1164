import type { LedgerEntry } from "../edits/ledger.ts";
import type { ReplayRequest } from "../replay/replay-policy.ts";
import type { Report } from "../reports/report.ts";
import type { CutReason } from "../schedule/choose-cut.ts";

/** One request of a segment: its number in the session, its number of messages, and its cuts. */
export interface LoggedRequest {
  readonly index: number;
  readonly messages: number;
  readonly window: number;
  /** Why something was cut, if it was. */
  readonly reason: CutReason | undefined;
  /** Tokens that were sent only because reasoning is bound to them. */
  readonly bound: number;
}

/** The engine's log of one segment. */
export class SegmentLog {
  readonly requests: LoggedRequest[] = [];
  #entries: readonly LedgerEntry[] = [];
  readonly #firstSeen = new Map<LedgerEntry, number>();

  add(
    { edits, pressure, cut, bound }: Pick<Report, "edits" | "pressure" | "cut" | "bound">,
    { index, meta }: Pick<ReplayRequest, "index" | "meta">,
  ): void {
    this.requests.push({
      index,
      messages: meta.length,
      window: pressure.window,
      reason: cut?.reason,
      bound: bound?.tokens ?? 0,
    });
    this.#entries = edits;
    const known = edits.findLastIndex((entry) => this.#firstSeen.has(entry));
    for (const entry of edits.slice(known + 1)) this.#firstSeen.set(entry, index);
  }

  /** The ledger at the last request. */
  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  /** The first request that showed an entry. */
  requestOf(entry: LedgerEntry): number {
    return this.#firstSeen.get(entry) ?? 0;
  }
}
