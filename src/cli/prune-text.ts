import type { Config } from "../config/config.ts";
import { formatByName } from "../formats/detect.ts";
import type { Result } from "../issue.ts";
import { makePolicy } from "../policy.ts";
import { parseRecording } from "../recordings/parse-recording.ts";
import { type PrunedFile, pruneRecordingText } from "../recordings/prune-file.ts";
import type { Recording } from "../recordings/recording.ts";
import { MessageReader } from "../replay/sent-view.ts";
import type { Settings } from "./settings.ts";
import { makeShakePass, type ShakeLevel } from "./shake-pass.ts";

export interface PruneTextOptions {
  readonly name: string;
  readonly settings: Settings;
  /** Tokens that the next request's messages may have. */
  readonly budget?: number;
  readonly shake?: ShakeLevel;
}

export interface PrunedText extends PrunedFile {
  /** Tokens of the messages that a next request would send. */
  readonly tokens: { readonly before: number; readonly after: number };
}

/** A recorded session pruned as the command line asks for it. */
export function pruneText(text: string, options: PruneTextOptions): Result<PrunedText> {
  const { name, settings, budget, shake } = options;
  const recording = parseRecording(text, name);
  if (!recording.ok) return recording;
  const before = countTokens(recording.value);
  const attempt = (window?: number): Result<PrunedText> => {
    const config = window === undefined ? atOnce(settings) : withBudget(atOnce(settings), window);
    const shaking = shake && makeShakePass(recording.value, config, shake);
    const pruned = pruneRecordingText(text, {
      name,
      config,
      ...(window !== undefined && { prefixTokens: 0 }),
      ...(shaking && { passes: [...makePolicy({ config }).passes, shaking] }),
    });
    if (!pruned.ok) return pruned;
    const after = parseRecording(pruned.value.text, name);
    if (!after.ok) return after;
    return { ok: true, value: { ...pruned.value, tokens: { before, after: countTokens(after.value) } } };
  };
  return budget === undefined ? attempt() : narrow(budget, attempt);
}

/** How often a budget is tried for. */
const ATTEMPTS = 5;

/**
 * The engine reckons with what the provider has counted, and some cuts have no place in the file: where more is left
 * than was asked for, the window is narrowed.
 */
function narrow(budget: number, attempt: (window: number) => Result<PrunedText>): Result<PrunedText> {
  let window = budget;
  let best = attempt(window);
  for (let i = 1; i < ATTEMPTS && best.ok && best.value.tokens.after > budget; i++) {
    window = Math.floor(window * Math.min(0.9, budget / best.value.tokens.after));
    const next = attempt(window);
    if (next.ok && next.value.tokens.after < best.value.tokens.after) best = next;
  }
  return best;
}

/** No cache waits for a file: unless somebody has chosen a mode, what is due goes. */
function atOnce({ config, mode }: Settings): Config {
  return { ...config, schedule: { ...config.schedule, mode: mode ?? "eager" } };
}

/** The whole budget is for messages, and it is the window. */
function withBudget(config: Config, budget: number): Config {
  const { strategies } = config;
  return {
    ...config,
    window: budget,
    strategies: { ...strategies, compactThreshold: 1, trim: { ...strategies.trim, reservedOutputTokens: 0 } },
  };
}

/** Of the last segment: what came before a compaction is not sent any more. */
function countTokens({ format, segments }: Recording): number {
  const reader = new MessageReader(formatByName(format));
  return (segments.at(-1)?.messages ?? []).reduce<number>(
    (sum, message) => sum + reader.read(message).tokens,
    0,
  );
}
