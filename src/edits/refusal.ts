import type { Issue } from "../basics/issue.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Ref, Span } from "../transcript/refs.ts";
import type { SignedPlan } from "./cut-plan.ts";

/** Why the guard refuses an edit. Programs read the `code`; `wordRefusal` words it for people. */
export type Refusal =
  | { readonly code: PlainCode }
  | { readonly code: "no-leaf"; readonly leaf: string }
  | ({ readonly code: "no-span"; readonly length: number } & Span)
  /** `protection/` words the `why`. */
  | { readonly code: "protected"; readonly why: string }
  /** The edit `by` refers to the part. */
  | { readonly code: "needed"; readonly by: string }
  | { readonly code: "need-missing" | "need-cut"; readonly need: PartKey }
  | { readonly code: "overlaps"; readonly ref: Ref }
  | { readonly code: "too-little"; readonly saves: number };

/** The wording of refusals without data. */
const WORDS = {
  "no-part": "there is no such part",
  "file-in-part": "a file can only be replaced whole",
  "splits-character": "it would split a character",
  "signed-reasoning": "signed reasoning is dropped whole or left alone",
  "signed-text": "the text carries a signature",
  "signed-call": "the call carries a signature over its input",
  "server-call": "the provider ran this call itself",
  pending: "its result has not arrived yet",
  cleared: "the host has cleared it already",
  dropped: "it was dropped",
  "overlaps-neighbour": "it overlaps the one before it",
  "not-smaller": "it would not get smaller",
  "not-lossless": "it claims to lose nothing, but lines of the original are missing",
  "signed-in-loop": "signed reasoning inside the current tool loop stays",
  "unit-with-unknown": "it forms a unit with an unknown part",
  "leads-its-turn": "the newest reasoning must come first in its turn",
  "behind-a-result": "it separates a result from the user's next message",
  "leads-a-call": "the calls after it must follow an input",
  "newest-behind-signed": "the newest response stays while others are signed",
  "result-of-group": "a result is dropped with its group or not at all",
  "unit-with-answer": "the provider requires it together with the part after it",
  "field-required": "the provider requires this field beside calls",
  "server-call-in-group": "the provider ran one of its calls itself",
  "unanswered-call": "a call of that step has no result yet",
  "system-text": "system text is not dropped",
  "newest-prompt": "the newest user message is not dropped",
  "calls-remain": "its calls are still there",
  "call-in-text": "a call is written in that answer's text, and its output follows",
} as const;

type PlainCode = keyof typeof WORDS;

/** Words the refusal for people and agents. */
export function wordRefusal(refusal: Refusal): string {
  switch (refusal.code) {
    case "no-leaf":
      return `it has no leaf ${refusal.leaf}`;
    case "no-span":
      return `${refusal.from}–${refusal.to} is not a span of its ${refusal.length} characters`;
    case "protected":
      return refusal.why;
    case "needed":
      return `${refusal.by} refers to it`;
    case "need-missing":
      return `it refers to ${refusal.need}, which does not exist`;
    case "need-cut":
      return `it refers to ${refusal.need}, which is cut itself`;
    case "overlaps":
      return `it overlaps ${refusal.ref} in part`;
    case "too-little":
      return `it would save only ${refusal.saves} tokens: not worth a cut`;
    default:
      return WORDS[refusal.code];
  }
}

/** A refusal as reports list it. */
export interface RefusalIssue extends Issue {
  readonly refusal: Refusal;
}

/** The value that was allowed, or why it was refused. */
export type Guarded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: RefusalIssue };

/** @param where the part's key, or the name that the caller used */
export function refuse(
  plan: SignedPlan,
  where: string,
  refusal: Refusal,
): { readonly ok: false; readonly issue: RefusalIssue } {
  const verb = "drop" in plan ? "drop" : "replace";
  const message = `${plan.author} wanted to ${verb} ${where}: ${wordRefusal(refusal)}`;
  return { ok: false, issue: { code: "edit-refused", message, where, severity: "info", refusal } };
}
