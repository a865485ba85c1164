import type { Result } from "../basics/issue.ts";
import type { Config } from "../config/config.ts";
import { makePolicy } from "../fold/policy.ts";
import { formatByName } from "../formats/detect.ts";
import { createLadder, makeShakePasses, type ShakeLevel } from "../recordings/cut-at-end.ts";
import { parseRecording } from "../recordings/parse-recording.ts";
import { type PrunedFile, pruneRecordingText } from "../recordings/prune-file.ts";
import type { Recording } from "../recordings/recording.ts";
import { MessageReader } from "../replay/sent-view.ts";
import type { Pass } from "../strategies/strategy.ts";
import type { Settings } from "./settings.ts";

export interface PruneTextOptions {
  readonly name: string;
  readonly settings: Settings;
  /** The most tokens that the messages of the next request may have. */
  readonly budget?: number;
  readonly shake?: ShakeLevel;
}

export interface PrunedText extends PrunedFile {
  /** Tokens of the messages of the next request. */
  readonly tokens: { readonly before: number; readonly after: number };
}

/** A recorded session pruned as the command line asks for it. */
export function pruneText(text: string, options: PruneTextOptions): Result<PrunedText> {
  const { name, settings, budget, shake } = options;
  const recording = parseRecording(text, name);
  if (!recording.ok) return recording;
  const isAsked = budget !== undefined || shake !== undefined;
  const config = atOnce(isAsked ? { ...settings, mode: "eager" } : settings);
  const shakes = shake ? makeShakePasses(recording.value, config, shake) : [];
  const before = countTokens(recording.value);
  const attempt = (more: readonly Pass[]): Result<PrunedText> => {
    const passes = [...makePolicy({ config }).passes, ...shakes, ...more];
    const pruned = pruneRecordingText(text, { name, config, passes });
    if (!pruned.ok) return pruned;
    const after = parseRecording(pruned.value.text, name);
    if (!after.ok) return after;
    return { ok: true, value: { ...pruned.value, tokens: { before, after: countTokens(after.value) } } };
  };
  const pruned = attempt([]);
  const fits = budget === undefined || !pruned.ok || pruned.value.tokens.after <= budget;
  return fits ? pruned : squeeze(pruned, budget, createLadder(recording.value, config), attempt);
}

/** How often more is cut if it was not enough. */
const ATTEMPTS = 6;

/** Cuts more, in the order of the ladder, until the session fits; if it never does, gives the smallest result. */
function squeeze(
  pruned: Result<PrunedText>,
  budget: number,
  ladder: (tokens: number) => readonly Pass[],
  attempt: (more: readonly Pass[]) => Result<PrunedText>,
): Result<PrunedText> {
  let best = pruned;
  let asked = 0;
  for (let i = 0; i < ATTEMPTS && best.ok && best.value.tokens.after > budget; i++) {
    asked += (best.value.tokens.after - budget) * (1 + i / 2);
    const next = attempt(ladder(asked));
    if (next.ok && next.value.tokens.after < best.value.tokens.after) best = next;
  }
  return best;
}

/** A file has no cache to spare: unless a mode was configured, cuts are made at once. */
function atOnce({ config, mode }: Settings): Config {
  return { ...config, schedule: { ...config.schedule, mode: mode ?? "eager" } };
}

/** Counts the last segment: what came before a compaction is not sent any more. */
function countTokens({ format, segments }: Recording): number {
  const reader = new MessageReader(formatByName(format));
  return (segments.at(-1)?.messages ?? []).reduce<number>(
    (sum, message) => sum + reader.read(message).tokens,
    0,
  );
}
