import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportLedger, restoreMessages } from "../../../src/edits/inverse.ts";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { formatByName } from "../../../src/formats/detect.ts";
import type { FormatName } from "../../../src/formats/format.ts";
import type { ReasoningRule } from "../../../src/models/profile.ts";
import { profileFor } from "../../../src/models/profile-for.ts";
import { ContentPriority } from "../../../src/strategies/trim/content-priority.ts";
import { ContextOverflowError } from "../../../src/strategies/trim/context-overflow-error.ts";
import { trimByAge } from "../../../src/strategies/trim/trim-by-age.ts";
import { trimByPriority } from "../../../src/strategies/trim/trim-by-priority.ts";
import type { TrimResult } from "../../../src/strategies/trim/trim-options.ts";
import { trimWithPlaceholders } from "../../../src/strategies/trim/trim-with-placeholders.ts";
import { render, type Session, scripts } from "../../generate.ts";

/** A model for every rule. */
const RULES: readonly (readonly [ReasoningRule, string, "none" | "plain" | "signed"])[] = [
  ["none", "gpt-5", "none"],
  ["field", "deepseek-v4", "plain"],
  ["signed", "claude-sonnet-4-5", "signed"],
  ["bound", "claude-fable-5-1", "signed"],
];
const FORMATS = ["openai-chat", "anthropic-messages", "opencode"] as const satisfies readonly FormatName[];
const FUNCTIONS = { trimByPriority, trimWithPlaceholders, trimByAge } as const;

test.each(RULES)("there is a model whose reasoning is %s", (rule, model) => {
  expect(profileFor(model).reasoning).toBe(rule);
});

interface Trial {
  readonly session: Session;
  readonly name: keyof typeof FUNCTIONS;
  readonly targetTokens: number;
  readonly preserveRecentTurns: number;
  readonly model: string;
}

/** What came out, or the overflow. Anything else that is thrown is a failure. */
function trim(trial: Trial): TrimResult | ContextOverflowError {
  const { session, name, ...options } = trial;
  try {
    return FUNCTIONS[name](session.messages, { ...options, format: session.format });
  } catch (error) {
    if (error instanceof ContextOverflowError) return error;
    throw error;
  }
}

describe.each(FORMATS)("%s", (format) => {
  test.each(RULES)(
    "what comes out is legal, fits and is in order; reasoning: %s",
    (rule, model, reasoning) => {
      let fitted = 0;
      let overflowed = 0;
      fc.assert(
        fc.property(
          scripts({ reasoning }),
          fc.constantFrom("trimByPriority", "trimWithPlaceholders", "trimByAge"),
          fc.double({ min: 0.02, max: 1, noNaN: true }),
          fc.integer({ min: 0, max: 4 }),
          (script, name, share, preserveRecentTurns) => {
            const session = render(script, format);
            const before = countTokens(session.messages, format);
            const targetTokens = Math.floor(before * share);
            const trial: Trial = { session, name, targetTokens, preserveRecentTurns, model };
            const input = JSON.stringify(session.messages);
            const result = trim(trial);
            expect(JSON.stringify(session.messages)).toBe(input);
            if (result instanceof ContextOverflowError) {
              overflowed++;
              expect(result.targetTokens).toBe(targetTokens);
              expect(result.originalTokens).toBe(before);
              expect(result.remainingTokens).toBeGreaterThan(targetTokens);
              return;
            }
            if (result.savedTokens > 0) fitted++;
            expect(countTokens(result.messages, format)).toBeLessThanOrEqual(targetTokens);
            expect(before - countTokens(result.messages, format)).toBeGreaterThanOrEqual(result.savedTokens);
            expectNoWorse(format, rule, session.messages, result.messages);
            expectKept(session, result);
            if (rule === "bound") expectBoundUnchanged(session, result);
            expect(JSON.stringify(trim(trial))).toBe(JSON.stringify(result));
            const ledger = JSON.parse(JSON.stringify(exportLedger(session.messages, result, result.edits)));
            expect(JSON.stringify(restoreMessages(result.messages, ledger))).toBe(input);
          },
        ),
        { numRuns: 60, endOnFailure: true },
      );
      expect(fitted).toBeGreaterThan(5);
      expect(overflowed).toBeGreaterThan(0);
    },
  );
});

function countTokens(messages: readonly unknown[], format: FormatName): number {
  return new MessageBench(messages, { format }).view.total;
}

function expectNoWorse(
  format: FormatName,
  rule: ReasoningRule,
  input: readonly unknown[],
  output: readonly unknown[],
): void {
  const { validate } = formatByName(format);
  const known = validate(input, rule).map(({ code }) => code);
  for (const { code, message } of validate(output, rule)) expect(known, message).toContain(code);
}

/** Order, identity, and what is never removed. */
function expectKept({ messages, format }: Session, result: TrimResult): void {
  expect(result.sources).toEqual([...result.sources].sort((a, b) => a - b));
  const left = new Set(result.sources);
  expect(result.droppedMessages.map(({ message }) => message)).toEqual(
    messages.filter((_, i) => !left.has(i)),
  );
  for (const { message, ...dropped } of result.droppedMessages) {
    expect(ContentPriority[dropped.class]).toBe(dropped.priority);
    expect(dropped.tokens).toBe(countTokens([message], format));
  }
  const touched = new Set(
    result.edits.flatMap(({ edit }) =>
      edit.type === "drop" ? edit.parts : edit.type === "replace" ? [edit.part] : [],
    ),
  );
  const { transcript, messages: decoded } = new MessageBench(messages, { format });
  const changed = new Set([...touched].map((key) => transcript.message[transcript.find(key) ?? -1]));
  for (const [at, source] of result.sources.entries())
    if (!changed.has(source)) expect(result.messages[at]).toBe(messages[source]);
  const task = decoded.findLastIndex(
    ({ role, parts }) => role === "user" && !parts.some(({ kind }) => kind === "result"),
  );
  expect(result.messages).toContain(messages[task]);
  for (const [i, { role }] of decoded.entries())
    if (role === "system") expect(result.messages).toContain(messages[i]);
}

/** No signed block stands behind a change. */
function expectBoundUnchanged({ messages, format }: Session, result: TrimResult): void {
  const { transcript } = new MessageBench(messages, { format });
  const dropped = new Set(result.edits.flatMap(({ edit }) => (edit.type === "drop" ? edit.parts : [])));
  const first = Math.min(
    ...result.edits.flatMap(({ edit }) =>
      edit.type === "undo"
        ? []
        : edit.type === "drop"
          ? edit.parts.map((key) => transcript.find(key) ?? 0)
          : [transcript.find(edit.part) ?? 0],
    ),
  );
  for (let i = first + 1; i < transcript.length; i++) {
    const part = transcript.part(i);
    if (part.kind === "reasoning" && part.signed) expect(dropped).toContain(transcript.key(i));
  }
}
