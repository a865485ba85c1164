import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportLedger, restoreMessages } from "../../src/edits/inverse.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { createPruner, type PruneResult, type PrunerOptions } from "../../src/pruner.ts";
import { ContextOverflowError } from "../../src/strategies/trim/context-overflow-error.ts";
import { trimByAge } from "../../src/strategies/trim/trim-by-age.ts";
import { trimByPriority } from "../../src/strategies/trim/trim-by-priority.ts";
import { trimWithPlaceholders } from "../../src/strategies/trim/trim-with-placeholders.ts";
import type { MessageMeta } from "../../src/transcript/message.ts";
import { render, type Script } from "../generate.ts";
import { isCertain, ownSeed } from "../own-seed.ts";
import { legalScripts } from "./legal-scripts.ts";
import { listFaults, type Provider } from "./provider-rules.ts";
import { type Block, readMessage, type Sent } from "./read-messages.ts";

/*
 * Random sessions in every format, pruned before each request, and each request checked by its provider's rules.
 * The rules are written here again, from the providers' documentation, because those in `src/` are under test.
 */

interface Case extends Provider {
  readonly format: FormatName;
  readonly model: string;
  readonly reasoning: "none" | "plain" | "signed";
  /** A thinking block is invalid if anything before it has changed since the block was made. */
  readonly isBound?: true;
  /** "…reasoning_content is missing in assistant tool call message". */
  readonly needsField?: true;
}

const CLAUDE = { reasoning: "signed", isAnthropic: true } as const;
const BOUND = { model: "claude-sonnet-5-1", reasoning: "signed", isBound: true } as const;
const GEMINI = { isGemini: true, model: "gemini-2.5-pro", reasoning: "none" } as const;
const CASES: readonly Case[] = [
  { format: "anthropic-messages", ...CLAUDE, model: "claude-sonnet-4-5" },
  { format: "anthropic-messages", ...CLAUDE, ...BOUND },
  { format: "openai-chat", model: "gpt-5.4", reasoning: "none" },
  { format: "openai-chat", model: "devstral-medium-latest", reasoning: "none", isMistral: true },
  { format: "openai-chat", model: "deepseek-v4", reasoning: "plain", needsField: true },
  { format: "openai-responses", model: "gpt-5.4", reasoning: "signed", hasItems: true },
  { format: "openai-agents", model: "gpt-5.4", reasoning: "signed", hasItems: true },
  { format: "gemini", ...GEMINI },
  { format: "gemini", ...GEMINI, model: "gemini-3-pro-preview", reasoning: "signed" },
  { format: "gemini", ...GEMINI, model: "a-model-of-our-own" },
  { format: "ai-sdk", ...GEMINI },
  { format: "ai-sdk", model: "gpt-5.4", reasoning: "signed" },
  { format: "pi", ...GEMINI },
  { format: "pi", ...BOUND },
  { format: "opencode", ...GEMINI },
  { format: "opencode", ...BOUND },
  { format: "langchain", ...GEMINI },
  { format: "langchain", ...BOUND },
];

/** Small windows, so that they fill up soon; reminders as often as possible. */
const OPTIONS: fc.Arbitrary<PrunerOptions> = fc
  .record({
    agentTools: fc.boolean(),
    mode: fc.constantFrom("rent-or-buy" as const, "eager" as const, "pressure" as const),
    window: fc.constantFrom(9_000, 12_000, 20_000),
    preset: fc.constantFrom("compact" as const, "balanced" as const),
    dropReasoning: fc.boolean(),
  })
  .map(({ agentTools, mode, window, preset, dropReasoning }) => ({
    agentTools,
    prefixTokens: 1_000,
    config: {
      window,
      schedule: { mode, dropReasoning },
      strategies: { pruneProtect: 1_000, aggressivePruning: { preset } },
      tools: { todoReminder: { initialTurns: 1, repeatTurns: 1 } },
    },
  }));

const RUNS = Number(process.env.LAW_RUNS ?? 6);

describe.each(CASES)("$format, $model", (each) => {
  test("the provider accepts every request of every session", () => {
    let cuts = 0;
    let notes = 0;
    const check = (script: Script, options: PrunerOptions) => {
      const requests = play(each, script, options);
      for (const [i, request] of requests.entries()) {
        if (request.result.report.cut) cuts++;
        if (request.result.note) notes++;
        checkRules(each, request);
        if (i % 4 === 3) checkSameCold(each, request, options);
        checkPrefix(request, requests[i - 1]);
        if (each.isBound) checkBound(each, request, requests);
      }
      const last = requests.at(-1);
      if (last) checkUndone(last);
    };
    fc.assert(fc.property(legalScripts(each.reasoning), OPTIONS, check), {
      ...ownSeed(`fuzz ${each.format} ${each.model}`),
      numRuns: RUNS,
      endOnFailure: true,
    });
    if (!isCertain(RUNS, 6)) return;
    expect(cuts).toBeGreaterThan(0);
    if (each.isBound) expect(notes).toBe(0);
    else expect(notes).toBeGreaterThan(0);
  });
});

describe.each(CASES)("trimmed: $format, $model", (each) => {
  test("the rest is a request that the provider accepts", () => {
    const trims = [trimByPriority, trimWithPlaceholders, trimByAge];
    const check = (script: Script, share: number) => {
      const { format, model } = each;
      const messages = render(script, format).messages.map((message) => renameModel(message, model));
      const read = (list: readonly unknown[]) => list.map((message) => readMessage(format, message));
      const targetTokens = Math.round((share * JSON.stringify(messages).length) / 4);
      for (const trim of trims) {
        try {
          const trimmed = trim(messages, { format, model, targetTokens });
          expect(listFaults(read(trimmed.messages), each), trim.name).toEqual([]);
        } catch (error) {
          if (!(error instanceof ContextOverflowError)) throw error;
        }
      }
    };
    fc.assert(
      fc.property(legalScripts(each.reasoning), fc.double({ min: 0.05, max: 0.9, noNaN: true }), check),
      {
        ...ownSeed(`trimmed ${each.format} ${each.model}`),
        numRuns: 4 * RUNS,
        endOnFailure: true,
      },
    );
  });
});

interface Request {
  readonly input: readonly unknown[];
  readonly meta: readonly MessageMeta[];
  readonly result: PruneResult<unknown>;
  /** Read as the provider reads them. */
  readonly given: readonly Sent[];
  readonly sent: readonly Sent[];
}

/** The session as a host prunes it: before each of its requests, with one pruner. */
function play(each: Case, script: Script, options: PrunerOptions): readonly Request[] {
  const { format, model } = each;
  const rendered = render(script, format);
  const meta = rendered.meta.map((known) => (known.model === undefined ? known : { ...known, model }));
  const messages = rendered.messages.map((message) => renameModel(message, model));
  const read = (list: readonly unknown[]) => list.map((message) => readMessage(format, message));
  const given = read(messages);
  expect(listFaults(given, each), "as it comes").toEqual([]);
  const pruner = createPruner({ ...options, format });
  const ends = given.flatMap(({ role }, i) => {
    const opens = role === "assistant" && (given[i - 1]?.role !== "assistant" || format === "opencode");
    return opens && i > 0 ? [i] : [];
  });
  return [...ends, messages.length].map((end) => {
    const input = messages.slice(0, end);
    const known = meta.slice(0, end);
    const result = pruner.prune(input, { model, meta: known });
    return { input, meta: known, result, given: given.slice(0, end), sent: read(result.messages) };
  });
}

function renameModel(message: unknown, model: string): unknown {
  const text = JSON.stringify(message);
  return text.includes("claude-sonnet-4-5")
    ? JSON.parse(text.replaceAll("claude-sonnet-4-5", model))
    : message;
}

function checkRules(each: Case, { given, sent, result }: Request): void {
  expect(listFaults(sent, each)).toEqual([]);
  const sealed = (list: readonly Sent[]) =>
    list.flatMap(({ blocks }) => blocks.flatMap((block) => (isSealed(block) ? [JSON.stringify(block)] : [])));
  // Signed parts are unchanged or dropped; in the current turn, none is dropped.
  const came = new Set(sealed(given));
  expect(sealed(sent).filter((block) => !came.has(block))).toEqual([]);
  const prompt = given.findLastIndex(({ role, blocks }) => role === "user" && blocks.every(isSaid));
  const current = sent.filter((_, i) => (result.sources[i] ?? -1) > prompt);
  expect(sealed(current)).toEqual(sealed(given.slice(prompt + 1)));
  for (const [i, { blocks }] of sent.entries()) {
    const before = given[result.sources[i] ?? -1]?.blocks ?? [];
    const hasThought = (list: readonly Block[]) =>
      list.some((block) => block.kind === "thinking" && block.text);
    if (each.needsField && blocks.some(({ kind }) => kind === "call") && hasThought(before))
      expect(hasThought(blocks), `message ${i} keeps its reasoning`).toBe(true);
  }
  if (each.format === "openai-responses") checkUnits(given, sent);
}

function isSealed(block: Block): boolean {
  return (block.kind === "thinking" || block.kind === "call") && block.signature !== undefined;
}

function isSaid({ kind }: Block): boolean {
  return kind === "text" || kind === "other";
}

/** "Item 'fc_…' was provided without its required 'reasoning' item", and the other way round. */
function checkUnits(given: readonly Sent[], sent: readonly Sent[]): void {
  const needs = new Map<unknown, unknown>();
  let reasoning: unknown;
  for (const { role, blocks } of given) {
    const [block] = blocks;
    if (role !== "assistant") reasoning = undefined;
    else if (block?.kind === "thinking") reasoning = block.id;
    else if (block?.kind === "call" && reasoning !== undefined) needs.set(block.itemId, reasoning);
  }
  const there = new Set(
    sent.flatMap(({ blocks }) => blocks.map((block) => (block.kind === "thinking" ? block.id : 0))),
  );
  for (const [i, { blocks }] of sent.entries()) {
    const [block] = blocks;
    if (block?.kind === "thinking")
      expect(sent[i + 1]?.role, "a reasoning item is followed by its item").toBe("assistant");
    if (block?.kind === "call" && block.itemId !== undefined && needs.has(block.itemId))
      expect(there.has(needs.get(block.itemId)), `${String(block.itemId)} has its reasoning`).toBe(true);
  }
}

/** All text before a bound block is, byte for byte, the request that the block answered. */
function checkBound({ format }: Case, { result }: Request, requests: readonly Request[]): void {
  const answeredBy = new Map(requests.map((request) => [request.input.length, request.result]));
  for (const [at, message] of result.messages.entries()) {
    const { role, blocks } = readMessage(format, message);
    if (role !== "assistant" || !blocks.some((block) => block.kind === "thinking" && isSealed(block)))
      continue;
    const asked = answeredBy.get(result.sources[at] ?? -1);
    if (!asked) throw new Error(`message ${at} answers no request`);
    expect(JSON.stringify(result.messages.slice(0, at))).toBe(JSON.stringify(asked.messages));
  }
}

/** A pruner that has seen nothing before gives the same bytes. */
function checkSameCold(
  { format, model }: Case,
  { input, meta, result }: Request,
  options: PrunerOptions,
): void {
  const cold = createPruner({ ...options, format }).prune(input, { model, meta });
  expect(JSON.stringify(cold.messages)).toBe(JSON.stringify(result.messages));
}

/** Without a cut, a request begins with the previous one. */
function checkPrefix({ result }: Request, before: Request | undefined): void {
  if (!before || result.report.cut) return;
  const shared = before.result.note ? before.result.messages.slice(0, -1) : before.result.messages;
  expect(JSON.stringify(result.messages.slice(0, shared.length))).toBe(JSON.stringify(shared));
}

function checkUndone({ input, result }: Request): void {
  const ledger = JSON.parse(JSON.stringify(exportLedger(input, result, result.report.edits)));
  const pruned = JSON.parse(JSON.stringify(result.messages));
  expect(JSON.stringify(restoreMessages(pruned, ledger))).toBe(JSON.stringify(input));
}
