import type { Facts } from "../facts/facts.ts";
import { maskLabel } from "../redaction/mask-label.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import { prunableKind } from "../transcript/part.ts";

/** The subject of a call, in a few words: `bash npm test`, `read src/a.ts`. */
export function describeUse(use: ToolUse): string {
  const about = use.command ?? use.url ?? use.query ?? use.files[0]?.path;
  return about === undefined ? use.name : `${use.name} ${shorten(maskLabel(about), 60)}`;
}

/** The subject of a part: `bash npm test`, `message "The tests fail because…"`, `reasoning`. */
export function describePart(facts: Facts, index: number): string {
  const part = facts.transcript.part(index);
  const use = facts.calls.of(index)?.use;
  if (use) return describeUse(use);
  if (part.kind === "result") return "tool result";
  if (part.kind !== "text") return part.kind;
  const text = part.leaves[0]?.text.trim() ?? "";
  return `${part.role === "user" ? "user message" : "message"} "${shorten(maskLabel(text), 40)}"`;
}

/** Where a part is, for an agent that looks for it: `message 12, bash npm test (a1b2c3)`. */
export function describeWhere(facts: Facts, index: number): string {
  const ref = prunableKind(facts.transcript.part(index)) && facts.partRef(index);
  const number = (facts.transcript.message[index] ?? 0) + 1;
  return `message ${number}, ${describePart(facts, index)}${ref === undefined ? "" : ` (${ref})`}`;
}

/** The first line, cut to this many characters. */
function shorten(text: string, length: number): string {
  const line = text.split("\n", 1)[0] ?? "";
  const isWhole = line.length <= length && line === text;
  return isWhole ? line : `${[...line.slice(0, length - 1)].join("").trimEnd()}…`;
}
