import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { Workbench } from "../../edits/workbench.ts";
import { protectionRules } from "../../fold/policy.ts";
import { formatByName } from "../../formats/detect.ts";
import { decodeMessages } from "../../formats/intake/decode.ts";
import { createProtection } from "../../protection/protection.ts";
import { parseClaudeCode } from "../../recordings/claude-code.ts";
import type { Recording } from "../../recordings/recording.ts";
import { createToolKinds } from "../../tool-kinds/tool-kinds.ts";

export interface SessionOptions {
  readonly config: Config;
  readonly directory: string;
  /** The most bytes to read. Of a longer transcript, only the end is read. */
  readonly bytes: number;
  /** Messages in the format of the Messages API that follow the transcript. */
  readonly next?: readonly unknown[];
}

/** Reads a session's messages so far. Includes those before a compaction, but not its summary. */
export function openSession(transcript: string, options: SessionOptions): Workbench {
  const { config, directory, bytes, next = [] } = options;
  const bench = new Workbench({
    toolKinds: createToolKinds(config.toolKinds),
    protection: createProtection(protectionRules(config, directory), []),
    pruneProtect: config.strategies.pruneProtect,
    directory,
  });
  const recording = parseClaudeCode(readEnd(transcript, bytes));
  const past = recording.ok ? listMessages(recording.value) : [];
  bench.takeIn(decodeMessages(formatByName("anthropic-messages"), [...past, ...next]));
  return bench;
}

/** Lists the messages since the context was last cleared. Messages that a compaction carried over appear once. */
function listMessages({ segments }: Recording): readonly unknown[] {
  const start = segments.findLastIndex(({ separate }) => separate === true);
  return segments.slice(Math.max(0, start)).flatMap(({ messages, carried }) => messages.slice(carried));
}

/**
 * Reads the end of a file, from the beginning of a line. The file may not exist, because Claude Code can be set to
 * write no transcript.
 */
function readEnd(path: string, most: number): string {
  if (!existsSync(path)) return "";
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, most));
    let read = 0;
    for (let count = -1; count !== 0; read += count)
      count = readSync(file, bytes, read, bytes.length - read, size - bytes.length + read);
    const text = bytes.toString("utf8", 0, read);
    return size > most ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    closeSync(file);
  }
}
