import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { SessionRow } from "../../src/stores/store.ts";
import { as, bash, read, source, task } from "./ask.ts";
import type { StoredMessage } from "./harness.ts";
import { openStage, type Stage, type Talk } from "./stage.ts";

/* Requests are counted in the store that all hosts share, by the SQLite of OpenCode's own binary. */

const MODEL = "claude/claude-sonnet-4-5";
const SETTINGS = `{ "schedule": { "mode": "eager" } }`;
const FILES = {
  "src/a.ts": source("a"),
  "src/b.ts": source("b"),
  ".opencode/coppice.jsonc": SETTINGS,
};

let stage: Stage;
let data: string;
beforeAll(async () => {
  stage = await openStage({
    files: FILES,
    config: { compaction: { auto: false, prune: false, tail_turns: 1, preserve_recent_tokens: 2_000 } },
  });
  data = join(stage.host.home, ".local/share/coppice");
});
afterAll(() => stage.close());

async function rowOf(session: string, path = join(data, "journal.db")): Promise<SessionRow | undefined> {
  const store = await sqliteStore({ path });
  const rows = await store.listSessions();
  await store.close();
  return rows.find(({ id }) => id === session);
}

/** Turns end shortly before they are counted. */
const PATIENT = { timeout: 20_000 };

type Tokens = {
  readonly input: number;
  readonly output: number;
  readonly cache: { readonly read: number; readonly write: number };
};

/** OpenCode's own data on the session's answers. */
function usageIn(messages: readonly StoredMessage[]) {
  const sum = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  const answers = messages.filter(({ info }) => info.role === "assistant" && info.summary !== true);
  for (const { info } of answers) {
    const { input, output, cache } = info.tokens as Tokens;
    sum.input += input;
    sum.cacheRead += cache.read;
    sum.cacheWrite += cache.write;
    sum.output += output;
  }
  return sum;
}

async function work(talk: Talk): Promise<void> {
  await talk.say("Look around.", [
    { calls: [as("a1", read("src/a.ts"))] },
    { calls: [as("b1", bash("seq 1 700"))] },
    { calls: [as("a2", read("src/a.ts"))] },
    { calls: [as("b2", bash("seq 1 700"))] },
    { text: "Seen." },
  ]);
  await talk.say("Once more.", [{ calls: [as("b3", bash("seq 1 700"))] }, { text: "Done." }]);
}

describe("a session", () => {
  let talk: Talk;
  const dollarsSaved = (): number => {
    const { sessions } = JSON.parse(readFileSync(join(data, "statistics.json"), "utf8"));
    return sessions[talk.session].dollarsSaved;
  };

  it("has its requests in the store, each once, with sums as OpenCode and the statistics have them", async () => {
    talk = await stage.talk(undefined, MODEL);
    await work(talk);
    expect(stage.model.requests.some(({ kind }) => kind === "title")).toBe(true);
    await expect.poll(() => rowOf(talk.session), PATIENT).toMatchObject({ requests: 7 });
    const row = await rowOf(talk.session);
    expect(row).toMatchObject({
      client: "opencode",
      model: "claude-sonnet-4-5",
      folder: "project",
      requests: talk.steps.length,
      priced: 7,
      answered: 7,
      usage: usageIn(await talk.messages()),
    });
    expect(row?.usage?.output).toBeGreaterThan(0);
    expect(row?.cuts).toBeGreaterThan(0);
    expect(row?.tokensWith).toBeLessThan(row?.tokensWithout ?? 0);
    // The actual cost comes from the answers' usage. The statistics use the cache model alone.
    expect(row?.costWith).toBeGreaterThan(0);
    expect(row?.costWith).toBeCloseTo(row?.cost ?? 0, 9);
    expect(dollarsSaved()).not.toBe(0);
  });

  it("continues in another process, and nothing counts twice", async () => {
    const before = await rowOf(talk.session);
    await talk.during(
      () => stage.host.run(`Go on ${talk.tag}`, { session: talk.session }),
      [{ calls: [as("b4", bash("seq 1 700"))] }, { text: "Going on." }],
    );
    await expect.poll(() => rowOf(talk.session), PATIENT).toMatchObject({ requests: 9, answered: 9 });
    const row = await rowOf(talk.session);
    expect(row?.usage).toEqual(usageIn(await talk.messages()));
    // Only the cost of these two, not of the whole session again.
    expect((row?.costWithout ?? 0) - (before?.costWithout ?? 0)).toBeLessThan(before?.costWithout ?? 0);
    expect(row?.costWith).toBeCloseTo(row?.cost ?? 0, 9);
  });

  it("has neither OpenCode's summary nor a look at the statistics in it twice", async () => {
    await talk.command("coppice", "stats");
    await stage.server.summarize(talk.session, MODEL);
    await stage.server.idle(talk.session);
    await talk.say("After it.", [{ text: "Yes." }]);
    await expect.poll(() => rowOf(talk.session), PATIENT).toMatchObject({ requests: 11, answered: 11 });
    expect((await rowOf(talk.session))?.usage).toEqual(usageIn(await talk.messages()));
    expect(talk.steps.length).toBe(11);
  });

  it("counts a subagent separately", async () => {
    const other = await stage.talk(undefined, MODEL);
    await other.say("Ask another.", [
      { calls: [as("sub", task(`Look at b ${other.tag}`))] },
      { calls: [as("sub1", read("src/b.ts"))] },
      { text: "b is fine." },
      { text: "It is fine." },
    ]);
    await expect.poll(() => rowOf(other.session), PATIENT).toMatchObject({ requests: 2, answered: 2 });
    const sessions = (await stage.server.request("GET", `/session/${other.session}/children`)) as {
      readonly id: string;
    }[];
    expect(sessions.length).toBe(1);
    await expect
      .poll(() => rowOf(sessions[0]?.id ?? ""), PATIENT)
      .toMatchObject({ requests: 2, answered: 2, client: "opencode" });
  });

  it("does not count a request that was refused", async () => {
    const other = await stage.talk(undefined, MODEL);
    await other.say("Go.", [
      { calls: [as("x1", bash("seq 1 5"))] },
      { fail: { status: 400, message: "no" } },
    ]);
    await expect.poll(() => rowOf(other.session), PATIENT).toMatchObject({ requests: 1, answered: 1 });
    await other.say("Again.", [{ text: "Yes." }]);
    await expect.poll(() => rowOf(other.session), PATIENT).toMatchObject({ requests: 2, answered: 2 });
    expect((await rowOf(other.session))?.usage).toEqual(usageIn(await other.messages()));
  });
});

it("counts in a file that the project names, or nowhere", async () => {
  const open = async (name: string, store: string) => {
    const settings = `{ "schedule": { "mode": "eager" }, "statistics": { "store": ${store} } }`;
    const folder = stage.host.addProject(name, { ...FILES, ".opencode/coppice.jsonc": settings });
    return { folder, talk: await stage.talk(folder, MODEL) };
  };
  const named = await open("named", '"sums/own.db"');
  await work(named.talk);
  const path = join(named.folder, "sums/own.db");
  await expect.poll(() => existsSync(path), PATIENT).toBe(true);
  await expect.poll(() => rowOf(named.talk.session, path), PATIENT).toMatchObject({ requests: 7 });
  const none = await open("none", "false");
  await work(none.talk);
  for (const { talk } of [named, none]) expect(await rowOf(talk.session)).toBeUndefined();
});

it("if the data folder is broken, the agent continues as usual, and the user is told once", async () => {
  const broken = await openStage({ files: FILES, homeFiles: { ".local/share/coppice": "no folder" } });
  try {
    const sound = await stage.talk(undefined, MODEL);
    await work(sound);
    const talk = await broken.talk(undefined, MODEL);
    await work(talk);
    await work(await broken.talk(undefined, MODEL));
    const sent = ({ steps }: Talk, { host }: Stage) =>
      steps.map(({ raw }) => raw.replaceAll(/\[talk \d+\]/g, "[talk]").replaceAll(dirname(host.home), ""));
    expect(sent(talk, broken)).toEqual(sent(sound, stage));
    const told = ({ toasts }: Stage) => toasts.filter(({ message }) => message.includes("journal.db"));
    await expect.poll(() => told(broken), PATIENT).toHaveLength(1);
    expect(told(broken)[0]).toMatchObject({
      variant: "warning",
      message: expect.stringContaining("can't be opened"),
    });
    expect(told(stage)).toEqual([]);
    expect(readFileSync(join(broken.host.home, ".local/share/coppice"), "utf8")).toBe("no folder");
  } finally {
    await broken.close();
  }
});
