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
  /** Of a longer transcript only so many bytes at its end are read. */
  readonly bytes: number;
  /** Messages of the Messages API that come after those of the transcript. */
  readonly next?: readonly unknown[];
}

/** The messages of a session so far, taken apart. Those before a compaction are there, the summary is not. */
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

/** What was said since the context was last cleared. What a compaction has brought along is there once. */
function listMessages({ segments }: Recording): readonly unknown[] {
  const start = segments.findLastIndex(({ separate }) => separate === true);
  return segments.slice(Math.max(0, start)).flatMap(({ messages, carried }) => messages.slice(carried));
}

/** The end of a file, from the beginning of a line. Claude Code may be told to write no transcript. */
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
