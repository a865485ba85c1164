import { isRecord } from "../../basics/json.ts";
import { remember } from "../../basics/remember.ts";
import type { MessageBench } from "../../edits/message-bench.ts";
import type { ToolKinds } from "../../tool-kinds/tool-kinds.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { Part } from "../../transcript/part.ts";
import type { FileAccess } from "./file-tracker.ts";
import { findResultPath } from "./result-path.ts";

interface Access {
  /** `undefined`: the result has no path of its own; its text may mention a known file. */
  readonly path: string | undefined;
  readonly text: string;
  readonly step: number;
  readonly operation: FileAccess;
  readonly content?: string;
}

/** The file operations of a conversation, in order. Failed calls are left out. */
export function* listAccesses<M>(
  { facts, transcript }: MessageBench<M>,
  messages: readonly M[],
  kinds: ToolKinds,
): Generator<Access> {
  for (let i = 0; i < transcript.length; i++) {
    const part = transcript.part(i);
    if (!isResult(part)) continue;
    const fact = facts.calls.of(i);
    const text = textOf(part);
    if (!fact) {
      const { kind } = kinds.describe(nameOf(messages[transcript.message[i] ?? -1]), {});
      const operation = OPERATIONS[kind] ?? "read";
      const path = findResultPath(text);
      const shows = path !== undefined && operation === "read";
      yield { path, text, step: transcript.step[i] ?? 0, operation, ...(shows && { content: text }) };
    } else if (fact.ok) {
      const content = findContent(fact.use, text);
      for (const { path, operation } of fact.use.files) {
        yield {
          path,
          text,
          step: fact.step,
          operation: OPERATIONS[operation] ?? "read",
          ...(content !== undefined && { content }),
        };
      }
    }
  }
}

const OPERATIONS: Readonly<Partial<Record<string, FileAccess>>> = {
  read: "read",
  write: "create",
  edit: "edit",
  delete: "delete",
};

/** Is it a result, or a tool's message without an id, which its format could not read as a result? */
export function isResult(part: Part): boolean {
  return part.kind === "result" || (part.kind === "opaque" && part.role === "tool");
}

export function textOf(part: Part): string {
  if (part.kind === "opaque" && isRecord(part.raw)) {
    const { content } = part.raw;
    return typeof content === "string" ? content : "";
  }
  return part.leaves.length === 1
    ? (part.leaves[0]?.text ?? "")
    : part.leaves.map(({ text }) => text).join("\n");
}

export const countText: (part: Part) => number = remember((part) => estimateTokens(textOf(part)));

/** The tool's name, if a message has it next to the result. */
function nameOf(message: unknown): string {
  return isRecord(message) && typeof message.name === "string" ? message.name : "";
}

/** The text of the one file that a call wrote or showed. */
function findContent(use: ToolUse, text: string): string | undefined {
  if (use.content !== undefined) return use.content;
  return use.kind === "read" && use.files.length === 1 ? text : undefined;
}
