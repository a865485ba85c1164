import type { Config } from "../config/config.ts";
import type { Recording } from "../recordings/recording.ts";
import { prepareReplay, type Replay } from "../replay/replay.ts";
import type { ReplayTotals } from "../replay/totals.ts";
import { makePolicyNamed } from "./policies.ts";

/** The session under each policy, the unpruned one first. */
export function replaySession(
  recording: Recording,
  config: Config,
  policies: readonly string[],
): readonly ReplayTotals[] {
  const bench = prepareReplay(recording, { prices: config.schedule.prices });
  const replays = policies.map((name) =>
    name === "none" ? bench.unpruned : bench.run(makePolicyNamed(name, config)),
  );
  return [bench.unpruned, ...replays].map(withoutRequests);
}

/** The sums alone: what was sent stays in the thread. */
function withoutRequests({ requests: _, ...totals }: Replay): ReplayTotals {
  return totals;
}
