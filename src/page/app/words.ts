import type { Mechanism } from "../../edits/mechanism.ts";
import type { RecordingSource } from "../../recordings/recording.ts";
import type { CutReason } from "../../schedule/choose-cut.ts";
import type { PartData } from "../data.ts";

/** The names of agents. */
export const SOURCE_NAMES: Readonly<Record<RecordingSource, string>> = {
  "claude-code": "Claude Code",
  "cline-roo": "Cline or Roo",
  codex: "Codex",
  "copilot-cli": "Copilot CLI",
  "gemini-cli": "Gemini CLI",
  messages: "Recorded",
  "mini-swe-agent": "mini-swe-agent",
  moatless: "Moatless",
  opencode: "OpenCode",
  openhands: "OpenHands",
  pi: "pi",
  "swe-agent": "SWE-agent",
  "tau-bench": "tau-bench",
  "tau2-bench": "tau2-bench",
  "trae-agent": "Trae",
};

/** A short description of each mechanism. */
export const MECHANISM_WORDS: Readonly<Record<Mechanism, string>> = {
  hash: "the same call was made again",
  file: "a newer view of the file",
  todo: "a newer todo list",
  url: "the page was fetched again",
  query: "the question was asked again",
  context: "a newer context call",
  snapshot: "a newer snapshot",
  retry: "the call was tried again",
  reminder: "a newer result has the same reminder",
  discard: "the agent discarded it",
  distill: "the agent distilled it",
  replace: "the agent replaced it",
  shake: "large blocks, under pressure",
  summaries: "old results, summarised",
  inputs: "large inputs of calls some steps back",
  trim: "old turns, under pressure",
  cap: "results over the size limit",
  numbers: "blanks before line numbers, or most line numbers",
  errors: "old errors and failed inputs",
  attachment: "old files and images",
  code: "old code in user messages",
  reasoning: "reasoning that a cut made invalid",
  other: "a pass of your own",
};

/** Why a cut was made at that request. */
export const REASON_WORDS: Readonly<Record<CutReason, string>> = {
  "never-sent": "never sent before: free",
  "rent-paid": "keeping it costs more than rewriting",
  "cold-cache": "the cache was cold: free",
  "no-cache": "the model has no cache: free",
  pressure: "the window was filling up",
  requested: "the agent asked for it",
  eager: "eager mode",
};

/** The name of a part: `User`, `Reasoning`, `Result`. */
export function nameOf({ kind, role, status }: PartData): string {
  if (kind === "result") return status === "error" ? "Error" : "Result";
  if (kind === "text") return role.charAt(0).toUpperCase() + role.slice(1);
  return { call: "Call", reasoning: "Reasoning", file: "File", marker: "Marker", opaque: "Other" }[kind];
}
