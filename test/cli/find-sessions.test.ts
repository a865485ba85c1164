import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSessions, findSubagents } from "../../src/cli/find-sessions.ts";
import { makeOpencodeDatabase } from "./opencode-database.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "coppice-find-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const line = (session: string): string => `{"type":"user","isSidechain":true,"sessionId":"${session}"}\n`;
const grouped = async (paths: readonly string[], named = false) => {
  const { files } = await findSessions(paths, named);
  return Object.fromEntries(
    files.map(({ path, subagents = [] }) => [
      path.slice(root.length + 1),
      subagents.map((each) => each.slice(root.length + 1)),
    ]),
  );
};

describe("files of subagents", () => {
  beforeEach(() => {
    write("p/s1.jsonl", "{}");
    write("p/s1/subagents/agent-a1.jsonl", line("s1"));
    write("p/s2.jsonl", "{}");
    write("p/agent-b1.jsonl", line("s2"));
    write("p/agent-b2.jsonl", line("s2"));
    write("p/agent-c1.jsonl", line("gone"));
    write("p/agent-d1.jsonl", "no JSON");
  });

  it("belong to the session that started them, and stand for themselves where it is gone", async () => {
    expect(await grouped([root])).toEqual({
      "p/s1.jsonl": ["p/s1/subagents/agent-a1.jsonl"],
      "p/s2.jsonl": ["p/agent-b1.jsonl", "p/agent-b2.jsonl"],
      "p/agent-c1.jsonl": [],
      "p/agent-d1.jsonl": [],
    });
  });
  it("are found when only the session is named, and no others with them", async () => {
    expect(await grouped([join(root, "p/s2.jsonl")], true)).toEqual({
      "p/s2.jsonl": ["p/agent-b1.jsonl", "p/agent-b2.jsonl"],
    });
    expect(await findSubagents(join(root, "p/s1.jsonl"))).toEqual([
      join(root, "p/s1/subagents/agent-a1.jsonl"),
    ]);
  });
  it("can be named by themselves", async () => {
    expect(await grouped([join(root, "p/agent-b1.jsonl")], true)).toEqual({ "p/agent-b1.jsonl": [] });
  });
  it("change what the session is known by", async () => {
    const stampOf = async () => (await findSessions([join(root, "p/s1.jsonl")], true)).files[0]?.stamp;
    const before = await stampOf();
    expect(await stampOf()).toBe(before);
    utimesSync(join(root, "p/s1/subagents/agent-a1.jsonl"), 1, 1);
    expect(await stampOf()).not.toBe(before);
  });
});

describe("OpenCode", () => {
  it("has sessions in a database, with those of subagents; older copies in files do not count", async () => {
    write("opencode/storage/session/p1/ses_1.json", '{"id":"ses_1"}');
    write("opencode/storage/session/p1/ses_8.json", '{"id":"ses_8"}');
    write("opencode/storage/session/p1/ses_9.json", '{"id":"ses_9", "parentID": "ses_8"}');
    await makeOpencodeDatabase(join(root, "opencode/opencode.db"), [
      { id: "ses_1" },
      { id: "ses_2", parent: "ses_1" },
      { id: "ses_3", parent: "ses_2" },
      { id: "ses_4", parent: "ses_gone" },
    ]);
    expect(await grouped([root])).toEqual({
      "opencode/opencode.db#ses_1": ["opencode/opencode.db#ses_2", "opencode/opencode.db#ses_3"],
      "opencode/opencode.db#ses_4": [],
      "opencode/storage/session/p1/ses_8.json": ["opencode/storage/session/p1/ses_9.json"],
    });
    const one = join(root, "opencode/opencode.db#ses_2");
    expect(await grouped([one], true)).toEqual({
      "opencode/opencode.db#ses_2": ["opencode/opencode.db#ses_3"],
    });
  });
  it("says so where a database can't be read, or there is no such file", async () => {
    const file = write("opencode.db", "no database");
    const { files, issues, missing } = await findSessions([file, join(root, "no.db#ses_1")], true);
    expect(files).toEqual([]);
    expect(issues).toMatchObject([{ code: "unreadable-input", where: file }]);
    expect(missing).toEqual([join(root, "no.db#ses_1")]);
  });
});
