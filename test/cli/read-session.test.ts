import { join } from "node:path";
import { expect, it } from "vitest";
import { nameStored } from "../../src/cli/opencode-database.ts";
import { readSession } from "../../src/cli/read-session.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { paidSession } from "../analysis/paid-session.ts";
import { mustRead } from "../recordings/parse.ts";
import { makeOpencodeDatabase } from "./opencode-database.ts";
import { opencodeMessages } from "./sessions.ts";
import { useFolder } from "./use-folder.ts";

const folder = useFolder("coppice-read-");

it("counts the cost of subagents with their session, once", async () => {
  const times = ["2026-11-17T12:00:00Z", "2026-11-17T12:01:00Z"];
  const alone = folder.write("alone/s1.jsonl", paidSession(times));
  const file = folder.write("p/s1.jsonl", paidSession(times));
  const agent = paidSession(["2026-11-17T12:00:30Z"]).replaceAll('"type"', '"isSidechain":true,"type"');
  folder.write("p/s1/subagents/agent-a1.jsonl", agent);
  folder.write("p/agent-a2.jsonl", agent);
  const paid = async (path: string) => prepareReplay(mustRead(await readSession(path))).book.paid;
  const [one, all] = [await paid(alone), await paid(file)];
  expect(one.requests).toBe(2);
  expect(all.requests).toBe(4);
  expect(all.dollars).toBeCloseTo(2 * one.dollars, 10);
});

it("reads a session in OpenCode's database, and reports a missing one", async () => {
  const file = join(folder.path, "opencode.db");
  await makeOpencodeDatabase(file, [
    { id: "ses_1", messages: opencodeMessages },
    { id: "ses_2", parent: "ses_1", messages: opencodeMessages.slice(0, 1) },
  ]);
  const recording = mustRead(await readSession(nameStored(file, "ses_1")));
  expect(recording).toMatchObject({ source: "opencode", session: "ses_1", project: "/work/shop" });
  expect(recording.segments[0]?.messages).toHaveLength(opencodeMessages.length);
  expect(await readSession(nameStored(file, "ses_9"))).toMatchObject({
    ok: false,
    issue: {
      code: "unreadable-input",
      where: nameStored(file, "ses_9"),
      message: "the session does not exist",
    },
  });
});
