import { expect, test } from "vitest";
import { FORMAT_NAMES, formatByName } from "../../../src/formats/detect.ts";
import type { FormatName } from "../../../src/formats/format.ts";
import { ContextOverflowError } from "../../../src/strategies/trim/context-overflow-error.ts";
import { trimByAge } from "../../../src/strategies/trim/trim-by-age.ts";
import { trimByPriority } from "../../../src/strategies/trim/trim-by-priority.ts";
import { trimWithPlaceholders } from "../../../src/strategies/trim/trim-with-placeholders.ts";
import { numbered, render, type Script } from "../../generate.ts";

const call = (id: number, output: string) => ({
  id,
  tool: "read",
  input: { filePath: `src/${id}.ts` },
  output,
  split: false,
  failed: false,
});
const step = (id: number, output: string) => ({
  text: undefined,
  thinking: undefined,
  unknown: false,
  calls: [call(id, output)],
  pause: 1_000,
});
const MALFORMED = "malformed";
const script: Script = {
  turns: [
    { prompt: "Go.", image: false, steps: [step(0, MALFORMED), step(1, numbered(60)), step(2, MALFORMED)] },
    { prompt: "Go on.", image: false, steps: [{ ...step(3, numbered(60)), calls: [] }] },
    { prompt: "And now?", image: false, steps: [] },
  ],
};

/** With a number where a text should be. */
function malform(value: unknown): unknown {
  if (value === MALFORMED) return 5;
  if (Array.isArray(value)) {
    const [only] = value;
    return value.length === 1 && (only?.text ?? only?.output) === MALFORMED ? 5 : value.map(malform);
  }
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
  for (const [key, field] of Object.entries(copy)) copy[key] = malform(field);
  return copy;
}

const TRIMS = { trimByPriority, trimWithPlaceholders, trimByAge };
const CASES = FORMAT_NAMES.flatMap((format) =>
  Object.keys(TRIMS).map((name) => [format, name as keyof typeof TRIMS] as const),
);

test.each(CASES)("%s, %s: a result that is a number leaves with its call or not at all", (name, trim) => {
  const format = formatByName(name as FormatName);
  const messages = render(script, name).messages.map(malform);
  expect(JSON.stringify(messages)).not.toContain(MALFORMED);
  const codes = (list: readonly unknown[]) =>
    format.validate(list, "none").flatMap(({ code }) => (/call|result/.test(code) ? [code] : []));
  const before = codes(messages).length;
  for (let targetTokens = 10; targetTokens < 2_000; targetTokens += 60) {
    try {
      const trimmed = TRIMS[trim](messages, { targetTokens, format: name }).messages;
      expect(codes(trimmed).length).toBeLessThanOrEqual(before);
      const ids = (kind: "call" | "result") =>
        trimmed.flatMap((message) =>
          format.decode(message).parts.flatMap((part) => (part.kind === kind ? [part.callId] : [])),
        );
      if (before === 0) expect(ids("call")).toEqual(ids("result"));
    } catch (error) {
      if (!(error instanceof ContextOverflowError)) throw error;
    }
  }
});
