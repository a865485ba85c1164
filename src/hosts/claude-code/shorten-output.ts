import { readFileSync, statSync } from "node:fs";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { formatNumber } from "../../basics/numbers.ts";
import type { Config } from "../../config/config.ts";
import { loadConfig } from "../../config/files.ts";
import { isVerbose } from "../../fold/passes.ts";
import { matchFiles } from "../../protection/protection.ts";
import { capResults, MOST_FAILURES, mayCap } from "../../strategies/cap-results.ts";
import { splitLines } from "../../strategies/summaries/lines.ts";
import { withoutTagLines } from "../../strategies/summaries/render-left.ts";
import { shortenText, type TextRoom } from "../../strategies/summaries/shorten-text.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { HookEnvironment } from "./answer-hook.ts";
import type { HookInput } from "./hook-input.ts";
import { keepOutput, sweepOutputs } from "./kept-outputs.ts";
import { openSession } from "./open-session.ts";

/** The latest messages decide which lines matter, so reading the end of the transcript is enough. */
const TRANSCRIPT_BYTES = 512 * 1024;

/** Larger outputs stay as Claude Code shows them. */
const LARGEST_OUTPUT = 16 * 1024 * 1024;

/** The size of the part that Claude Code shows of an output in a file (its first 2 KB), in tokens. */
const PREVIEW_TOKENS = 700;
const PREVIEW_FAILURES = 5_000;

/** The output of a command, and how much of it may stay. */
interface LargeOutput {
  readonly text: string;
  readonly room: TextRoom;
  /** The file in which Claude Code has kept the full output. */
  readonly path?: string;
}

/**
 * Shortens the output of a command before it enters the context, in the form of the Bash tool's results. Keeps the
 * head, the tail, every line that reports a failure, and lines with names that were mentioned. Files, diffs and
 * searches stay whole. Returns `undefined` if the output stays as it is.
 */
export function shortenOutput(input: HookInput, env: HookEnvironment): object | undefined {
  const { all, directory, session, transcript } = input;
  const { tool_use_id: callId, tool_input: call, tool_response: response } = all;
  if (typeof callId !== "string" || !isRecord(response) || typeof response.stdout !== "string")
    return undefined;
  if (response.isImage === true || response.backgroundTaskId !== undefined) return undefined;
  const { config } = loadConfig({ host: "none", directory, env });
  const cap = capOf(config);
  const output = cap === undefined ? undefined : readOutput(response, response.stdout, cap);
  if (!output) return undefined;
  const { text, room } = output;
  const next = [
    { role: "assistant", content: [{ type: "tool_use", id: callId, name: "Bash", input: call }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: callId, content: text }] },
  ];
  const bench = openSession(transcript, { config, directory, bytes: TRANSCRIPT_BYTES, next });
  const { facts } = bench;
  const result = bench.transcript.length - 1;
  const use = facts.calls.of(result)?.use;
  if (!use || !mayCap(use) || bench.protectedFrom(result, capResults.name) !== undefined) return undefined;
  const isProtectedFile = matchFiles({ files: config.protectedFilePatterns });
  const left = withoutTagLines(shortenText(text, room, facts.namedIn(result, text), isProtectedFile));
  // If there are many failures, nearly all of it may be left.
  if (left.length + LONGEST_MARK >= response.stdout.length) return undefined;
  const path = output.path ?? keepOutput(session, callId, text, env);
  if (output.path === undefined) sweepOutputs(env);
  const { persistedOutputPath, persistedOutputSize, stdoutHoldsOutputEnd, ...rest } = response;
  const updatedToolOutput = { ...rest, stdout: `${left}\n${markOf(text, path)}` };
  return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } };
}

/** The size in tokens above which an output is shortened. `undefined` if the settings turn this off. */
function capOf(config: Config): number | undefined {
  const { enabled, shadow, strategies, schedule } = config;
  const isOn = enabled && !shadow && strategies.intelligentPruning && !isVerbose(config);
  return isOn ? (schedule.ingestCap ?? undefined) : undefined;
}

/** Claude Code writes an output of more than 30,000 characters to a file, and shows its beginning. */
function readOutput(response: JsonRecord, stdout: string, cap: number): LargeOutput | undefined {
  const { persistedOutputPath: path } = response;
  if (typeof path === "string") {
    if (statSync(path).size > LARGEST_OUTPUT) return undefined;
    const room = { tokens: Math.min(cap, PREVIEW_TOKENS), failures: PREVIEW_FAILURES };
    return { text: readFileSync(path, "utf8"), room, path };
  }
  if (estimateTokens(stdout) <= cap) return undefined;
  return { text: stdout, room: { tokens: cap, failures: MOST_FAILURES } };
}

/** The length of a mark with a long path, in characters. */
const LONGEST_MARK = 400;

function markOf(text: string, path: string): string {
  const lines = formatNumber(splitLines(text).length);
  return `[Coppice shortened this output of ${lines} lines. All of it is in ${path}: read it there instead of running the command again.]`;
}
