import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSessions } from "../../src/cli/find-sessions.ts";
import { listStored, nameStored } from "../../src/cli/opencode-database.ts";
import { readSession } from "../../src/cli/read-session.ts";
import { parseOpencode } from "../../src/recordings/opencode.ts";
import { mustRead } from "../../test/recordings/parse.ts";
import { as, read, source } from "./ask.ts";
import { openStage, type Stage, type Talk } from "./stage.ts";

/* OpenCode's database, read while OpenCode has it open, equals the output of `opencode export` for each session. */

const MODEL = "claude/claude-sonnet-4-5";
let stage: Stage;
let talk: Talk;
let other: Talk;
let file = "";

beforeAll(async () => {
  stage = await openStage({
    files: { "src/a.ts": source("a"), "src/b.ts": source("b") },
    plugins: [],
    config: { compaction: { auto: false, prune: false, tail_turns: 1, preserve_recent_tokens: 2_000 } },
  });
  file = join(stage.host.home, ".local/share/opencode/opencode.db");
  talk = await stage.talk();
  const look = { reasoning: "Let me look.", text: "I look.", calls: [as("a", read("src/a.ts"))] };
  await talk.say("Look around, “naïve” 🌳.", [look, { text: "Seen." }], { model: MODEL });
  await stage.server.summarize(talk.session, MODEL);
  await talk.say("And b?", [{ calls: [as("b", read("src/b.ts"))] }, { text: "Seen too." }], { model: MODEL });
  other = await stage.talk();
  const task = {
    name: "task",
    id: "t",
    input: { description: "look", prompt: `Look at a. ${other.tag}`, subagent_type: "general" },
  };
  await other.say("Let another look.", [{ calls: [task] }, { text: "It is fine." }, { text: "Fine." }], {
    model: MODEL,
  });
});
afterAll(() => stage.close());

it("has every session, each as exported", async () => {
  const stored = await listStored(file);
  const sessions = stored.ok ? stored.value : [];
  expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining([talk.session, other.session]));
  const own = await Promise.all(
    sessions.map(({ id }) => readSession(nameStored(file, id), { subagents: [] })),
  );
  for (const [i, { id }] of sessions.entries()) {
    const exported = JSON.stringify(await stage.host.exportSession(id));
    expect(own[i]).toEqual(parseOpencode(exported, nameStored(file, id)));
  }
  const recording = own[sessions.findIndex(({ id }) => id === talk.session)];
  expect(recording?.ok && recording.value.segments.length).toBe(2);
});

it("adds a subagent's session to the one that started it", async () => {
  const { files, issues } = await findSessions([file], false);
  expect(issues).toEqual([]);
  const paths = [talk.session, other.session].map((session) => nameStored(file, session));
  expect(files.map(({ path }) => path).sort()).toEqual(paths.sort());
  const found = files.find(({ path }) => path === nameStored(file, other.session));
  expect(found?.subagents).toHaveLength(1);
  const recording = mustRead(await readSession(nameStored(file, other.session)));
  expect(recording.asides.filter(({ kind }) => kind === "subagent")).toMatchObject([
    { model: "claude-sonnet-4-5" },
  ]);
});

it("knows when a session has changed", async () => {
  const stampOf = async () => {
    const { files } = await findSessions([nameStored(file, talk.session)], true);
    return files.map(({ stamp }) => stamp);
  };
  const before = await stampOf();
  expect(before).toHaveLength(1);
  expect(await stampOf()).toEqual(before);
  await talk.say("Again.", [{ text: "Still fine." }], { model: MODEL });
  expect(await stampOf()).not.toEqual(before);
});
