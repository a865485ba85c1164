import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/index.ts";
import { createEngine, editsByCall } from "./engine.ts";
import { type HostMessage, withoutTransient } from "./host-message.ts";
import { type Recorded, textOf, type WireMessage } from "./model.ts";
import { modelOf, type TransformCall } from "./plugin.ts";
import { type Discard, modelWindow, type Played, playScenario } from "./scenario.ts";
import { renderWire } from "./wire.ts";

/*
 * The proof that state is a fold over the transcript: the results of a long-lived plugin in a real OpenCode, step
 * by step, equal those of a cold start for the same messages, and they were sent.
 */
let folder: string;
let played: Played;
let calls: TransformCall[];
/** A transform call with the request that it led to. */
type Pair = { readonly call: TransformCall; readonly request: Recorded };
let pairs: Pair[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coppice-fold-"));
  const plugin = join(folder, "plugin.mjs");
  const log = join(folder, "calls.jsonl");
  await build({
    entryPoints: [fileURLToPath(new URL("plugin.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    // jsonc-parser's CommonJS entry loads its parts by computed names, which no bundle has.
    mainFields: ["module", "main"],
    outfile: plugin,
    logLevel: "error",
  });
  // OpenCode continues without a plugin that it can't load.
  await expect(import(plugin)).resolves.toHaveProperty("default.server");
  played = await playScenario(plugin, log);
  calls = readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as TransformCall);
  // A retry sends the same request again, without another transform call.
  const requests = played.requests
    .filter((request) => request.kind !== "title")
    .filter((request, i, all) => request.raw !== all[i - 1]?.raw);
  expect(calls.length, "one transform call per request").toBe(requests.length);
  pairs = calls.map((call, i) => ({ call, request: requests[i] as Recorded }));
});

afterAll(() => {
  if (process.env.COPPICE_E2E_KEEP) console.info(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
});

describe("a real session in OpenCode", () => {
  it("is long enough to be meaningful, and the engine never failed in it", () => {
    expect(pairs.filter(({ request }) => request.kind === "step").length).toBeGreaterThanOrEqual(60);
    expect(pairs.filter(({ request }) => request.kind === "summary").length).toBe(1);
    expect(calls.filter((call) => call.failed !== undefined).map((call) => call.failed)).toEqual([]);
    const sessions = new Set(calls.map((call) => call.session));
    expect(sessions.size, "main, fork and subagent").toBe(3);
    expect([...sessions]).toEqual(expect.arrayContaining([played.main, played.fork]));
  });

  it("gives the same bytes and the same report cold as live, at every call", () => {
    for (const call of calls) {
      const { messages, report } = cold(call.input);
      expectSame(messages, call.output, label(call));
      expectSame(sure(report), sure(call.report), `${label(call)}, report`);
    }
  });

  it("gives the same bytes and report for any later transcript, cut back to that step", () => {
    let compared = 0;
    for (const final of calls.filter((call) => !calls.some((other) => extendsCall(other, call)))) {
      for (const call of calls.filter((earlier) => extendsCall(final, earlier))) {
        const { messages, report } = cold(final.input.slice(0, call.input.length));
        expectSame(withoutTransient(messages), withoutTransient(call.output), label(call));
        expectSame(sure(report), sure(call.report), `${label(call)}, report`);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(60);
  });

  it("prunes a fork like its original session", () => {
    const first = calls.find((call) => call.session === played.fork);
    const history = first?.input.slice(0, -1) ?? [];
    const original = calls.findLast(
      (call) => call.session === played.main && sameTimes(call.input.slice(0, history.length), history),
    );
    expect(original).toBeDefined();
    const same = original?.input.slice(0, history.length) ?? [];
    expectSame(withoutIds(cold(history).messages), withoutIds(cold(same).messages), "fork");
  });

  it("sends the messages of the transform, one by one", () => {
    for (const { call, request } of pairs) {
      const sent = request.body.messages.filter((message) => message.role !== "system");
      if (request.kind === "step") expect(sent, label(call)).toEqual(renderWire(call.output, call.model));
      else
        for (const text of resultsOf(call.output))
          expect(textOf(sent[0] as WireMessage)).toContain(text.slice(0, 2000));
    }
  });

  it("sends exactly one result for every call, right after it", () => {
    for (const { call, request } of pairs) {
      const messages = request.body.messages;
      const results = messages.flatMap((message, i) => {
        const ids = message.tool_calls?.map(({ id }) => id) ?? [];
        expect(
          messages.slice(i + 1, i + 1 + ids.length).map((m) => m.tool_call_id),
          label(call),
        ).toEqual(ids);
        return ids;
      });
      expect(new Set(results).size, label(call)).toBe(results.length);
      expect(messages.filter((message) => message.role === "tool").length, label(call)).toBe(results.length);
    }
  });

  it("begins each request with the bytes of the previous one, except the edits in the report", () => {
    const before = new Map<string, Pair>();
    for (const pair of pairs.filter(({ request }) => request.kind === "step")) {
      const previous = before.get(pair.call.session);
      before.set(pair.call.session, pair);
      if (previous && extendsCall(pair.call, previous.call)) expectStablePrefix(previous, pair);
    }
  });

  it("really cuts: text that the agent discards is gone from the next request on", () => {
    expect(played.discards.length).toBeGreaterThanOrEqual(10);
    for (const discard of played.discards) expectDiscarded(discard);
  });

  it("cuts an image's result, if it offers a ref for it", () => {
    if (played.image) expectDiscarded(played.image);
  });
});

/** An accepted discard no longer shows the text under its tag, from the next request on, as long as it is in the history. */
function expectDiscarded({ call: id, ref, text, atStep }: Discard): void {
  const steps = played.requests.filter((request) => request.kind === "step");
  const first = pairs.find(({ request }) => request === steps[atStep]) as Pair;
  expect(first, `${ref}: a request after the discard`).toBeDefined();
  const later = pairs.filter(({ call }) => extendsCall(call, first.call));
  for (const { call, request } of [first, ...later].filter((pair) => pair.request.kind === "step")) {
    const sent = resultFor(request, id) ?? "";
    expect(sent, `${label(call)}: ${ref}`).not.toContain(text.slice(0, 60));
    expect(sent.length, `${label(call)}: ${ref} shows ${sent.slice(0, 80)}`).toBeLessThan(
      Math.max(100, text.length / 2),
    );
  }
}

/** The result of a new pruner for these messages. */
function cold(messages: readonly HostMessage[]): {
  readonly messages: HostMessage[];
  readonly report: Report;
} {
  const input = structuredClone(messages) as HostMessage[];
  const session = input[0]?.info.sessionID ?? "";
  return createEngine().prune(input, { session, model: modelOf(input), window: modelWindow });
}

/** A new process reports that it does not know earlier windows, although they were the same. */
function sure(report: Report | undefined): Report | undefined {
  return report && { ...report, issues: report.issues.filter(({ code }) => code !== "history-assumed") };
}

/** The same JSON; for different ones, shows the first difference. */
function expectSame(actual: unknown, expected: unknown, message: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one === other) return;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 300), at + 200);
  expect(around(one), `${message}, from character ${at}`).toBe(around(other));
}

/**
 * A wire message may differ from the one at its place in the previous request only if it has a new or undone edit,
 * or by the host's doing: another model, or a user message that lost its plan-mode reminder. Our reminder occurs
 * once.
 */
function expectStablePrefix(previous: Pair, next: Pair): void {
  if (previous.call.model !== next.call.model) return;
  const [before, now] = [previous, next].map(({ call }) => editsByCall(call.report as Report));
  for (const [i, message] of previous.request.body.messages.entries()) {
    if (JSON.stringify(next.request.body.messages[i]) === JSON.stringify(message)) continue;
    const hostMade = message.role === "user" && textOf(message).includes("\n<system-reminder>");
    const isReminder = i === previous.request.body.messages.length - 1 && isNote(message);
    const ids = [message.tool_call_id ?? "", ...(message.tool_calls ?? []).map(({ id }) => id)];
    const listed = ids.some((id) => before?.get(id) !== now?.get(id));
    expect(
      hostMade || isReminder || listed,
      `${label(next.call)}: message ${i} changed: ${JSON.stringify(message)}`,
    ).toBe(true);
  }
}

/** Ours is at the very end of one request, and is gone from the next. */
const isNote = (message: WireMessage): boolean =>
  message.role === "user" && textOf(message).startsWith("<system-reminder>");

/** Do the first call's messages begin with the other's? */
function extendsCall(longer: TransformCall, shorter: TransformCall): boolean {
  return (
    longer !== shorter &&
    longer.session === shorter.session &&
    longer.input.length > shorter.input.length &&
    shorter.input.every((message, i) => message.info.id === longer.input[i]?.info.id)
  );
}

function sameTimes(some: readonly HostMessage[], others: readonly HostMessage[]): boolean {
  const times = (messages: readonly HostMessage[]) => JSON.stringify(messages.map(({ info }) => info.time));
  return times(some) === times(others);
}

const idFields = new Set(["id", "sessionID", "messageID", "parentID", "tail_start_id"]);
const withoutIds = (messages: readonly HostMessage[]): string =>
  JSON.stringify(messages, (key, value: unknown) => (idFields.has(key) ? 0 : value));

const resultsOf = (messages: readonly HostMessage[]): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap(({ state }) => state?.output ?? state?.error ?? []));

function resultFor(request: Recorded, call: string): string | undefined {
  const message = request.body.messages.find((candidate) => candidate.tool_call_id === call);
  return message && textOf(message);
}

const label = (call: TransformCall): string => `call ${calls.indexOf(call)} (${call.input.length} messages)`;
