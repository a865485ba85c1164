import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listMessages } from "./anthropic.ts";
import { as, bash, prune, read, recall, refOf, resultOf, source, task } from "./ask.ts";
import type { PromptOptions } from "./harness.ts";
import { textOf } from "./model.ts";
import { type Line, openStage, type Stage } from "./stage.ts";

/* State is what the session's own messages say: it follows them through restarts, forks, undo and compaction. */

let stage: Stage;

beforeAll(async () => {
  const names = ["a", "b", "c", "d"];
  stage = await openStage({
    files: {
      ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, source(name)])),
      // cuts are made at once and nobody else cuts, so that each can be seen
      ".opencode/coppice.jsonc": `{ "schedule": { "mode": "eager" }, "strategies": { "spent": { "enabled": false } } }`,
    },
    config: { compaction: { auto: false, prune: false, preserve_recent_tokens: 2_000 } },
  });
});

afterAll(() => stage.close());

const GONE = /^\[discarded: .*\]$/m;

/** A session in which the agent has read two files and discarded the first. */
async function openPruned(options: PromptOptions = {}) {
  const talk = await stage.talk();
  const lines: readonly Line[] = [
    { reasoning: "The first one.", calls: [as("first", read("src/a.ts"))] },
    { reasoning: "The other one.", calls: [as("second", read("src/b.ts"))] },
    (request) => ({ calls: [as("cut", prune("discard", [[refOf(request, "first")]]))] }),
    { text: "Seen." },
  ];
  await talk.say("Look around.", lines, options);
  expect(resultOf(talk.steps.at(-1), "first")).toMatch(GONE);
  return talk;
}

describe("a session", () => {
  it("is pruned after a restart as it was before", async () => {
    const talk = await openPruned();
    const before = talk.steps.at(-1)?.body.messages ?? [];
    await stage.restart();
    await talk.say("Go on.", [{ text: "Going on." }]);
    const after = talk.steps.at(-1)?.body.messages ?? [];
    expect(after.slice(0, before.length)).toEqual(before);
  });

  it("goes on under `run --continue`, in a process of its own", async () => {
    const talk = await openPruned();
    const before = talk.steps.at(-1)?.body.messages ?? [];
    await talk.during(
      () => stage.host.run(`Go on ${talk.tag}`, { session: talk.session }),
      [{ calls: [as("third", read("src/c.ts"))] }, { text: "Going on." }],
    );
    const after = talk.steps.at(-1)?.body.messages ?? [];
    expect(after.slice(0, before.length)).toEqual(before);
  });

  it("keeps its cuts in a fork, and the fork's own cuts stay there", async () => {
    const talk = await openPruned();
    const fork = stage.resume(await stage.server.fork(talk.session));
    await fork.say("Another way.", [
      (request) => ({ calls: [as("cut2", prune("discard", [[refOf(request, "second")]]))] }),
      { text: "Done." },
    ]);
    expect(resultOf(fork.steps.at(-1), "first")).toBe(resultOf(talk.steps.at(-1), "first"));
    expect(resultOf(fork.steps.at(-1), "second")).toMatch(GONE);
    await talk.say("And here?", [{ text: "Here too." }]);
    expect(resultOf(talk.steps.at(-1), "second")).toContain("value 59 of b");
  });

  it("loses a cut with the message that is undone, and has it again when that is taken back", async () => {
    const talk = await openPruned();
    await talk.say("Cut the other one too.", [
      (request) => ({ calls: [as("cut2", prune("discard", [[refOf(request, "second")]]))] }),
      { text: "Done." },
    ]);
    expect(resultOf(talk.steps.at(-1), "second")).toMatch(GONE);
    const undone = (await talk.messages()).findLast(({ info }) => info.role === "user");
    await stage.server.revert(talk.session, undone?.info.id ?? "");
    await stage.server.unrevert(talk.session);
    await talk.say("Redone.", [{ text: "Yes." }]);
    expect(resultOf(talk.steps.at(-1), "second")).toMatch(GONE);

    await stage.server.revert(talk.session, undone?.info.id ?? "");
    await talk.say("Undone.", [{ text: "Yes." }]);
    expect(resultOf(talk.steps.at(-1), "second")).toContain("value 59 of b");
    expect(resultOf(talk.steps.at(-1), "first")).toMatch(GONE);
  });

  it("is its own, when two run at once in one server", async () => {
    const [one, other] = await Promise.all([stage.talk(), stage.talk()]);
    const script = (name: string) => [
      { calls: [as(`${name}1`, read("src/a.ts"))] },
      { calls: [as(`${name}2`, read("src/b.ts"))] },
    ];
    await Promise.all([
      one.say("One.", [
        ...script("one"),
        (request) => ({ calls: [as("oneCut", prune("discard", [[refOf(request, "one1")]]))] }),
        { text: "Done." },
      ]),
      other.say("Other.", [
        ...script("other"),
        (request) => ({ calls: [as("otherCut", prune("discard", [[refOf(request, "other2")]]))] }),
        { text: "Done." },
      ]),
    ]);
    expect(resultOf(one.steps.at(-1), "one1")).toMatch(GONE);
    expect(resultOf(one.steps.at(-1), "one2")).toContain("value 59 of b");
    expect(resultOf(other.steps.at(-1), "other1")).toContain("value 59 of a");
    expect(resultOf(other.steps.at(-1), "other2")).toMatch(GONE);
  });

  it("has subagents that are pruned by themselves", async () => {
    const talk = await stage.talk();
    await talk.say("Ask another.", [
      { calls: [as("mine", read("src/a.ts"))] },
      { calls: [as("sub", task(`Look at d ${talk.tag}`))] },
      { calls: [as("sub1", read("src/d.ts"))] },
      (request) => ({ calls: [as("subCut", prune("discard", [[refOf(request, "sub1")]]))] }),
      { text: "d is fine." },
      { text: "It is fine." },
    ]);
    const [inside, outside] = talk.steps.slice(-2);
    expect(resultOf(inside, "sub1")).toMatch(GONE);
    expect(() => resultOf(inside, "mine")).toThrow();
    expect(resultOf(outside, "mine")).toContain("value 59 of a");
    expect(resultOf(outside, "sub")).toContain("d is fine");
  });
});

describe("over Anthropic's wire, with signed thinking", () => {
  it("a session follows its messages as well: restart, --continue, fork, undo", async () => {
    const claude = { model: "claude/claude-sonnet-4-5" };
    const talk = await openPruned(claude);
    const cutSecond: readonly Line[] = [
      (request) => ({
        reasoning: "That one too.",
        calls: [as("cut2", prune("discard", [[refOf(request, "second")]]))],
      }),
      { text: "Done." },
    ];
    const now = () => talk.steps.at(-1);
    const before = listMessages(now());
    expect(JSON.stringify(before)).toContain('"signature"');
    const expectSameStart = () => expect(listMessages(now()).slice(0, before.length)).toEqual(before);

    await stage.restart();
    await talk.say("Go on.", [{ text: "Going on." }], claude);
    expectSameStart();
    await talk.during(
      () => stage.host.run(`Go on ${talk.tag}`, { continue: true }),
      [{ reasoning: "One more.", calls: [as("third", read("src/c.ts"))] }, { text: "Going on." }],
    );
    expect(now()?.wire).toBe("anthropic");
    expectSameStart();

    const fork = stage.resume(await stage.server.fork(talk.session));
    await fork.say("Another way.", cutSecond, claude);
    expect(resultOf(fork.steps.at(-1), "first")).toBe(resultOf(now(), "first"));
    expect(resultOf(fork.steps.at(-1), "second")).toMatch(GONE);
    await talk.say("And here?", [{ text: "Here too." }], claude);
    expectSameStart();

    await talk.say("Cut the other one too.", cutSecond, claude);
    expect(resultOf(now(), "second")).toMatch(GONE);
    const undone = (await talk.messages()).findLast(({ info }) => info.role === "user");
    await stage.server.revert(talk.session, undone?.info.id ?? "");
    await talk.say("Undone.", [{ text: "Yes." }], claude);
    expectSameStart();
  });
});

describe("OpenCode's own compaction", () => {
  it("is given what the agent kept, without tags, and forgets nothing of the session", async () => {
    const talk = await openPruned();
    await talk.say("Read on.", [
      { calls: [as("third", read("src/c.ts"))] },
      { calls: [as("fourth", bash("seq 1 900"))] },
      { text: "Read." },
    ]);
    const before = stage.model.requests.length;
    await stage.server.summarize(talk.session);
    await stage.server.idle(talk.session);
    const summary = stage.model.requests.slice(before).find(({ kind }) => kind === "summary");
    const asked = summary?.body.messages.map(textOf).join("\n") ?? "";
    expect(asked).toContain("[discarded: read");
    expect(asked).not.toContain("value 3 of a");
    expect(asked).not.toContain("_hash>");

    await talk.during(
      () => stage.server.prompt(talk.session, "After it."),
      [{ calls: [as("fifth", read("src/d.ts"))] }, { text: "Fine." }],
    );
    const texts = talk.steps.at(-1)?.body.messages.map(textOf).join("\n") ?? "";
    expect(texts).toContain("the work so far");
    expect(refOf(talk.steps.at(-1), "fifth")).toMatch(/^[0-9a-f]{6}$/);

    const cut = /[0-9a-f]{6}(?=\])/.exec(asked.slice(asked.indexOf("[discarded: read")))?.[0] ?? "";
    await talk.during(
      () => stage.server.prompt(talk.session, "What was it?"),
      [{ calls: [as("back", recall(cut, { search: "value 33" }))] }, { text: "That." }],
    );
    expect(resultOf(talk.steps.at(-1), "back"), "from OpenCode's storage").toContain("value 33 of a");
  });
});

describe("on disk", () => {
  it("nothing about prunes is kept but figures", () => {
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
