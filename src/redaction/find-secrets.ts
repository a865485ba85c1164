import { findCommandSecrets } from "./command-secrets.ts";
import { findPem } from "./find-pem.ts";
import { mayHoldToken, maySaySecret } from "./may-hold-secret.ts";
import { applyRule, SECRET_RULES, SHAPE_RULES } from "./secret-rules.ts";
import { mergeSpans, type TextSpan } from "./text-span.ts";

/**
 * The same for short texts, which mostly contain no secret: after a quick check, and with only the rules that may
 * match.
 */
export function findFew(text: string): readonly TextSpan[] {
  if (maySaySecret(text)) return findSecrets(text);
  if (!mayHoldToken(text)) return NONE;
  const found: TextSpan[] = [];
  for (const rule of SHAPE_RULES) for (const [from, to] of applyRule(rule, text)) found.push({ from, to });
  return mergeSpans(found);
}

const NONE: readonly TextSpan[] = [];

/** The secrets of a text by the rules: in order, without overlaps. */
export function findSecrets(text: string): readonly TextSpan[] {
  const found = [...findPem(text)];
  for (const rule of SECRET_RULES) for (const [from, to] of applyRule(rule, text)) found.push({ from, to });
  for (const span of findCommandSecrets(text)) found.push(span);
  return mergeSpans(found);
}
