import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PruneRequest } from "../src/fold/prune-request.ts";
import type { RequestRow } from "../src/fold/request-memory.ts";
import { formatByName } from "../src/formats/detect.ts";
import type { Format, FormatName } from "../src/formats/format.ts";
import { decodeMessages } from "../src/formats/intake/decode.ts";
import { requestEnds } from "../src/formats/intake/request-ends.ts";
import { createPruner, type PruneResult, type Pruner, type PrunerOptions } from "../src/pruner.ts";
import { type Strategy, usePass } from "../src/strategies/strategy.ts";
import type { Usage } from "../src/transcript/message.ts";
import { Conversation, textOf } from "./conversation.ts";
import { render, scripts } from "./generate.ts";
import { ownSeed } from "./own-seed.ts";

const MINUTE = 60_000;
const START = 1_790_000_000_000;
const MODEL = "claude-sonnet-4-5";

const OPTIONS: PrunerOptions = {
  agentTools: true,
  config: {
    strategies: { pruneProtect: 500, pruneMinimum: 500 },
    schedule: { ingestCap: null },
    window: 30_000,
  },
};

const bytesOf = ({ messages, report }: PruneResult<unknown>) =>
  JSON.stringify([messages, report.edits, report.bill, report.key]);

/** The journal of a host: rows by key, as a store would keep them. */
class Journal {
  readonly rows = new Map<string, RequestRow>();

  prune(pruner: Pruner, messages: readonly unknown[], request: PruneRequest): PruneResult<unknown> {
    const opened = pruner.open(messages, request);
    pruner.learn(opened.missing.flatMap((key) => this.rows.get(key) ?? []));
    const result = opened.prune();
    const { key, terms } = result.report;
    if (!this.rows.has(key)) this.rows.set(key, { key, terms });
    return result;
  }

  answered(pruner: Pruner, key: string, usage: Usage): void {
    const row = this.rows.get(key);
    if (row) this.rows.set(key, { usage, answeredBy: MODEL, ...row });
    pruner.answered({ request: key, usage, model: MODEL });
  }
}

/** One conversation, request by request; every request has its own time, prefix and response. */
class Talk {
  readonly messages: readonly unknown[];
  readonly ends: readonly number[];
  readonly format: FormatName;

  constructor(format: FormatName, messages: readonly unknown[]) {
    this.format = format;
    this.messages = messages;
    this.ends = requestEnds(decodeMessages(formatByName(format), messages));
  }

  input(i: number): readonly unknown[] {
    return structuredClone(this.messages.slice(0, this.ends[i]));
  }

  request(i: number): PruneRequest {
    // Every fourth request comes after the cache has expired, and from the sixth on there is one more tool.
    const at = START + i * MINUTE + Math.floor(i / 4) * 10 * MINUTE;
    return { format: this.format, model: MODEL, at, prefixTokens: i < 6 ? 3_000 : 3_400 };
  }

  ask(pruner: Pruner, journal: Journal, i: number): PruneResult<unknown> {
    const result = journal.prune(pruner, this.input(i), this.request(i));
    const total = result.report.tokens.after + 3_000;
    const usage = {
      input: 0,
      cacheRead: Math.round(total * 0.9),
      cacheWrite: Math.round(total * 0.2),
      output: 50,
    };
    journal.answered(pruner, result.report.key, usage);
    return result;
  }

  /** The same up to request i, and then another user message. */
  fork(i: number, word: string): Talk {
    return new Talk(this.format, [...this.messages.slice(0, this.ends[i]), sayIn(this.format, word)]);
  }
}

function sayIn(format: FormatName, word: string): unknown {
  if (format === "opencode")
    return {
      info: { id: `m_${word}`, sessionID: "s", role: "user", time: { created: START }, model: {} },
      parts: [{ id: `p_${word}`, type: "text", text: word }],
    };
  if (format === "gemini") return { role: "user", parts: [{ text: word }] };
  const type = format === "openai-responses" || format === "openai-agents" ? "input_text" : "text";
  return { role: "user", content: [{ type, text: word }] };
}

/** All formats whose messages are plain data. */
const FORMATS = [
  "openai-chat",
  "anthropic-messages",
  "openai-responses",
  "ai-sdk",
  "pi",
  "opencode",
  "gemini",
  "openai-agents",
] as const satisfies readonly FormatName[];

describe.each(FORMATS)("conversations without a name, in %s", (format) => {
  const talks = scripts({ reasoning: "none" }).map(
    (script) => new Talk(format, render(script, format).messages),
  );

  test("a restart at any request sends the same bytes, with the journal", () => {
    let edits = 0;
    fc.assert(
      fc.property(talks, (talk) => {
        const journal = new Journal();
        const pruner = createPruner(OPTIONS);
        const live = talk.ends.map((_, i) => talk.ask(pruner, journal, i));
        for (const [i, sent] of live.entries()) {
          const cold = journal.prune(createPruner(OPTIONS), talk.input(i), talk.request(i));
          expect(bytesOf(cold)).toBe(bytesOf(sent));
        }
        edits += live.at(-1)?.report.edits.length ?? 0;
      }),
      { numRuns: 8, ...ownSeed(`restart ${format}`) },
    );
    expect(edits).toBeGreaterThan(5);
  });

  test("a fork at any request sends the bytes of a new fold, and does not affect the conversation that it left", () => {
    fc.assert(
      fc.property(talks, (talk) => {
        const journal = new Journal();
        const pruner = createPruner(OPTIONS);
        const undisturbed = createPruner(OPTIONS);
        const journalOfIt = new Journal();
        for (const i of talk.ends.keys()) {
          expect(bytesOf(talk.ask(pruner, journal, i))).toBe(bytesOf(talk.ask(undisturbed, journalOfIt, i)));
          const fork = talk.fork(Math.floor(i / 2), `another way ${i}`);
          const last = fork.ends.length - 1;
          const forked = journal.prune(pruner, fork.input(last), fork.request(last));
          const cold = journal.prune(createPruner(OPTIONS), fork.input(last), fork.request(last));
          expect(bytesOf(forked)).toBe(bytesOf(cold));
        }
      }),
      { numRuns: 3, ...ownSeed(`fork ${format}`) },
    );
  });

  test("conversations that take turns send the same as each alone", () => {
    fc.assert(
      fc.property(
        fc.array(talks, { minLength: 2, maxLength: 3 }),
        fc.array(fc.nat(), { minLength: 5 }),
        (all, turns) => {
          const alone = all.map((talk) => {
            const pruner = createPruner(OPTIONS);
            const journal = new Journal();
            return talk.ends.map((_, i) => bytesOf(talk.ask(pruner, journal, i)));
          });
          const pruner = createPruner(OPTIONS);
          const journals = all.map(() => new Journal());
          const at = all.map(() => 0);
          for (let turn = 0; at.some((i, t) => i < (all[t]?.ends.length ?? 0)); turn++) {
            const t = ((turns[turn % turns.length] ?? 0) + turn) % all.length;
            const [talk, i = 0] = [all[t], at[t]];
            if (!talk || i >= talk.ends.length) continue;
            expect(bytesOf(talk.ask(pruner, journals[t] as Journal, i))).toBe(alone[t]?.[i]);
            at[t] = i + 1;
          }
        },
      ),
      { numRuns: 3, ...ownSeed(`in turn ${format}`) },
    );
  });
});

/** The number of parts that the passes saw: each exactly once if nothing was folded again. */
function countingPruner(): { readonly pruner: Pruner; readonly given: () => number } {
  let parts = 0;
  const counting = usePass({
    name: "counting",
    propose({ from, to }) {
      parts += to - from;
      return [];
    },
  });
  return { pruner: createPruner({ passes: [counting], ladder: [] }), given: () => parts };
}

describe("the conversation of a list of messages", () => {
  const beginning = () =>
    new Conversation("Look into it.")
      .call("read", { filePath: "a.ts" }, "one")
      .call("read", { filePath: "b.ts" }, "two");

  test("two subagents with the same beginning do not fold each other's messages again", () => {
    const { pruner, given } = countingPruner();
    const [a, b] = [beginning().say("you do this"), beginning().say("you do that")];
    const goOn = (command: string) => {
      for (const talk of [a, b]) pruner.prune(talk.call("bash", { command }, "ok").messages);
    };
    for (const talk of [a, b, a, b]) pruner.prune(talk.messages);
    // Up to here only their newest request differs, and it is undone and made again.
    goOn("ls");
    const before = given();
    for (let i = 0; i < 20; i++) goOn(`echo ${i}`);
    // A call and a result each time.
    expect(given() - before).toBe(20 * 2 * 2);
  });

  test("a session's name narrows the search, and the same list under another name is another conversation", () => {
    const { pruner, given } = countingPruner();
    const { messages } = beginning();
    pruner.prune(messages, { session: "a" });
    const once = given();
    pruner.prune(messages, { session: "a" });
    expect(given()).toBe(once);
    pruner.prune(messages, { session: "b" });
    expect(given()).toBe(2 * once);
  });

  test("a shorter start of the list, for a title or a summary, does not undo the conversation", () => {
    const { pruner, given } = countingPruner();
    const talk = beginning()
      .call("read", { filePath: "c.ts" }, "three")
      .call("read", { filePath: "d.ts" }, "four");
    pruner.prune(talk.messages);
    pruner.prune([...talk.messages.slice(0, 3), { role: "user", content: "Summarize." }]);
    const before = given();
    pruner.prune(talk.messages);
    expect(given()).toBe(before);
    talk.call("bash", { command: "ls" }, "a");
    pruner.prune(talk.messages);
    expect(given()).toBe(before + 2);
  });

  test("a cache mark that moves, and the block list that holds it, are not a change", () => {
    const { pruner, given } = countingPruner();
    const mark = { cache_control: { type: "ephemeral" } };
    const build = (marked: number) =>
      [0, 1, 2, 3, 4].slice(0, marked + 1).flatMap((i) => [
        {
          role: "user",
          content: i === marked ? [{ type: "text", text: `question ${i}`, ...mark }] : `question ${i}`,
        },
        ...(i < marked ? [{ role: "assistant", content: [{ type: "text", text: `answer ${i}` }] }] : []),
      ]);
    for (const marked of [0, 1, 2, 3, 4]) pruner.prune(build(marked), { format: "anthropic-messages" });
    expect(given()).toBe(9);
  });

  test("conversations stay in memory by the bytes of their text, not by their number", () => {
    const small = createPruner();
    for (let i = 0; i < 100; i++) small.prune([{ role: "user", content: "hello" }], { session: `s${i}` });
    expect(small.agentView("s0")).toBeDefined();
    const large = createPruner({ config: { keepBytes: 70_000 } });
    for (let i = 0; i < 4; i++)
      large.prune([{ role: "user", content: "x".repeat(20_000) }], { session: `s${i}` });
    expect([0, 1, 2, 3].map((i) => large.agentView(`s${i}`) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe("the response to a request", () => {
  const talk = () =>
    new Conversation()
      .call("read", { filePath: "a.ts" }, textOf(900))
      .call("read", { filePath: "b.ts" }, textOf(900, 1));

  test("a call finds its conversation, even if another one has replaced it since", () => {
    const pruner = createPruner({ agentTools: true });
    const ask = (topic: string) => {
      const messages = [
        { role: "system", content: "You help." },
        { role: "user", content: topic },
      ];
      return pruner.prune(messages).report.key;
    };
    const [a, b] = [ask("apples"), ask("pears")];
    pruner.answered({ request: a, calls: ["call_a"] });
    pruner.answered({ request: b, calls: ["call_b"] });
    const topicOf = (callId: string) =>
      pruner.agentView({ callId })?.facts.transcript.parts.at(-1)?.leaves[0]?.text;
    expect(topicOf("call_a")).toBe("apples");
    expect(topicOf("call_b")).toBe("pears");
    expect(pruner.agentView({ session: "s", callId: "call_a" })?.facts.transcript.length).toBe(2);
    expect(pruner.agentView({ session: "s", callId: "unknown" })).toBeUndefined();
  });

  test("a call of an earlier request shows the conversation as of that request", () => {
    const pruner = createPruner({ agentTools: true });
    const { messages } = talk().call("read", { filePath: "c.ts" }, textOf(900, 2));
    const keys = [1, 3, 5, 7].map(
      (end) => pruner.prune(messages.slice(0, end), { session: "s", model: MODEL }).report.key,
    );
    for (const [i, request] of keys.entries()) pruner.answered({ request, calls: [`made ${i}`] });
    const lengthOf = (callId: string) => pruner.agentView({ callId })?.facts.transcript.length ?? 0;
    const lengths = keys.map((_, i) => lengthOf(`made ${i}`));
    const alone = [1, 3, 5, 7].map((end) => {
      const other = createPruner({ agentTools: true });
      other.prune(messages.slice(0, end), { session: "s", model: MODEL });
      return other.agentView("s")?.facts.transcript.length;
    });
    expect(lengths).toEqual(alone);
    expect(new Set(lengths).size).toBe(4);
    // A retry with another input leaves the list behind the newest request.
    pruner.prune([...messages.slice(0, 5), { role: "user", content: "Stop." }], {
      session: "s",
      model: MODEL,
    });
    expect(keys.map((_, i) => lengthOf(`made ${i}`))).toEqual(alone);
  });

  test("usage counts as if the messages had it", () => {
    const usage = { input: 10, cacheRead: 12_000, cacheWrite: 300, output: 20 };
    const { messages } = talk();
    const run = (told: "answered" | "meta" | "not") => {
      const pruner = createPruner();
      const meta: { usage?: Usage }[] = [];
      const sums = [1, 3, 5].map((end) => {
        const { report } = pruner.prune(messages.slice(0, end), { model: MODEL, meta });
        if (told === "answered") pruner.answered({ request: report.key, usage });
        if (told === "meta") meta[end] = { usage };
        return report.pressure.used;
      });
      return sums;
    };
    expect(run("answered")).toEqual(run("meta"));
    expect(run("answered")).not.toEqual(run("not"));
  });

  test("usage that comes many requests late leads to the same bytes as a start with it", () => {
    const conversation = new Conversation();
    for (let i = 0; i < 12; i++)
      conversation.call("bash", { command: `npm run step-${i % 3}` }, textOf(4_000, i));
    const { messages } = conversation;
    const usage = { input: 10, cacheRead: 0, cacheWrite: 9_000, output: 20 };
    const late = messages.map((_, i) => (i === 1 || i === 3 || i === 5 ? { usage } : undefined));
    const known = createPruner(OPTIONS);
    for (let end = 1; end < messages.length; end += 2) known.prune(messages.slice(0, end), { model: MODEL });
    const without = known.prune(messages, { model: MODEL });
    const told = known.prune(messages, { model: MODEL, meta: late });
    const fresh = createPruner(OPTIONS).prune(messages, { model: MODEL, meta: late });
    expect(told.report.bill).not.toEqual(without.report.bill);
    expect(bytesOf(told)).toBe(bytesOf(fresh));
    expect(known.conversations()).toHaveLength(1);
  });

  test("usage that comes late with every request does not start each request over", () => {
    let calls = 0;
    const counting: Strategy = {
      name: "counting",
      propose: () => {
        calls++;
        return [];
      },
    };
    const pruner = createPruner({ passes: [usePass(counting)] });
    const conversation = new Conversation();
    const requests = 60;
    for (let i = 0; i < requests; i++) conversation.call("bash", { command: `${i}` }, textOf(50, i));
    const { messages } = conversation;
    for (let end = 1; end < messages.length; end += 2) {
      const meta = messages.map((_, i) =>
        i % 2 === 1 && i < end - 6
          ? { usage: { input: 10, cacheRead: i, cacheWrite: 9, output: 2 } }
          : undefined,
      );
      pruner.prune(messages.slice(0, end), { model: MODEL, meta: meta.slice(0, end) });
    }
    // Each request is decided again a few times, not all of them with each request.
    expect(calls).toBeLessThan(8 * requests);
  });

  test("a response to an unknown request is ignored", () => {
    const pruner = createPruner();
    pruner.answered({
      request: "nobody's",
      usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 0 },
      calls: ["c"],
    });
    expect(pruner.agentView({ callId: "c" })).toBeUndefined();
  });
});

describe("the fields of a request", () => {
  const stale = () =>
    new Conversation()
      .call("bash", { command: "git status" }, textOf(3_000))
      .call("read", { filePath: "b.ts" }, textOf(6_000, 1))
      .call("bash", { command: "git status" }, textOf(3_000));

  test("its own prefix fills the window", () => {
    const used = (request: PruneRequest) =>
      createPruner().prune(stale().messages, { model: MODEL, ...request }).report.pressure.used;
    expect(used({ prefixTokens: 30_000, overheadTokens: 500 }) - used({ prefixTokens: 10_000 })).toBe(20_500);
  });

  test("a prefix that differs from the last request's means a cold cache", () => {
    const { messages } = stale();
    const run = (prefixTokens: number) => {
      const pruner = createPruner({ config: { schedule: { ingestCap: null } } });
      for (const end of [1, 3, 5])
        pruner.prune(messages.slice(0, end), { model: MODEL, prefixTokens: 9_000 });
      return pruner.prune(messages, { model: MODEL, prefixTokens }).report.cut?.reason;
    };
    expect(run(9_000)).toBeUndefined();
    expect(run(9_001)).toBe("cold-cache");
  });

  test("a client's own question shows earlier cuts, cuts nothing new and has no tags", () => {
    const pruner = createPruner({
      agentTools: true,
      config: { schedule: { mode: "eager", ingestCap: null } },
    });
    const talk = stale();
    const sent = pruner.prune(talk.messages, { model: MODEL });
    expect(sent.report.edits.length).toBeGreaterThan(0);
    expect(JSON.stringify(sent.messages)).toContain("_hash>");
    const question = [
      ...talk.call("bash", { command: "git status" }, textOf(3_000)).messages,
      { role: "user", content: "Summarize." },
    ];
    const quiet = pruner.prune(question, { model: MODEL, quiet: true });
    expect(quiet.report.cut).toBeUndefined();
    expect(quiet.report.edits).toEqual(sent.report.edits);
    expect(JSON.stringify(quiet.messages)).not.toContain("_hash>");
    expect(quiet.messages.length).toBe(question.length);
    // The conversation continues as if there had been no question.
    const on = pruner.prune(talk.messages, { model: MODEL });
    const cold = createPruner({ agentTools: true, config: { schedule: { mode: "eager", ingestCap: null } } });
    expect(JSON.stringify(on.messages)).toBe(
      JSON.stringify(cold.prune(talk.messages, { model: MODEL }).messages),
    );
  });

  /** Messages of a custom format. */
  const own: Format<{ readonly who: string; readonly says: string }> = {
    name: "mine",
    detect: () => 0,
    decode: ({ who, says }) => ({
      role: who === "me" ? "user" : "assistant",
      parts: [
        {
          kind: "text",
          slot: "0",
          role: who === "me" ? "user" : "assistant",
          leaves: [{ id: "text", text: says }],
          ...(who === "it" && { opensStep: true as const }),
        },
      ],
    }),
    rewrite: (message, { leaves }) => ({ ...message, says: leaves.get("0")?.get("text") ?? message.says }),
    placeNote: (messages, text) => ({ messages: [...messages, { who: "me", says: text }], added: "message" }),
    validate: () => [],
  };
  const list = [
    { who: "me", says: "hello" },
    { who: "it", says: "hi" },
    { who: "me", says: `\`\`\`\n${textOf(4_000)}\n\`\`\`` },
  ];

  test.each<[string, PrunerOptions, PruneRequest]>([
    ["the options", { format: own as Format }, {}],
    ["the request", {}, { format: own as Format }],
  ])("a custom format, in %s", (_, options, request) => {
    const { report } = createPruner(options).prune(list, request);
    expect(report.issues.map(({ code }) => code)).not.toContain("unknown-format");
    expect(report).toMatchObject({ steps: 1 });
    expect(report.tokens.before).toBeGreaterThan(3_000);
  });

  test("a history that is mostly unreadable is reported", () => {
    const opaque = { type: "something_new", data: { text: textOf(3_000) } };
    const codes = (messages: readonly unknown[]) =>
      createPruner()
        .prune(messages, { format: "anthropic-messages" })
        .report.issues.map(({ code }) => code);
    expect(codes([{ role: "user", content: [opaque, { type: "text", text: "go on" }] }])).toContain(
      "mostly-opaque",
    );
    expect(codes([{ role: "user", content: [opaque, { type: "text", text: textOf(4_000) }] }])).not.toContain(
      "mostly-opaque",
    );
    expect(codes([{ role: "user", content: [{ type: "something_new" }] }])).not.toContain("mostly-opaque");
  });

  test("the tools that Codex sends among its messages do not count as unreadable", () => {
    const tools = [{ type: "namespace", name: "functions", tools: [{ name: "x", text: textOf(3_000) }] }];
    const issuesOf = (type: string) =>
      createPruner()
        .prune(
          [
            { type, role: "developer", tools },
            { type: "message", role: "user", content: "Go on." },
          ],
          {
            format: "openai-responses",
          },
        )
        .report.issues.filter(({ code }) => code === "mostly-opaque");
    expect(issuesOf("additional_tools")).toEqual([]);
    const [issue] = issuesOf("something_new");
    expect(issue?.message, "reported once, so it has no figures").not.toMatch(/\d/);
  });
});

describe("a journal that was out of reach", () => {
  const session = new Conversation();
  for (let i = 0; i < 12; i++) session.call("read", { filePath: `/f${i % 3}.ts` }, textOf(900, i % 3));
  const last = session.messages.length;
  /** Pauses after which the cache is cold; only the journal knows of them. */
  const timeAt = (count: number) => session.time + count * 400_000;
  const ask = { format: "openai-chat", model: "claude-sonnet-4-5", prefixTokens: 900 } as const;
  const config = { strategies: { pruneProtect: 500, pruneMinimum: 500 } };

  test("is read again for the assumed terms, and then the bytes are the same as from a pruner that always knew them", () => {
    const live = createPruner({ config });
    const rows: RequestRow[] = [];
    const sendTo = (pruner: Pruner, count: number) =>
      pruner.prune(session.messages.slice(0, count), { ...ask, at: timeAt(count) });
    for (let count = 1; count <= last; count += 2) {
      const { report } = sendTo(live, count);
      rows.push({ key: report.key, terms: report.terms });
    }
    const expected = JSON.stringify(sendTo(live, last).messages);
    const restarted = createPruner({ config });
    const half = sendTo(restarted, last - 2);
    expect(half.report.issues.map(({ code }) => code)).toContain("history-assumed");
    const opened = restarted.open(session.messages, { ...ask, at: timeAt(last) });
    expect(opened.missing).toEqual(expect.arrayContaining(rows.slice(0, 5).map(({ key }) => key)));
    restarted.learn(rows.filter(({ key }) => opened.missing.includes(key)));
    expect(JSON.stringify(opened.prune().messages)).toBe(expected);
    expect(restarted.open(session.messages, { ...ask, at: timeAt(last) }).missing).toEqual([]);
  });
});
