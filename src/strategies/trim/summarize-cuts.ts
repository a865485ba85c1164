import type { MessageBench } from "../../edits/message-bench.ts";
import { maskLabel } from "../../redaction/mask-label.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { takeFirst } from "./file-tracker.ts";

const LONGEST_SUMMARY_TOKENS = 500;
const SUMMARY_SHARE = 0.1;
/** The longest entry; a longer one is cut. */
const ENTRY_CHARACTERS = 160;

/** Words that identify a sentence about a decision. */
const DECISION =
  /\b(?:decided|decision|chose|choose|instead|because|will use|let's|I'll|I will|we will|we'll|the (?:bug|cause|problem|fix) (?:is|was)|root cause|fixed|turns out|must not|should not)\b/i;

/** The most tokens of a summary of the dropped text. */
export function summaryLimit(targetTokens: number): number {
  return Math.min(LONGEST_SUMMARY_TOKENS, Math.floor(targetTokens * SUMMARY_SHARE));
}

/**
 * An extractive summary of the cut text: files, commands, prompts and decisions. The newest of each come first, as
 * many as fit. `undefined` if nothing was cut or nothing fits.
 *
 *   Files changed: src/a.ts
 *   Files read: src/b.ts, src/c.ts
 *   Commands: npm test
 *   Decided: The cause was a stale cache.
 */
export function summarizeCuts<M>(bench: MessageBench<M>, targetTokens: number): string | undefined {
  const limit = summaryLimit(targetTokens);
  const lines: string[] = [];
  let used = 0;
  for (const [title, entries] of Object.entries(collect(bench))) {
    let line = "";
    let size = 0;
    for (const entry of entries) {
      const longer = line === "" ? `${title}: ${entry}` : `${line}${SEPARATORS[title] ?? "; "}${entry}`;
      // Two more for the line break.
      const tokens = estimateTokens(longer) + 2;
      if (used + tokens > limit) continue;
      line = longer;
      size = tokens;
    }
    if (line !== "") lines.push(line);
    used += size;
  }
  return lines.length > 0 ? lines.join("\n") : undefined;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  "Files changed": ", ",
  "Files read": ", ",
  Asked: " | ",
  Decided: " | ",
};

function collect<M>({ facts, ledger, transcript }: MessageBench<M>): Readonly<Record<string, Set<string>>> {
  const changed = new Set<string>();
  const read = new Set<string>();
  const commands = new Set<string>();
  const questions = new Set<string>();
  const decided = new Set<string>();
  for (let i = transcript.length - 1; i >= 0; i--) {
    if (!ledger.isCut(transcript.key(i))) continue;
    const part = transcript.part(i);
    if (part.kind === "result") {
      const fact = facts.calls.of(i);
      for (const { path, operation } of fact?.use.files ?? [])
        (operation === "read" ? read : changed).add(path);
      if (fact?.use.command !== undefined) commands.add(shorten(fact.use.command));
    } else if (part.kind === "text" && part.role === "user") {
      questions.add(shorten(part.leaves[0]?.text ?? ""));
    } else if (part.kind === "text" && part.role === "assistant") {
      for (const sentence of findDecisions(part.leaves[0]?.text ?? "")) decided.add(shorten(sentence));
    }
  }
  for (const path of changed) read.delete(path);
  return {
    "Files changed": changed,
    "Files read": read,
    Commands: commands,
    Asked: questions,
    Decided: decided,
  };
}

function findDecisions(text: string): readonly string[] {
  return text
    .slice(0, 4_000)
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => DECISION.test(sentence));
}

function shorten(text: string): string {
  const line = maskLabel(text.slice(0, 4 * ENTRY_CHARACTERS))
    .trim()
    .replace(/\s+/g, " ");
  return line.length <= ENTRY_CHARACTERS ? line : `${takeFirst(line, ENTRY_CHARACTERS)}…`;
}
