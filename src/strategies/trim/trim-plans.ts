import type { DropPlan, ReplacePlan } from "../../edits/cut-plan.ts";
import type { Facts } from "../../facts/facts.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { replacePart } from "../replacing/replace-part.ts";
import type { ShownSession } from "../rung.ts";
import { countText } from "./file-accesses.ts";
import type { Truncated } from "./placeholder.ts";
import type { ResultItem } from "./survey.ts";

export const DID_NOT_FIT = { reason: "it did not fit", mechanism: "trim" } as const;

export function proposeDrop({ part }: { readonly part: number }): DropPlan {
  return { part, drop: true, ...DID_NOT_FIT };
}

export function describeResult({ transcript }: Facts, { part, metadata }: ResultItem): Truncated {
  return { path: metadata.filePath, age: metadata.age, tokens: countText(transcript.part(part)) };
}

/** `undefined` if the placeholder would not be smaller than the text shown now. */
export function proposePlaceholder(
  facts: Facts,
  shown: ShownSession,
  part: number,
  render: (ref: string) => string,
): ReplacePlan | undefined {
  if (estimateTokens(render(SAMPLE_REF)) >= (shown.tokens[part] ?? 0)) return undefined;
  return replacePart(facts, part, render, DID_NOT_FIT);
}

/** As long as any ref. */
const SAMPLE_REF = "000000";
