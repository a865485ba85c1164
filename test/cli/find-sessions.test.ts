import { utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findSessions, findSubagents } from "../../src/cli/find-sessions.ts";
import { makeOpencodeDatabase } from "./opencode-database.ts";
import { useFolder } from "./use-folder.ts";

const folder = useFolder("coppice-find-");
const line = (session: string): string => `{"type":"user","isSidechain":true,"sessionId":"${session}"}\n`;
const grouped = async (paths: readonly string[], named = false) => {
  const { files } = await findSessions(paths, named);
  return Object.fromEntries(
    files.map(({ path, subagents = [] }) => [
      path.slice(folder.path.length + 1),
      subagents.map((each) => each.slice(folder.path.length + 1)),
    ]),
  );
};

describe("files of subagents", () => {
  beforeEach(() => {
    folder.write("p/s1.jsonl", "{}");
    folder.write("p/s1/subagents/agent-a1.jsonl", line("s1"));
    folder.write("p/s2.jsonl", "{}");
    folder.write("p/agent-b1.jsonl", line("s2"));
    folder.write("p/agent-b2.jsonl", line("s2"));
    folder.write("p/agent-c1.jsonl", line("gone"));
    folder.write("p/agent-d1.jsonl", "no JSON");
  });

  it("belong to the session that started them, and stay separate if it is missing", async () => {
    expect(await grouped([folder.path])).toEqual({
      "p/s1.jsonl": ["p/s1/subagents/agent-a1.jsonl"],
      "p/s2.jsonl": ["p/agent-b1.jsonl", "p/agent-b2.jsonl"],
      "p/agent-c1.jsonl": [],
      "p/agent-d1.jsonl": [],
    });
  });
  it("are found if only the session is named, and no others with them", async () => {
    expect(await grouped([join(folder.path, "p/s2.jsonl")], true)).toEqual({
      "p/s2.jsonl": ["p/agent-b1.jsonl", "p/agent-b2.jsonl"],
    });
    expect(await findSubagents(join(folder.path, "p/s1.jsonl"))).toEqual([
      join(folder.path, "p/s1/subagents/agent-a1.jsonl"),
    ]);
  });
  it("can be named by themselves", async () => {
    expect(await grouped([join(folder.path, "p/agent-b1.jsonl")], true)).toEqual({ "p/agent-b1.jsonl": [] });
  });
  it("change the session's stamp", async () => {
    const stampOf = async () => (await findSessions([join(folder.path, "p/s1.jsonl")], true)).files[0]?.stamp;
    const before = await stampOf();
    expect(await stampOf()).toBe(before);
    utimesSync(join(folder.path, "p/s1/subagents/agent-a1.jsonl"), 1, 1);
    expect(await stampOf()).not.toBe(before);
  });
});

describe("OpenCode", () => {
  it("has sessions in a database, with those of subagents; older copies in files are ignored", async () => {
    folder.write("opencode/storage/session/p1/ses_1.json", '{"id":"ses_1"}');
    folder.write("opencode/storage/session/p1/ses_8.json", '{"id":"ses_8"}');
    folder.write("opencode/storage/session/p1/ses_9.json", '{"id":"ses_9", "parentID": "ses_8"}');
    await makeOpencodeDatabase(join(folder.path, "opencode/opencode.db"), [
      { id: "ses_1" },
      { id: "ses_2", parent: "ses_1" },
      { id: "ses_3", parent: "ses_2" },
      { id: "ses_4", parent: "ses_gone" },
    ]);
    expect(await grouped([folder.path])).toEqual({
      "opencode/opencode.db#ses_1": ["opencode/opencode.db#ses_2", "opencode/opencode.db#ses_3"],
      "opencode/opencode.db#ses_4": [],
      "opencode/storage/session/p1/ses_8.json": ["opencode/storage/session/p1/ses_9.json"],
    });
    const one = join(folder.path, "opencode/opencode.db#ses_2");
    expect(await grouped([one], true)).toEqual({
      "opencode/opencode.db#ses_2": ["opencode/opencode.db#ses_3"],
    });
  });
  it("reports a database that can't be read, and a missing file", async () => {
    const file = folder.write("opencode.db", "no database");
    const { files, issues, missing } = await findSessions([file, join(folder.path, "no.db#ses_1")], true);
    expect(files).toEqual([]);
    expect(issues).toMatchObject([{ code: "unreadable-input", where: file }]);
    expect(missing).toEqual([join(folder.path, "no.db#ses_1")]);
  });
});
