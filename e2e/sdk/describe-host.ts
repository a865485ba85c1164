import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HostOptions } from "../../src/hosts/conversation/host-options.ts";
import { createPruner } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import type { Store } from "../../src/stores/store.ts";
import type { DialectName } from "../provider/dialects.ts";
import { type Provider, type Received, startProvider } from "../provider/provider.ts";
import { FORMAT_OF, playSession, resultsOf, type SessionPlan, talkOf } from "./session.ts";

/** One run of a program: from its start to its end. */
export interface Agent {
  /**
   * Continues until the model has no more calls. `history`: the complete result of an earlier run; default: a new
   * conversation.
   */
  talk(prompt: string, history?: unknown): Promise<{ readonly text: string; readonly history: unknown }>;
}

export interface Setup {
  /** Of the provider, without a path. */
  readonly url: string;
  readonly stream: boolean;
  /** `undefined`: without Coppice. */
  readonly options: HostOptions | undefined;
  /** The agent has our tools. */
  readonly agentTools: boolean;
}

/** A host as a program would use it, with the real packages. */
export interface HostUnderTest {
  readonly name: string;
  readonly dialect: DialectName;
  start(setup: Setup): Agent | Promise<Agent>;
}

/** Makes all due cuts, so that a session of thirty steps has many. */
export const EAGER: HostOptions = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 2_000, pruneMinimum: 500 },
};

const PROMPT = (name: string) => `Look into it. [talk ${name}]`;

/** The same session through every host gives the same cuts, is never refused, and is not stored pruned. */
export function describeHost(host: HostUnderTest): void {
  describe.each([
    ["streaming", true],
    ["not streaming", false],
  ])(`${host.name}, %s`, (_, stream) => {
    let provider: Provider;
    let plan: SessionPlan = { steps: 30 };
    beforeAll(async () => {
      provider = await startProvider((request) => playSession(plan)(request));
    });
    afterAll(() => provider.close());

    const complaints: string[] = [];
    const clockFrom = (start: number) => {
      let time = start;
      return () => {
        time += 20_000;
        return time;
      };
    };
    const start = (options: HostOptions | undefined, agentTools = false) =>
      host.start({
        url: provider.url,
        stream,
        agentTools,
        options: options && {
          clock: clockFrom(START),
          onIssue: (_issue, text) => complaints.push(text),
          ...options,
        },
      });
    const sentOf = (name: string) => provider.received.filter((request) => talkOf(request) === name);
    const run = async (name: string, options: HostOptions | undefined, agentTools = false) => {
      const agent = await start(options, agentTools);
      return agent.talk(PROMPT(name), undefined);
    };

    test("thirty steps: cuts as `prune` makes them, the same answer, nothing refused, the history whole", async () => {
      plan = { steps: 30 };
      const plain = await run("plain", undefined);
      const pruned = await run("pruned", EAGER);
      expect(pruned.text).toBe("done with pruned");
      expect(provider.refused).toEqual([]);
      const [without, sent] = [sentOf("plain"), sentOf("pruned")];
      expect(sent.length).toBe(30);
      expect(without.length).toBe(30);
      const engine = createPruner({ config: EAGER_CONFIG });
      const clock = clockFrom(START);
      for (const [i, request] of without.entries()) {
        const expected = engine.prune(renamed(request, "plain", "pruned"), {
          format: FORMAT_OF[request.dialect],
          at: clock(),
          ...(typeof request.body.model === "string" && { model: request.body.model }),
        });
        const shown = sent[i] as Received;
        expect(Object.fromEntries(resultsOf(shown))).toEqual(
          Object.fromEntries(resultsOf({ dialect: request.dialect, messages: expected.messages })),
        );
        if (i === 29) expect(expected.report.edits.length).toBeGreaterThan(15);
      }
      expect(lengthOf(sent)).toBeLessThan(0.7 * lengthOf(without));
      // The program stores the conversation, not the sent text.
      const words = (history: unknown, name: string) => JSON.stringify(history).replaceAll(name, "X");
      expect(words(pruned.history, "pruned").length).toBeGreaterThan(
        0.98 * words(plain.history, "plain").length,
      );
      expect(JSON.stringify(pruned.history)).not.toContain("[Pruned");
    });

    test("two conversations at once give the same as each alone", async () => {
      plan = { steps: 12 };
      const agent = await start({ ...EAGER, clock: () => START });
      const texts = await Promise.all(["left", "right"].map((name) => agent.talk(PROMPT(name), undefined)));
      expect(texts.map(({ text }) => text)).toEqual(["done with left", "done with right"]);
      const alone = await start({ ...EAGER, clock: () => START });
      await alone.talk(PROMPT("alone"), undefined);
      const bare = (name: string) => sentOf(name).map(({ raw }) => raw.replaceAll(name, "X"));
      // The refs in the markers depend on the ids of the calls, which contain the conversation's name.
      const withoutRefs = (name: string) =>
        bare(name).map((raw) => raw.replaceAll(/#?\b[0-9a-f]{6}\b/g, "REF"));
      expect(withoutRefs("left")).toEqual(withoutRefs("alone"));
      expect(withoutRefs("right")).toEqual(withoutRefs("alone"));
      expect(provider.refused).toEqual([]);
    });

    test("a restart in the middle continues with the same bytes", async () => {
      plan = { steps: 8 };
      const second = "And now the rest.";
      const whole = async (name: string, restart: boolean) => {
        const store: Store = memoryStore();
        const clock = clockFrom(START);
        const options = { ...EAGER, schedule: {}, store, clock };
        const first = await start(options);
        const { history } = await first.talk(PROMPT(name), undefined);
        const next = restart ? await start(options) : first;
        await next.talk(second, history);
        return sentOf(name).map(({ raw }) => raw.replaceAll(name, "X").replaceAll(/\b[0-9a-f]{6}\b/g, "REF"));
      };
      const [without, withRestart] = [await whole("steady", false), await whole("resumed", true)];
      expect(without.length).toBeGreaterThan(12);
      expect(withRestart).toEqual(without);
      expect(provider.refused).toEqual([]);
    });

    test("the agent's tools answer for their own conversation", async () => {
      plan = {
        steps: 16,
        instead(n, request) {
          const name = talkOf(request);
          // Only where tags occur: our system text shows one too.
          const ref = REF.exec([...resultsOf(request).values()].join("\n"))?.[1] ?? "";
          if (n === 8) return { name: "context_info", input: {} };
          if (n === 9)
            return {
              name: "context_prune",
              input: { action: "discard", targets: [[refOf.get(name) ?? ref]] },
            };
          if (n === 12) return { name: "context_recall", input: { ref: refOf.get(name) ?? ref } };
          if (ref && !refOf.has(name)) refOf.set(name, ref);
          return undefined;
        },
      };
      const refOf = new Map<string, string>();
      const agent = await start(
        { schedule: { ingestCap: null }, tools: { todoReminder: { enabled: false } } },
        true,
      );
      await Promise.all(["north", "south"].map((name) => agent.talk(PROMPT(name), undefined)));
      expect(provider.refused).toEqual([]);
      for (const name of ["north", "south"]) {
        // As first sent: later on one call of ours supersedes another.
        const resultOf = (n: number) =>
          sentOf(name)
            .map((request) => resultsOf(request).get(`call_${name}_${n}`))
            .find((text) => text !== undefined);
        expect(resultOf(8)).toMatch(/tokens/);
        expect(resultOf(9)).toMatch(/discard ✓/);
        expect(resultOf(12)).toContain("line 39: const total39");
      }
      expect(refOf.get("north")).not.toBe(refOf.get("south"));
    });

    test("if anything fails, the requests are sent unchanged, with one report", async () => {
      plan = { steps: 6 };
      complaints.length = 0;
      const gone = () => Promise.reject(new Error("the store is gone"));
      const store: Store = { ...memoryStore(), readRequests: gone, writeRequest: gone, writeAnswer: gone };
      await run("storeless", { ...EAGER, store });
      expect(complaints).toHaveLength(1);
      expect(complaints[0]).toContain("the store is gone");
      complaints.length = 0;
      const broken = () => {
        throw new Error("no clock");
      };
      await run("unpruned", { ...EAGER, clock: broken });
      await run("bare", undefined);
      const bare = (name: string) => sentOf(name).map(({ raw }) => raw.replaceAll(name, "X"));
      expect(bare("unpruned")).toEqual(bare("bare"));
      expect(complaints).toEqual([expect.stringContaining("no clock")]);
      expect(provider.refused).toEqual([]);
    });
  });
}

const START = 1_790_000_000_000;
const REF = /<tool_hash>([0-9a-f]{6})<\/tool_hash>/;
const { store: _, directory: _directory, onIssue: _onIssue, clock: _clock, ...EAGER_CONFIG } = EAGER;

/** The messages of a request of one conversation, as another would have sent them. */
function renamed({ messages }: Received, from: string, to: string): readonly unknown[] {
  return JSON.parse(
    JSON.stringify(messages).replaceAll(`_${from}_`, `_${to}_`).replaceAll(`[talk ${from}]`, `[talk ${to}]`),
  );
}

function lengthOf(requests: readonly Received[]): number {
  return requests.reduce((sum, { raw }) => sum + raw.length, 0);
}
