import type { Config } from "../config/config.ts";
import { coppicePolicy } from "../replay/coppice-policy.ts";
import { clearAtThreshold, clearToolUses, keepLastResults } from "../replay/peers.ts";
import { keepWarm, noPruning, type ReplayPolicy } from "../replay/replay-policy.ts";
import { PRESET_NAMES } from "../strategies/pass-setting.ts";
import { Failure } from "./failure.ts";

/** Describes the names that `--policy` accepts. */
export const POLICY_HELP: string = `none, coppice, ${PRESET_NAMES.join(", ")}, eager, keep-last-N, clear-at-N[k] (all but 3 results), clear-tool-uses`;

export const USUAL_POLICIES: readonly string[] = [
  "none",
  "keep-last-10",
  "clear-at-100k",
  "coppice",
  "eager",
];

/** At the end of a name: the same policy with the cache kept warm. */
export const KEPT_WARM = "+keep-warm";

/**
 * The policy of this name.
 *
 *   coppice        as configured here
 *   compact        Coppice with that preset
 *   keep-last-10   only the last ten results
 *   clear-at-80k   at 80,000 tokens all results but three
 */
export function makePolicyNamed(name: string, config: Config): ReplayPolicy {
  if (name.endsWith(KEPT_WARM)) return keepWarm(makePolicyNamed(name.slice(0, -KEPT_WARM.length), config));
  const preset = PRESET_NAMES.find((each) => each === name);
  if (preset) {
    const strategies = { ...config.strategies, aggressivePruning: { preset } };
    return coppicePolicy({ config: { ...config, strategies } }, `coppice, ${preset}`);
  }
  if (name === "none") return noPruning;
  if (name === "coppice") return coppicePolicy({ config });
  if (name === "eager")
    return coppicePolicy(
      { config: { ...config, schedule: { ...config.schedule, mode: "eager" } } },
      "coppice, eager",
    );
  if (name === "clear-tool-uses") return clearToolUses();
  const [, keep] = /^keep-last-(\d{1,5})$/.exec(name) ?? [];
  if (keep !== undefined) return keepLastResults(Number(keep));
  const [, tokens, thousands] = /^clear-at-(\d{1,9})(k?)$/.exec(name) ?? [];
  if (tokens !== undefined)
    return clearAtThreshold({ tokens: Number(tokens) * (thousands ? 1_000 : 1), keep: 3 });
  throw new Failure(`There is no policy ${JSON.stringify(name)}: use ${POLICY_HELP}.`, 2);
}
