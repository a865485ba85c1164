import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PartKey } from "../../src/transcript/part.ts";
import { listPartRefs } from "../../src/transcript/refs.ts";
import { listMessages } from "./anthropic.ts";
import { as, bash, edit, info, prune, read, recall, refOf, resultOf, source } from "./ask.ts";
import type { Recorded } from "./model.ts";
import { openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* Features of only some projects, each in its own folder of one server. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage.close());

const SUPERSEDED = /^\[superseded: .*[0-9a-f]{6}\]$/m;
const DISCARDED = /^\[discarded: .*\]$/m;
const [[, OPENAI], [, ANTHROPIC]] = WIRES;

/** A session in its own project, in which cuts are made at once and only by the passes under test. */
async function openProject(
  name: string,
  model: string,
  settings: object = {},
  files: Record<string, string> = {},
  config?: object,
): Promise<Talk> {
  const coppice = {
    schedule: { mode: "eager" },
    strategies: { spent: { enabled: false } },
    pruneNotification: "detailed",
    ...settings,
  };
  const folder = stage.host.addProject(
    `${name}-${model.replace("/", "-")}`,
    {
      "a.ts": source("a"),
      "b.ts": source("b"),
      ...files,
      ".opencode/coppice.jsonc": JSON.stringify(coppice),
    },
    config,
  );
  return stage.talk(folder, model);
}

type State = { readonly output?: string; readonly time?: { readonly compacted?: number } };

/** OpenCode's stored data on each call. */
async function listCalls(talk: Talk): Promise<ReadonlyMap<unknown, State>> {
  const parts = (await talk.messages()).flatMap((message) => message.parts);
  return new Map(parts.map(({ callID, state }) => [callID, state as State]));
}

/** The ref of a call's result, shown or not. */
function refOfStored(call: string): string {
  return listPartRefs(`result:${call}#1` as PartKey)[0] ?? "";
}

describe("snapshots", () => {
  const tool = `export default {
    description: "Shows the page",
    args: {},
    execute: async () => Array.from({ length: 60 }, (_, i) => "- button " + i + " of the page at " + Math.random()).join("\\n"),
  };`;
  const snapshot = (name: string) => ({ name, input: {} });

  const own = { toolKinds: [{ names: ["look_around"], kind: "other", snapshot: "room" }] };
  it.each([
    ["browser_snapshot", OPENAI, {}],
    ["browser_snapshot", ANTHROPIC, {}],
    ["look_around", OPENAI, own],
  ])("of the same thing: of %s only the newest stays (%s)", async (name, model, settings) => {
    const talk = await openProject(name, model, settings, { [`.opencode/tool/${name}.js`]: tool });
    await talk.say("Look.", [
      { calls: [as("one", snapshot(name))] },
      { calls: [as("two", snapshot(name))] },
      { text: "Seen." },
    ]);
    const [before, after] = talk.steps.slice(-2);
    expect(resultOf(before, "one")).toContain("button 59");
    expect(resultOf(after, "one")).toMatch(SUPERSEDED);
    expect(resultOf(after, "one")).toMatch(/newer snapshot|call was made again/);
    expect(resultOf(after, "one")).not.toContain("button 5 ");
    expect(resultOf(after, "two")).toContain("button 59");
    expect(await talk.command("coppice", "stats")).toMatch(/This session\n {2}snapshot: 1 cut/);
  });
});

describe("results that OpenCode's own pruning cleared", () => {
  const CLEARED = "[Old tool result content cleared]";
  const names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];
  const long = (name: string) => bash(`seq -f '%g is a line of ${name}, which is rather a long text' 1 800`);

  it("is not cut again, and the rival is warned of", async () => {
    const talk = await openProject("rival", OPENAI, {}, {}, { compaction: { prune: true, auto: false } });
    await talk.say("Run.", [{ calls: names.map((name) => as(name, long(name))) }, { text: "Ran." }]);
    expect(await talk.command("coppice", "stats")).toContain("This session\n  cap: 8 cuts");
    await talk.say("Go on.", [{ text: "Going on." }]);
    const listCleared = async () => {
      const stored = await listCalls(talk);
      return names.filter((name) => stored.get(name)?.time?.compacted !== undefined);
    };
    await expect.poll(listCleared, { timeout: 20_000 }).toContain("c0");
    const cleared = await listCleared();
    expect(cleared.length).toBeLessThan(names.length);

    const ref = refOfStored("c0");
    await talk.say("Again.", [
      { calls: [as("again", long("c0")), as("cut", prune("discard", [[ref]]))] },
      { calls: [as("back", recall(ref, { lines: "1" }))] },
      { text: "Ran." },
    ]);
    const last = talk.steps.at(-1);
    for (const name of names)
      if (cleared.includes(name)) expect(resultOf(last, name)).toBe(CLEARED);
      else expect(resultOf(last, name)).toContain(`line of ${name}`);
    expect(resultOf(last, "cut")).toContain(
      `nothing changed\n- ${ref}: the host has cleared it already: read it with context_recall\nAvailable: `,
    );
    expect(resultOf(last, "back")).toContain("1 is a line of c0");
    const shown = await talk.command("coppice", "stats");
    expect(shown).toContain(`This session\n  cap: ${names.length - cleared.length + 1} cuts`);
    expect(shown.slice(0, shown.indexOf("In total"))).not.toMatch(/hash|discard/);

    expect(shown).toContain("compaction.prune");
    expect(stage.toasts).toContainEqual(
      expect.objectContaining({ variant: "warning", message: expect.stringContaining("compaction.prune") }),
    );
  });
});

describe("a part that is protected", () => {
  it.each(WIRES)("is refused to the agent, by the name of its protection, over %s", async (_, model) => {
    const talk = await openProject("protected", model, {}, { ".env": source("secret") });
    const change = edit("a.ts", "export const a0 = 0;", "export const a0 = 1;");
    await talk.say("Read.", [
      { calls: [as("env", read(".env")), as("b", read("b.ts"))] },
      { calls: [as("look", read("a.ts")), as("edit", change)] },
      { text: "Read." },
    ]);
    const [env, edited] = [refOfStored("env"), refOfStored("edit")];
    await talk.say("Cut.", [
      (request) => ({ calls: [as("cut", prune("discard", [[env], [edited], [refOf(request, "b")]]))] }),
      { calls: [as("cut2", prune("distill", [[env, "secrets"]]))] },
      { text: "No." },
    ]);
    const [answered, last] = talk.steps.slice(-2);
    expect(resultOf(answered, "cut")).toMatch(new RegExp(`^- ${env}: the file .*/\\.env is protected`, "m"));
    expect(resultOf(answered, "cut")).toContain(`- ${edited}: the tool edit is protected`);
    expect(resultOf(last, "cut2")).toMatch(/nothing changed\n.*the file .*\/\.env is protected/);
    expect(resultOf(last, "b"), "the rest of the batch").toMatch(DISCARDED);
    expect(resultOf(last, "env")).toContain("value 59 of secret");
    expect(resultOf(last, "edit")).toContain("applied successfully");
  });
});

describe("reasoning", () => {
  const thinking = (about: string) => ({
    reasoning: `I think about ${about}.`,
    signature: `signed-${about}`,
  });

  /** A loop with cuts before its newest thinking (`one`, `other`) and after it (`three`). */
  async function think(talk: Talk): Promise<Recorded | undefined> {
    await talk.say("Read.", [
      { ...thinking("one"), calls: [as("one", read("a.ts"))] },
      { ...thinking("two"), calls: [as("two", read("a.ts")), as("other", read("b.ts"))] },
      (request) => ({
        ...thinking("cut"),
        calls: [as("cut", prune("discard", [[refOf(request, "other")]]))],
      }),
      { ...thinking("end"), calls: [as("three", bash("seq 1 400"))] },
      { calls: [as("four", bash("seq 1 400"))] },
      { text: "Read." },
    ]);
    return talk.steps.at(-1);
  }

  it("that is bound to the text before it: nothing before it changes within the loop", async () => {
    const prices = { "*": { reasoning: "bound" } };
    const talk = await openProject("bound", ANTHROPIC, { schedule: { mode: "eager", prices } });
    const last = await think(talk);
    for (const [i, request] of talk.steps.entries()) {
      const now = listMessages(request);
      const before = listMessages(talk.steps[i - 1]);
      const newest = now.findLastIndex(({ content }) => content.some(({ type }) => type === "thinking"));
      expect(now.slice(0, Math.min(newest + 1, before.length)), `step ${i}`).toEqual(
        before.slice(0, newest + 1),
      );
    }
    for (const about of ["one", "two", "cut", "end"]) expect(last?.raw).toContain(`"signed-${about}"`);
    expect(resultOf(last, "one")).toContain("value 59 of a");
    expect(resultOf(last, "other")).toContain("value 59 of b");
    expect(resultOf(last, "cut")).toMatch(
      /^Saved: [\d,]+ tokens, from the next request on, or, if this step holds reasoning, when the window fills up: that is bound to it\.$/m,
    );
    expect(resultOf(last, "three"), "after the newest block").toMatch(SUPERSEDED);
  });

  it("that is only signed: the same loop is cut", async () => {
    const last = await think(await openProject("signed", ANTHROPIC));
    expect(resultOf(last, "one")).toMatch(SUPERSEDED);
    expect(resultOf(last, "other")).toMatch(DISCARDED);
    expect(resultOf(last, "cut")).toMatch(/^Saved: [\d,]+ tokens, from the next request on\.$/m);
    expect(resultOf(last, "three")).toMatch(SUPERSEDED);
  });
});

describe("context_info", () => {
  it.each([
    [10_000, "light: nothing to do"],
    [30_000, "moderate: prune old tool results"],
    [40_000, "high: write down what matters, then prune in batches"],
    [46_500, "critical: prune everything disposable"],
  ])("of a request that the provider counts as %i tokens", async (prompt, advice) => {
    const window = { window: 50_000 };
    const talk = await openProject(`pressure-${prompt}`, OPENAI, window, {}, { compaction: { auto: false } });
    await talk.say("Look.", [
      { calls: [as("a", read("a.ts"))], usage: { prompt } },
      // A single figure is not believed.
      { calls: [as("b", bash("true"))], usage: { prompt: prompt + 1_000 } },
      { calls: [as("info", info())] },
      { text: "Seen." },
    ]);
    const answer = resultOf(talk.steps.at(-1), "info");
    expect(answer).toMatch(
      new RegExp(`^Context: [\\d,]+ of 50,000 tokens \\(\\d+ %\\)\\. Pressure ${advice}\\.`),
    );
    expect(answer).toMatch(
      /^Prunable, largest first:\n {2}[0-9a-f]{6} ⚙️ read \S+a\.ts: [\d,]+ tokens, 2 steps ago$/m,
    );
    expect(answer).toContain("Keep always: open todos, files being edited, the user's requirements.");
  });

  it("suggests patterns that can be used unchanged", async () => {
    const talk = await openProject("suggestions", OPENAI);
    const trace = bash(
      'for i in $(seq 1 12); do echo "    at frame$i (/work/src/file$i.ts:$i:9)"; done; echo end',
    );
    await talk.say("Run.", [
      { calls: [as("run", trace)] },
      { calls: [as("info", info())] },
      { text: "Ran." },
    ]);
    const [, suggestion = "[]"] =
      /^ {2}(\[.*\]): stack trace, 12 lines, \d+ tokens in message/m.exec(
        resultOf(talk.steps.at(-1), "info"),
      ) ?? [];
    await talk.say("Cut.", [
      { calls: [as("cut", prune("replace", [JSON.parse(suggestion)]))] },
      { text: "Cut." },
    ]);
    expect(resultOf(talk.steps.at(-1), "cut")).toContain("「 ✂️ replace ✓ 」- ⚙️ bash");
    expect(resultOf(talk.steps.at(-1), "run")).toMatch(/^…\nend/);
  });
});

describe("context_recall", () => {
  it("returns a long text in pages that OpenCode does not cut", async () => {
    const talk = await openProject("pages", OPENAI, { schedule: { mode: "eager", ingestCap: null } });
    await talk.say("Run.", [{ calls: [as("run", bash("seq 1 1999"))] }, { text: "Ran." }]);
    const { output = "" } = (await listCalls(talk)).get("run") ?? {};
    const ref = refOf(talk.steps.at(-1), "run");
    let lines = "";
    await talk.say("Cut, and read again.", [
      { calls: [as("cut", prune("discard", [[ref]]))] },
      { calls: [as("page1", recall(ref))] },
      (request) => {
        lines =
          /\(more: context_recall with ref "[0-9a-f]{6}" and lines "([^"]+)"\)/.exec(
            resultOf(request, "page1"),
          )?.[1] ?? "";
        return { calls: [as("page2", recall(ref, { lines }))] };
      },
      { text: "Read." },
    ]);
    const stored = await listCalls(talk);
    const bodyOf = (id: string) =>
      /:\n([\s\S]*?)(?:\n\(more: .*\))?$/.exec(stored.get(id)?.output ?? "")?.[1] ?? "";
    expect(lines).toMatch(/^\d+-$/);
    expect(`${bodyOf("page1")}\n${bodyOf("page2")}`).toBe(output);
  });
});

describe("/coppice off", () => {
  it("is shown to an agent that still prunes", async () => {
    const talk = await openProject("off", OPENAI);
    await talk.say("Read.", [{ calls: [as("a", read("a.ts"))] }, { text: "Read." }]);
    const ref = refOf(talk.steps.at(-1), "a");
    await talk.command("coppice", "off");
    await talk.say("Cut.", [{ calls: [as("cut", prune("discard", [[ref]]))] }, { text: "Cut." }]);
    expect(resultOf(talk.steps.at(-1), "cut")).toContain(
      "nothing changed\n- The user turned pruning off in this session: continue without it\n",
    );
    await talk.command("coppice", "on");
    expect(resultOf(talk.steps.at(-1), "a")).toContain("value 59 of a");
  });
});

describe("/coppice shadow", () => {
  it.each(WIRES)(
    "changes nothing on %s and shows no toast of a cut; /coppice on does both again",
    async (_, model) => {
      const talk = await openProject("watched", model);
      const start = stage.toasts.length;
      const listCuts = () => stage.toasts.slice(start).filter(({ message }) => message.includes("▼"));
      await talk.command("coppice", "shadow");
      await talk.say("Read.", [
        { calls: [as("one", read("a.ts"))] },
        { calls: [as("two", read("a.ts"))] },
        { text: "Read." },
      ]);
      const stored = await listCalls(talk);
      for (const id of ["one", "two"]) expect(resultOf(talk.steps.at(-1), id)).toBe(stored.get(id)?.output);
      expect(await talk.command("coppice", "stats"), "what would be").toMatch(/file: 1 cut/);
      expect(listCuts()).toEqual([]);

      await talk.command("coppice", "on");
      expect(resultOf(talk.steps.at(-1), "one")).toMatch(SUPERSEDED);
      await talk.say("Again.", [{ calls: [as("three", read("a.ts"))] }, { text: "Read." }]);
      expect(resultOf(talk.steps.at(-1), "two")).toMatch(SUPERSEDED);
      await expect.poll(() => listCuts().length).toBe(1);
    },
  );
});
