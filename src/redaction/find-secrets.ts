import { findCommandSecrets } from "./command-secrets.ts";
import { findPem } from "./find-pem.ts";
import { applyRule, SECRET_RULES } from "./secret-rules.ts";
import { mergeSpans, type TextSpan } from "./text-span.ts";

/** Where the text holds what the rules call a secret: in order, none overlapping another. */
export function findSecrets(text: string): readonly TextSpan[] {
  const found = [...findPem(text)];
  for (const rule of SECRET_RULES) for (const [from, to] of applyRule(rule, text)) found.push({ from, to });
  for (const span of findCommandSecrets(text)) found.push(span);
  return mergeSpans(found);
}
