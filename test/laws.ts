import { expect } from "vitest";
import { mergeLevels } from "../src/config/merge.ts";
import { resolveFlags } from "../src/config/presets.ts";
import { applyLedger } from "../src/edits/apply.ts";
import type { Cut } from "../src/edits/edit.ts";
import { exportLedger, restoreMessages } from "../src/edits/inverse.ts";
import type { PruneRequest } from "../src/fold/prune-request.ts";
import { formatByName } from "../src/formats/detect.ts";
import type { Format } from "../src/formats/format.ts";
import {
  decodeMessage,
  decodeMessages,
  joinResponses,
  opensTurn,
  pairResults,
} from "../src/formats/intake/decode.ts";
import { requestEnds } from "../src/formats/intake/request-ends.ts";
import { stripNote } from "../src/formats/note.ts";
import type { ReasoningRule } from "../src/models/profile.ts";
import { createPruner, type PruneResult, type Pruner, type PrunerOptions } from "../src/pruner.ts";
import { type Pass, usePass } from "../src/strategies/strategy.ts";
import { createToolKinds } from "../src/tool-kinds/tool-kinds.ts";
import type { FileTouch, ToolUse } from "../src/tool-kinds/tool-use.ts";
import type { ClearingRule } from "../src/transcript/clearing-rule.ts";
import type { DecodedMessage, RequestTerms } from "../src/transcript/message.ts";
import type { Part } from "../src/transcript/part.ts";
import { countPart, Transcript } from "../src/transcript/transcript.ts";
import type { Session } from "./generate.ts";

/** A session with the terms of each of its requests, by the number of its messages. */
interface HostedSession extends Session {
  readonly requestTerms: Map<number, RequestTerms>;
}

/** A session that was pruned before every request, as a host does it. */
export interface LiveRun {
  readonly session: HostedSession;
  readonly format: Format;
  readonly options: PrunerOptions;
  readonly reasoning: ReasoningRule;
  /** For each request, its messages, and the result. */
  readonly requests: readonly LiveRequest[];
}

interface LiveRequest {
  readonly input: readonly unknown[];
  /** The host's other data. */
  readonly request: PruneRequest;
  /** The messages that are sent. */
  readonly sent: PruneResult<unknown>;
  /** The same without the note at its end, which is not part of the conversation. */
  readonly result: PruneResult<unknown>;
  /** Tokens as shown, including tags: without cuts, and with them. */
  readonly shown: { readonly uncut: number; readonly total: number };
}

export function runLive(given: Session, options: PrunerOptions, reasoning: ReasoningRule): LiveRun {
  const session: HostedSession = { ...given, requestTerms: new Map() };
  const format = formatByName(session.format);
  const pruner = createPruner({ ...options, format: session.format });
  const requests = endsOf(session, format).map((end) => {
    const input = session.messages.slice(0, end);
    const request = requestAfter(session, end);
    const sent = pruner.prune(input, { session: SESSION, ...request });
    session.requestTerms.set(end, sent.report.terms);
    const { uncut = 0, total = 0 } = pruner.agentView(SESSION)?.view ?? {};
    return { input, request, sent, result: withoutNote(sent, input), shown: { uncut, total } };
  });
  return { session, format, options, reasoning, requests };
}

function withoutNote(result: PruneResult<unknown>, input: readonly unknown[]): PruneResult<unknown> {
  if (result.note === undefined) return result;
  const messages = stripNote({ messages: result.messages, added: result.note });
  const last = input[result.sources.at(-1) ?? -1];
  const isUntouched = result.note === "block" && JSON.stringify(last) === JSON.stringify(messages.at(-1));
  return { ...result, messages: isUntouched ? [...messages.slice(0, -1), last] : messages };
}

/** Each law of design.md, stated once. A law throws when it is broken. */
const LAWS: Readonly<Record<string, (run: LiveRun) => void>> = {
  "1 deterministic: live and cold replay agree"({ session, options, requests }) {
    for (const { input, sent: result } of few(requests)) {
      const cold = pruneWith(createPruner({ ...options, format: session.format }), session, input);
      expect(JSON.stringify(cold.messages)).toBe(JSON.stringify(result.messages));
      expect(cold.report.edits).toEqual(result.report.edits);
      expect(cold.report.bill).toEqual(result.report.bill);
    }
  },

  "2 paired: the output is no worse a request than the input, and shows what the agent has not seen"({
    format,
    reasoning,
    requests,
  }) {
    for (const { input, sent: result } of some(requests)) {
      const before = format.validate(input, reasoning).map(({ code }) => code);
      const after = format.validate(result.messages, reasoning).map(({ code }) => code);
      const allowed = countEach(before);
      for (const [code, count] of Object.entries(countEach(after))) {
        expect(count, code).toBeLessThanOrEqual(allowed[code] ?? 0);
      }
      expect(pairsOf(format, result.messages)).toEqual(withoutDropped(format, input, result));
      expect(pairsOf(format, result.messages)).toEqual(expect.arrayContaining([...unseenOf(format, input)]));
    }
  },

  "3 protected: what is protected comes out unchanged, but for what a newer call of its own kind makes redundant"({
    format,
    options,
    requests,
  }) {
    if (options.passes) return;
    const { config } = mergeLevels([{ name: "options", config: options.config ?? {} }]);
    const { aggressivePruning, spent } = config.strategies;
    const commands = config.tools.settings.protectedCommands;
    const { aggressiveFilePrune: rule, pruneRetryParts } = resolveFlags(aggressivePruning);
    // Rested files follow the strict rule too.
    const isStrict = rule === true || (rule === "views" && spent.enabled);
    for (const { input, result } of some(requests)) {
      const out = new Map(listCalls(format, result.messages).map((call) => [call.id, call.text]));
      const calls = listCalls(format, input);
      for (const call of calls) {
        const isProtected = PROTECTED_TOOLS.has(call.tool.toLowerCase());
        const mayGo = isRedundant(call, calls, isStrict) || (pruneRetryParts && wasRetried(call, calls));
        // No newer call replaces a command that the user protects.
        const stays = (isProtected && !mayGo) || commands.includes(call.use.command ?? "");
        if (stays && out.get(call.id) !== call.text) expect(out.get(call.id)).toBe(call.text);
      }
      const newest = input[readAll(format, input).findLastIndex(opensTurn)];
      if (newest) expect(result.messages).toContain(newest);
    }
  },

  "4 smaller: every edit saves tokens, and all of them what the view has less, tags and all"({
    format,
    requests,
    options,
  }) {
    for (const { input, result, shown } of some(requests)) {
      expect(cuts(result).filter(({ saved }) => !(saved > 0))).toEqual([]);
      const sum = result.report.edits.reduce((total, { edit }) => total + edit.saved, 0);
      expect(shown.uncut - shown.total).toBe(sum);
      const [given, sent] = [countTokens(format, input), countTokens(format, result.messages)];
      const emptied = cuts(result).filter((edit) => edit.type === "replace" && edit.text === "").length;
      // The request, including tags, matches the view: to the token if a tag directly follows a text.
      const tags = JSON.stringify(result.messages).split("_hash>").length - 1;
      expect(Math.abs(sent - shown.total - (given - result.report.tokens.before))).toBeLessThanOrEqual(
        emptied + tags,
      );
      if (options.agentTools) continue;
      const saved = given - sent;
      expect(Math.abs(saved - result.report.tokens.saved)).toBeLessThanOrEqual(emptied);
      if (cuts(result).length > 0) expect(saved).toBeGreaterThan(0);
    }
  },

  "5 invertible: restored byte for byte, and edits survive JSON"({ format, options, requests }) {
    for (const { input, sent: result } of few(requests)) {
      const ledger = JSON.parse(JSON.stringify(exportLedger(input, result, result.report.edits)));
      const pruned = JSON.parse(JSON.stringify(result.messages));
      expect(JSON.stringify(restoreMessages(pruned, ledger))).toBe(JSON.stringify(input));
      const applied = applyLedger(format, input, ledger.edits).messages;
      if (!options.agentTools) expect(JSON.stringify(applied)).toBe(JSON.stringify(result.messages));
      const undone = cuts(result).map(({ id }) => ({
        edit: { type: "undo" as const, target: id, author: "test", reason: "", saved: 0 },
        request: 0,
      }));
      for (const [i, message] of applyLedger(format, input, [
        ...result.report.edits,
        ...undone,
      ]).messages.entries()) {
        if (message !== input[i]) expect(message).toBe(input[i]);
      }
    }
  },

  "6 idempotent: pruning at once what was pruned at once changes nothing"({ session, options, requests }) {
    // Not under pressure: if a window is too small for the rest, the next call may find more to cut.
    const { config } = options;
    const eager = withMode({ ...options, config: { ...config, window: 10_000_000 } }, "eager");
    for (const { input } of few(requests).slice(-2)) {
      const { meta: known, ...request } = withoutWindows(requestAfter(session, input.length));
      const asked = { ...request, ...(known && { meta: known }) };
      const sent = createPruner({ ...eager, format: session.format }).prune(input, asked);
      const once = withoutNote(sent, input);
      const meta = once.sources.map((source) => known?.[source]);
      const again = createPruner({ ...eager, format: session.format }).prune(once.messages, {
        ...request,
        meta,
      });
      const rest = withoutNote(again, once.messages);
      for (const [i, message] of once.messages.entries())
        if (rest.messages[i] !== message)
          expect(JSON.stringify(rest.messages[i]), `message ${i}`).toBe(JSON.stringify(message));
      expect(rest.messages.length).toBe(once.messages.length);
    }
  },

  "7 prefix-stable: a request begins with the one before it, but for listed cuts"({ requests }) {
    const pairs = requests.slice(1).map(({ result }, i) => ({ before: requests[i]?.result, result }));
    const cutting = pairs.filter(({ result }) => result.report.cut);
    for (const { before, result } of [...some(pairs), ...some(cutting)]) {
      if (!before) continue;
      const first = result.report.cut?.message ?? Number.POSITIVE_INFINITY;
      for (const [at, message] of before.messages.entries()) {
        if ((before.sources[at] ?? 0) >= first) break;
        if (result.messages[at] !== message)
          expect(JSON.stringify(result.messages[at])).toBe(JSON.stringify(message));
      }
    }
  },

  "8 lossless at the edge: a message without edits is the very same object"({ session, format, requests }) {
    const untouched = createPruner({ format: session.format, passes: [], ladder: [] });
    for (const { input, result } of some(requests)) {
      expect(pruneWith(untouched, session, input).messages.every((message, i) => message === input[i])).toBe(
        true,
      );
      const changed = result.messages.flatMap((message, i) =>
        message === input[result.sources[i] ?? -1] ? [] : [i],
      );
      const touched = listTouched(format, input, result);
      const explained = changed.filter(
        (i) => touched.has(result.sources[i] ?? -1) || carriesTag(format, result.messages[i]),
      );
      expect(explained).toEqual(changed);
    }
  },

  "9 never the agent's problem: a throwing pass changes nothing and is reported"({
    session,
    options,
    requests,
  }) {
    const failing: Pass = usePass({
      name: "failing",
      propose() {
        throw new Error("out of order");
      },
    });
    const pruner = createPruner({ ...options, format: session.format, passes: [failing], ladder: [] });
    const last = requests.at(-1);
    if (!last) return;
    const result = pruneWith(pruner, session, last.input);
    expect(result.report.issues.map(({ code }) => code)).toContain("strategy-failed");
    if (!options.agentTools)
      expect(result.messages.every((message, i) => message === last.input[i])).toBe(true);
  },

  "10 linear: every part is given to the passes exactly once"({ session, requests }) {
    let given = 0;
    const counting: Pass = usePass({
      name: "counting",
      propose({ from, to }) {
        given += to - from;
        return [];
      },
    });
    const pruner = createPruner({ format: session.format, passes: [counting] });
    // If a host does not name the model, the answer does: the request is then computed again, once.
    const { host: _, ...requestTerms } = session;
    for (const { input } of requests) pruneWith(pruner, requestTerms, input);
    const format = formatByName(session.format);
    const parts = readAll(format, session.messages).reduce((sum, message) => sum + message.parts.length, 0);
    expect(given).toBe(parts);
  },

  "11 never worse: never behind the unpruned bill by more than two rewrites, but for what pressure forced"(
    run,
  ) {
    let peak = 0;
    let forced = 0;
    for (const { result } of patient(run).requests) {
      const { bill, tokens, cut } = result.report;
      peak = Math.max(peak, tokens.after);
      if (cut?.reason === "pressure") forced += 1.25 * tokens.after;
      expect(bill.with - bill.without).toBeLessThanOrEqual(2 * 1.25 * peak + forced);
    }
  },
};

/** A broken law names itself. */
export function askLaws(run: LiveRun, asked: (name: string) => boolean = () => true): void {
  for (const [name, law] of Object.entries(LAWS)) {
    if (!asked(name)) continue;
    try {
      law(run);
    } catch (cause) {
      throw new Error(`law ${name}: ${cause instanceof Error ? cause.message.slice(0, 2_000) : cause}`, {
        cause,
      });
    }
  }
}

/** The same session scheduled by rent or buy, without tags (whose cost the scheduler does not control). */
function patient(run: LiveRun): LiveRun {
  const { session, options, reasoning } = run;
  if (options.config?.schedule?.mode !== "eager" && !options.agentTools) return run;
  return runLive(session, { ...withMode(options, "rent-or-buy"), agentTools: false }, reasoning);
}

function withMode(options: PrunerOptions, mode: "eager" | "rent-or-buy"): PrunerOptions {
  const { config } = options;
  return { ...options, config: { ...config, schedule: { ...config?.schedule, mode } } };
}

/** All requests of a short session; the first, the last and some between of a long one. */
function some<T>(requests: readonly T[]): readonly T[] {
  if (requests.length <= 8) return requests;
  return [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => requests[Math.floor(share * (requests.length - 1))] as T);
}

/**
 * The first that cuts, one in the middle and the last. This is enough for cumulative results: a cold start makes
 * every decision again, and the edits name their requests; a ledger contains every edit so far.
 */
function few(requests: readonly LiveRequest[]): readonly LiveRequest[] {
  const last = requests.length - 1;
  const places = [requests.findIndex(({ result }) => result.report.cut), Math.floor(last / 2), last];
  return requests.filter((_, i) => places.includes(i));
}

/** The messages that an edit names a part of. */
function listTouched(format: Format, input: readonly unknown[], result: PruneResult<unknown>): Set<number> {
  const transcript = new Transcript();
  for (const [i, decoded] of readAll(format, input).entries())
    transcript.append(decoded.parts, i, opensTurn(decoded));
  const keys = cuts(result).flatMap((edit) => (edit.type === "drop" ? edit.parts : [edit.part]));
  return new Set(keys.flatMap((key) => transcript.message[transcript.find(key) ?? -1] ?? []));
}

function carriesTag(format: Format, message: unknown): boolean {
  return partsOf(format, [message]).some(({ leaves }) =>
    leaves.some(({ text }) => /<(?:tool|message|reasoning)_hash>/.test(text)),
  );
}

const SESSION = "law";

/** Like a host, which knows the model of its next request. */
function pruneWith(pruner: Pruner, session: HostedSession, input: readonly unknown[]): PruneResult<unknown> {
  return pruner.prune(input, { session: SESSION, ...requestAfter(session, input.length) });
}

const MODELS = ["claude-sonnet-4-5", "claude-sonnet-4-5", "gpt-5.4"];
const WINDOWS = [12_000, 9_000, 12_000, 12_000, 20_000];

function requestAfter(session: HostedSession, end: number): PruneRequest {
  if (session.host === undefined)
    return { model: modelAfter(session, end), meta: session.meta.slice(0, end) };
  if (session.host === "bare") return {};
  const at = session.meta[end - 1]?.time;
  const changing = {
    model: MODELS[end % MODELS.length] as string,
    window: WINDOWS[end % WINDOWS.length] as number,
    ...(at !== undefined && { at }),
  };
  if (session.host === "forgetful") return changing;
  const meta = Array.from({ length: end }, (_, i) => {
    const terms = session.requestTerms.get(i);
    return terms && { terms };
  });
  const clears = session.host === "clearing" ? CLEARS[end % CLEARS.length] : undefined;
  return { ...changing, meta, ...(clears && { clears }) };
}

/** Rules by which a provider clears results itself. */
const CLEARS: readonly (ClearingRule | undefined)[] = [
  { aboveTokens: 4_000, keep: 2 },
  { aboveTokens: 4_000, keep: 2 },
  { aboveCalls: 3, keep: 1, inputs: true },
  undefined,
  { aboveTokens: 3_000, keep: 3, least: 500, spared: ["bash"] },
];

function withoutWindows({ meta, window: _, ...request }: PruneRequest): PruneRequest {
  if (!meta) return request;
  return {
    ...request,
    meta: meta.map((known) => {
      if (!known?.terms) return known;
      const { window: __, ...terms } = known.terms;
      return { ...known, terms };
    }),
  };
}

function modelAfter(session: Session, end: number): string {
  const next = session.messages[end];
  const recorded =
    next === undefined
      ? undefined
      : decodeMessage(formatByName(session.format), next, session.meta[end]).model;
  return recorded ?? session.meta.findLast(({ model }) => model !== undefined)?.model ?? "claude-sonnet-4-5";
}

function endsOf(session: Session, format: Format): readonly number[] {
  return requestEnds(decodeMessages(format, session.messages, session.meta));
}

function partsOf(format: Format, messages: readonly unknown[]): readonly Part[] {
  return joinResponses(messages.map((message) => decodeOnce(format, message))).flatMap(({ parts }) => parts);
}

/** As the fold sees them: outputs of calls that were made as text are results. Providers do not know such calls. */
function readAll(format: Format, messages: readonly unknown[]): readonly DecodedMessage[] {
  return pairResults(messages.map((message) => decodeOnce(format, message)));
}

/** The laws use the same messages again and again: each is decoded once, and its texts are counted once. */
function decodeOnce(format: Format, message: unknown): DecodedMessage {
  if (typeof message !== "object" || message === null) return decodeMessage(format, message, undefined);
  const known = DECODED.get(format) ?? new WeakMap<object, DecodedMessage>();
  DECODED.set(format, known);
  const decoded = known.get(message) ?? decodeMessage(format, message, undefined);
  known.set(message, decoded);
  return decoded;
}

const DECODED = new Map<Format, WeakMap<object, DecodedMessage>>();

function cuts(result: PruneResult<unknown>): readonly Cut[] {
  return result.report.edits.flatMap(({ edit }) => (edit.type === "undo" ? [] : [edit]));
}

function countTokens(format: Format, messages: readonly unknown[]): number {
  return partsOf(format, messages).reduce((sum, part) => sum + countPart(part), 0);
}

/** Calls and results in wire order. */
function pairsOf(format: Format, messages: readonly unknown[]): readonly string[] {
  return partsOf(format, messages).flatMap((part) =>
    part.kind === "call" || part.kind === "result" ? [`${part.kind} ${part.callId}`] : [],
  );
}

/** The results of the newest response: no request has shown them yet. */
function unseenOf(format: Format, messages: readonly unknown[]): readonly string[] {
  const parts = partsOf(format, messages);
  const newest = parts.slice(parts.findLastIndex(({ opensStep }) => opensStep));
  return newest.flatMap((part) => (part.kind === "result" ? [`result ${part.callId}`] : []));
}

function withoutDropped(
  format: Format,
  input: readonly unknown[],
  result: PruneResult<unknown>,
): readonly string[] {
  const dropped = new Set(cuts(result).flatMap((edit) => (edit.type === "drop" ? edit.parts : [])));
  const transcript = new Transcript();
  for (const [i, message] of input.entries()) {
    transcript.append(decodeOnce(format, message).parts, i, false);
  }
  return transcript.parts.flatMap((part, i) =>
    (part.kind === "call" || part.kind === "result") && !dropped.has(transcript.key(i))
      ? [`${part.kind} ${part.callId}`]
      : [],
  );
}

/** An answered call: both its texts, its place, and its meaning. */
interface AnsweredCall {
  /** With its occurrence: ids repeat in real recordings. */
  readonly id: string;
  readonly tool: string;
  readonly step: number;
  readonly use: ToolUse;
  readonly ok: boolean;
  /** Input and result. */
  readonly text: string;
}

const PROTECTED_TOOLS: ReadonlySet<string> = new Set(["write", "edit", "todowrite", "task", "skill"]);
const KINDS = createToolKinds();

function listCalls(format: Format, messages: readonly unknown[]): readonly AnsweredCall[] {
  const open = new Map<string, { part: Part & { kind: "call" }; step: number }>();
  const calls: AnsweredCall[] = [];
  const seen = new Map<string, number>();
  let step = 0;
  for (const part of partsOf(format, messages)) {
    if (part.opensStep) step++;
    if (part.kind === "call") open.set(part.callId, { part, step });
    const call = part.kind === "result" && part.status !== "pending" ? open.get(part.callId) : undefined;
    if (!call || part.kind !== "result") continue;
    const { tool, input } = call.part;
    const occurrence = (seen.get(part.callId) ?? 0) + 1;
    seen.set(part.callId, occurrence);
    calls.push({
      id: `${part.callId}#${occurrence}`,
      tool,
      step: call.step,
      use: KINDS.describe(tool, input, {}),
      ok: part.status !== "error",
      text: [...call.part.leaves, ...part.leaves].map(({ text }) => text).join("\n"),
    });
  }
  return calls;
}

/**
 * Spec/1: todos by newer todos; a write or an edit by a newer view, under the strict file rule, and when the file has rested, by anything newer.
 */
function isRedundant(call: AnsweredCall, calls: readonly AnsweredCall[], isStrict: boolean): boolean {
  const newer = calls.filter(({ step }) => step > call.step);
  if (call.use.kind === "todo") return newer.some(({ use, ok }) => use.kind === "todo" && (ok || !call.ok));
  if (!call.ok || call.use.files.length === 0) return false;
  return call.use.files.every(({ path }) =>
    newer.some(
      ({ use, ok }) =>
        ok && use.files.some((touch) => touch.path === path && (isStrict || isFullView(touch))),
    ),
  );
}

/** Spec/1: a failed change of a file by a later success of the same tool. */
function wasRetried(call: AnsweredCall, calls: readonly AnsweredCall[]): boolean {
  const filesOf = ({ use }: AnsweredCall) => use.files.map(({ path }) => path).join();
  const isSame = (newer: AnsweredCall) => newer.tool === call.tool && filesOf(newer) === filesOf(call);
  const changes = call.use.kind === "write" || call.use.kind === "edit";
  return changes && !call.ok && calls.some((newer) => newer.step > call.step && newer.ok && isSame(newer));
}

function isFullView({ operation, range }: FileTouch): boolean {
  return range === undefined && (operation === "read" || operation === "write");
}

function countEach(codes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
