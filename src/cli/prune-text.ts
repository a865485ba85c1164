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
  const config = budget === undefined ? atOnce(settings) : withBudget(atOnce(settings), budget);
  const pruned = pruneRecordingText(text, {
    name,
    config,
    ...(budget !== undefined && { prefixTokens: 0 }),
    ...(shake && {
      passes: [...makePolicy({ config }).passes, makeShakePass(recording.value, config, shake)],
    }),
  });
  if (!pruned.ok) return pruned;
  const after = parseRecording(pruned.value.text, name);
  if (!after.ok) return after;
  const tokens = { before: countTokens(recording.value), after: countTokens(after.value) };
  return { ok: true, value: { ...pruned.value, tokens } };
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
