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
  /** Tokens of the next request's messages. */
  readonly tokens: BeforeAndAfter;
  /** Tokens of all messages, including those before a compaction. */
  readonly fileTokens: BeforeAndAfter;
  /** Stretches between compactions, or separate conversations in one file. */
  readonly segments: number;
}

interface BeforeAndAfter {
  readonly before: number;
  readonly after: number;
}

/** A recorded session, pruned with the options of the command line. */
export function pruneText(text: string, options: PruneTextOptions): Result<PrunedText> {
  const { name, settings, budget, shake } = options;
  const recording = parseRecording(text, name);
  if (!recording.ok) return recording;
  const isExplicit = budget !== undefined || shake !== undefined;
  const config = atOnce(isExplicit ? { ...settings, mode: "eager" } : settings);
  const shakes = shake ? makeShakePasses(recording.value, config, shake) : [];
  const { segments } = recording.value;
  const before = countTokens(recording.value);
  const attempt = (more: readonly Pass[]): Result<PrunedText> => {
    const passes = [...makePolicy({ config }).passes, ...shakes, ...more];
    const pruned = pruneRecordingText(text, { name, config, passes });
    if (!pruned.ok) return pruned;
    const after = parseRecording(pruned.value.text, name);
    if (!after.ok) return after;
    const left = countTokens(after.value);
    return {
      ok: true,
      value: {
        ...pruned.value,
        tokens: { before: before.next, after: left.next },
        fileTokens: { before: before.file, after: left.file },
        segments: segments.length,
      },
    };
  };
  const pruned = attempt([]);
  const fits = budget === undefined || !pruned.ok || pruned.value.tokens.after <= budget;
  return fits ? pruned : squeeze(pruned, budget, createLadder(recording.value, config), attempt);
}

/** The most attempts to cut more. */
const ATTEMPTS = 6;

/** Cuts more, in the order of the ladder, until the session fits; if it never does, returns the smallest result. */
function squeeze(
  pruned: Result<PrunedText>,
  budget: number,
  ladder: (tokens: number) => readonly Pass[],
  attempt: (more: readonly Pass[]) => Result<PrunedText>,
): Result<PrunedText> {
  let best = pruned;
  let wanted = 0;
  for (let i = 0; i < ATTEMPTS && best.ok && best.value.tokens.after > budget; i++) {
    wanted += (best.value.tokens.after - budget) * (1 + i / 2);
    const next = attempt(ladder(wanted));
    if (next.ok && next.value.tokens.after < best.value.tokens.after) best = next;
  }
  return best;
}

/** A file has no cache to protect: unless a mode was configured, cuts are made at once. */
function atOnce({ config, mode }: Settings): Config {
  return { ...config, schedule: { ...config.schedule, mode: mode ?? "eager" } };
}

/**
 * `next`: the last segment, because text from before a compaction is no longer sent. `file`: all segments; text
 * that a compaction has kept is in the segment before.
 */
function countTokens({ format, segments }: Recording): { readonly next: number; readonly file: number } {
  const reader = new MessageReader(formatByName(format));
  const count = (messages: readonly unknown[]) =>
    messages.reduce<number>((sum, message) => sum + reader.read(message).tokens, 0);
  return {
    next: count(segments.at(-1)?.messages ?? []),
    file: segments.reduce((sum, { messages, carried }) => sum + count(messages.slice(carried)), 0),
  };
}
