import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listMessages } from "./anthropic.ts";
import { as, bash, prune, read, recall, refOf, resultOf, source, task } from "./ask.ts";
import { textOf } from "./model.ts";
import { type Line, openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/*
 * State depends only on the session's own messages: it follows them through restarts, forks, undo and compaction.
 */

let stage: Stage;

beforeAll(async () => {
  const names = ["a", "b", "c", "d", "e"];
  stage = await openStage({
    files: {
      ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, source(name)])),
      // cuts are made at once and by nobody else, so that each is visible
      ".opencode/coppice.jsonc": `{ "schedule": { "mode": "eager" }, "strategies": { "spent": { "enabled": false } } }`,
    },
    config: { compaction: { auto: false, prune: false, tail_turns: 2, preserve_recent_tokens: 8_000 } },
  });
});

afterAll(() => stage.close());

const GONE = /^\[discarded: .*\]$/m;

/** A session in which the agent has read two files and discarded the first. */
async function openPruned(model: string): Promise<Talk> {
  const talk = await stage.talk(undefined, model);
  await talk.say("Look around.", [
    { reasoning: "The first one.", calls: [as("first", read("src/a.ts"))] },
    { reasoning: "The other one.", calls: [as("second", read("src/b.ts"))] },
    cut("cut", "first"),
    { text: "Seen." },
  ]);
  expect(resultOf(talk.steps.at(-1), "first")).toMatch(GONE);
  return talk;
}

/** Discards a call's result. */
const cut =
  (id: string, target: string): Line =>
  (request) => ({ reasoning: "It can go.", calls: [as(id, prune("discard", [[refOf(request, target)]]))] });

const sentIn = (talk: Talk) => listMessages(talk.steps.at(-1));

/** The newest request begins with all messages of an earlier one. */
function expectStart(talk: Talk, before: ReturnType<typeof listMessages>): void {
  expect(before.length).toBeGreaterThan(0);
  expect(sentIn(talk).slice(0, before.length)).toEqual(before);
}

describe.each(WIRES)("over %s", (wire, model) => {
  it("continues under `run --continue`, in its own process", async () => {
    const talk = await openPruned(model);
    const before = sentIn(talk);
    if (wire === "anthropic") expect(JSON.stringify(before)).toContain('"signature"');
    await talk.during(
      () => stage.host.run(`Go on ${talk.tag}`, { continue: true }),
      [{ reasoning: "One more.", calls: [as("third", read("src/c.ts"))] }, { text: "Going on." }],
    );
    expect(talk.steps.at(-1)?.body.model).toBe(model.replace(/.*\//, ""));
    expectStart(talk, before);
  });

  it("keeps its cuts in a fork, and the fork's own cuts stay there", async () => {
    const talk = await openPruned(model);
    const fork = stage.resume(await stage.server.fork(talk.session), model);
    await fork.say("Another way.", [cut("cut2", "second"), { text: "Done." }]);
    expect(resultOf(fork.steps.at(-1), "first")).toBe(resultOf(talk.steps.at(-1), "first"));
    expect(resultOf(fork.steps.at(-1), "second")).toMatch(GONE);
    const before = sentIn(talk);
    await talk.say("And here?", [{ text: "Here too." }]);
    expect(resultOf(talk.steps.at(-1), "second")).toContain("value 59 of b");
    expectStart(talk, before);
  });

  it("loses a cut with the message that is undone, and has it again after a redo", async () => {
    const talk = await openPruned(model);
    const before = sentIn(talk);
    await talk.say("Cut the other one too.", [cut("cut2", "second"), { text: "Done." }]);
    expect(resultOf(talk.steps.at(-1), "second")).toMatch(GONE);
    const done = sentIn(talk);
    // The result without undo and redo: in a copy of the session that has had neither.
    const twin = stage.resume(await stage.server.fork(talk.session), model);
    const undone = (await talk.messages()).findLast(({ info }) => info.role === "user");
    await stage.server.revert(talk.session, undone?.info.id ?? "");
    await stage.server.unrevert(talk.session);
    const goOn: readonly Line[] = [
      { calls: [as("third", read("src/c.ts"))] },
      cut("cut3", "third"),
      { text: "Yes." },
    ];
    await talk.say("Redone.", goOn);
    await twin.say("Redone.", goOn);
    const bytes = ({ steps }: Talk) => steps.slice(-3).map((step) => JSON.stringify(listMessages(step)));
    expect(bytes(talk).map(withoutSerial)).toEqual(
      bytes(twin).map((text) => withoutSerial(text.replaceAll(twin.tag, talk.tag))),
    );
    expect(listMessages(talk.steps.at(-3)).slice(0, done.length)).toEqual(done);

    await stage.server.revert(talk.session, undone?.info.id ?? "");
    await talk.say("Undone.", [{ text: "Yes." }]);
    expect(resultOf(talk.steps.at(-1), "second")).toContain("value 59 of b");
    expectStart(talk, before);
  });

  it("is its own, when two run at once in one server", async () => {
    const [one, other] = await Promise.all([stage.talk(undefined, model), stage.talk(undefined, model)]);
    const script = (name: string, target: string): readonly Line[] => [
      { calls: [as(`${name}1`, read("src/a.ts"))] },
      { calls: [as(`${name}2`, read("src/b.ts"))] },
      cut(`${name}Cut`, target),
      { text: "Done." },
    ];
    await Promise.all([
      one.say("One.", script("one", "one1")),
      other.say("Other.", script("other", "other2")),
    ]);
    expect(resultOf(one.steps.at(-1), "one1")).toMatch(GONE);
    expect(resultOf(one.steps.at(-1), "one2")).toContain("value 59 of b");
    expect(resultOf(other.steps.at(-1), "other1")).toContain("value 59 of a");
    expect(resultOf(other.steps.at(-1), "other2")).toMatch(GONE);
  });

  it("has subagents that are pruned by themselves", async () => {
    const talk = await stage.talk(undefined, model);
    await talk.say("Ask another.", [
      { calls: [as("mine", read("src/a.ts"))] },
      { calls: [as("sub", task(`Look at d ${talk.tag}`))] },
      { calls: [as("sub1", read("src/d.ts"))] },
      cut("subCut", "sub1"),
      { text: "d is fine." },
      { text: "It is fine." },
    ]);
    const [inside, outside] = talk.steps.slice(-2);
    expect(inside?.wire).toBe(outside?.wire);
    expect(resultOf(inside, "sub1")).toMatch(GONE);
    expect(() => resultOf(inside, "mine")).toThrow();
    expect(resultOf(outside, "mine")).toContain("value 59 of a");
    expect(resultOf(outside, "sub")).toContain("d is fine");
  });

  it("survives OpenCode's own compaction, which gets the agent's remaining text, without tags and notes", async () => {
    const talk = await openPruned(model);
    await talk.say("Read on.", [
      { calls: [as("third", read("src/c.ts"))] },
      { calls: [as("fourth", read("src/d.ts"))] },
      cut("cut3", "third"),
      { calls: [as("long", bash("seq 1 900"))] },
      { text: "Read." },
    ]);
    await talk.command("coppice", "context");
    const kept = talk.steps.at(-1);
    const start = stage.model.requests.length;
    await stage.server.summarize(talk.session, model);
    await stage.server.idle(talk.session);
    const summary = stage.model.requests.slice(start).find(({ kind }) => kind === "summary");
    expect(summary?.wire).toBe(kept?.wire);
    const asked = summary?.body.messages.map(textOf).join("\n") ?? "";
    expect(asked.match(/\[discarded: read/g), "once, not once more").toHaveLength(1);
    expect(asked).not.toContain("value 3 of a");
    expect(asked).not.toMatch(/_hash>|Open todos|context_recall/);

    // Only a part of the session was summarised: its data still covers the whole.
    expect(await talk.command("coppice", `explain ${refOf(kept, "fourth")}`)).toContain("it is whole");
    const texts = talk.steps.at(-1)?.body.messages.map(textOf).join("\n") ?? "";
    expect(texts).toContain("the work so far");
    expect(() => resultOf(talk.steps.at(-1), "first"), "summarised").toThrow();
    for (const id of ["third", "fourth", "long"])
      expect(resultOf(talk.steps.at(-1), id), "as it was").toBe(resultOf(kept, id));

    const gone = /[0-9a-f]{6}(?=\])/.exec(asked.slice(asked.indexOf("[discarded: read")))?.[0] ?? "";
    await talk.say("What was it?", [
      { calls: [as("fifth", read("src/e.ts"))] },
      cut("cut5", "fifth"),
      { calls: [as("back", recall(gone, { search: "value 33" }))] },
      { text: "That." },
    ]);
    expect(await talk.command("coppice", "stats"), "before and after").toMatch(
      /^This session(\n {2}.*)*\n {2}discard: 3 cuts/m,
    );
    expect(resultOf(talk.steps.at(-1), "fifth")).toMatch(GONE);
    expect(resultOf(talk.steps.at(-1), "back"), "from OpenCode's storage").toContain("value 33 of a");
  });
});

/** Signatures and ids that the scripted model numbers by its requests. */
const withoutSerial = (text: string): string => text.replaceAll(/signature-\d+/g, "signature");

describe("/coppice off", () => {
  it("applies after a compaction that has removed its message, also in a new process", async () => {
    const talk = await openPruned("m");
    await talk.command("coppice", "off");
    for (const name of ["c", "d"])
      await talk.say("Read.", [{ calls: [as(name, read(`src/${name}.ts`))] }, { text: "Read." }]);
    await stage.server.summarize(talk.session);
    await stage.server.idle(talk.session);
    const expectOff = async () => {
      await talk.say("Go on.", [{ text: "Going on." }]);
      expect(JSON.stringify(sentIn(talk).slice(1))).not.toContain("The user ran");
      expect(resultOf(talk.steps.at(-1), "c")).not.toContain("_hash>");
    };
    await expectOff();
    await stage.restart();
    await expectOff();
    await talk.command("coppice", "on");
    expect(resultOf(talk.steps.at(-1), "c")).toContain("_hash>");
  });
});

describe("a restart", () => {
  it("leaves every session unchanged", async () => {
    const talks = [];
    for (const [, model] of WIRES) talks.push(await openPruned(model));
    const before = talks.map(sentIn);
    await stage.restart();
    for (const [i, talk] of talks.entries()) {
      await talk.say("Go on.", [{ text: "Going on." }]);
      expectStart(talk, before[i] ?? []);
    }
  });
});

describe("on disk", () => {
  it("stores only figures about prunes", () => {
    const file = join(stage.host.home, ".local/share/coppice/statistics.json");
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, "utf8");
    expect(text).not.toMatch(/src\/|value \d|discarded/);
    const { sessions } = JSON.parse(text) as {
      sessions: Record<string, { cuts: { discard?: { cuts: number } } }>;
    };
    expect(Object.values(sessions).some(({ cuts }) => (cuts.discard?.cuts ?? 0) > 0)).toBe(true);
  });
});
