import type { Config } from "../config/config.ts";
import { explainRecording } from "../recordings/explain-recording.ts";
import type { Recording } from "../recordings/recording.ts";
import type { Paid } from "../replay/open-book.ts";
import { prepareReplay, type Replay } from "../replay/replay.ts";
import type { ReplayTotals } from "../replay/totals.ts";
import type { Uncut } from "../reports/uncut.ts";
import { makePolicyNamed } from "./policies.ts";

/** A session under each policy, the unpruned one first. */
export interface SessionReplays {
  readonly replays: readonly ReplayTotals[];
  /** The payments for it, recorded or estimated. */
  readonly paid: Paid;
  /** Records that could not be read. */
  readonly skipped: number;
  /** Why nothing is cut in it with the configuration; missing if something is. */
  readonly uncut?: Uncut;
}

export function replaySession(
  recording: Recording,
  config: Config,
  policies: readonly string[],
): SessionReplays {
  const { prices, model: pricedAs } = config.schedule;
  const bench = prepareReplay(recording, { prices, pricedAs });
  const replays = policies.map((name) =>
    name === "none" ? bench.unpruned : bench.run(makePolicyNamed(name, config)),
  );
  // Policies of others do not report their cuts.
  const isUncut = replays.every(({ mechanisms }) => mechanisms.length === 0);
  const uncut = isUncut ? explainRecording(recording, { config }) : undefined;
  return {
    replays: [bench.unpruned, ...replays].map(withoutRequests),
    paid: bench.book.paid,
    skipped: recording.skipped,
    ...(uncut && { uncut }),
  };
}

/** The totals alone: the requests are too large to pass between threads. */
function withoutRequests({ requests: _, ...totals }: Replay): ReplayTotals {
  return totals;
}
