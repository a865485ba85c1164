import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findSessions } from "../../src/cli/find-sessions.ts";
import { readSession } from "../../src/cli/read-session.ts";
import { listSessionFolders } from "../../src/cli/session-folders.ts";
import type { RecordingSource } from "../../src/recordings/recording.ts";
import { samples } from "../recordings/samples.ts";
import { makeOpencodeDatabase } from "./opencode-database.ts";
import { opencodeMessages } from "./sessions.ts";
import { useFolder } from "./use-folder.ts";

const folder = useFolder("coppice-home-");

/** Where each kind lies in a home, or in the folder of a project (`work`). */
const LINUX: Readonly<Partial<Record<RecordingSource, string>>> = {
  "claude-code": ".claude/projects/-w/s1.jsonl",
  codex: ".codex/sessions/2026/01/01/rollout-1.jsonl",
  pi: ".pi/agent/sessions/w/s1.jsonl",
  "gemini-cli": ".gemini/tmp/0a1b/chats/session-1.json",
  "copilot-cli": ".copilot/session-state/s1/events.jsonl",
  "cline-roo": ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
  "mini-swe-agent": ".config/mini-swe-agent/last_mini_run.traj.json",
  "swe-agent": "work/trajectories/me/run/t1/t1.traj",
  "trae-agent": "work/trajectories/trajectory_20260101_120000.json",
};

/** Other files beside them, which hold no session. */
const BESIDE = [
  ".gemini/tmp/0a1b/logs.json",
  ".copilot/session-state/s1/workspace.json",
  ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/ui_messages.json",
  "work/trajectories/me/run/preds.json",
];

const EVENTS = [
  { id: 0, source: "user", action: "message", args: { content: "Go." } },
  { id: 1, source: "agent", action: "run", args: { command: "ls" } },
  { id: 2, source: "agent", observation: "run", cause: 1, content: "a.ts" },
  { id: 10, source: "agent", action: "message", args: { content: "Done." } },
];

async function makeHome(places: Readonly<Partial<Record<RecordingSource, string>>>): Promise<void> {
  for (const [kind, path] of Object.entries(places)) {
    const [text = ""] = samples[kind as RecordingSource];
    folder.write(path, text);
  }
  for (const path of BESIDE) folder.write(path, "[]");
  for (const event of EVENTS)
    folder.write(`.openhands/sessions/s1/events/${event.id}.json`, JSON.stringify(event));
  await makeOpencodeDatabase(join(folder.write(".local/share/opencode/x", ""), "../opencode.db"), [
    { id: "ses_2", messages: opencodeMessages },
  ]);
}

/** What is found, by the kind that reads it. */
async function find(env: NodeJS.ProcessEnv = {}, platform: NodeJS.Platform = "linux") {
  const places = listSessionFolders({
    env,
    platform,
    home: folder.path,
    directory: join(folder.path, "work"),
  });
  const { files } = await findSessions(places, false);
  const read = await Promise.all(files.map(({ path }) => readSession(path)));
  return read.map((each) => (each.ok ? each.value.source : each.issue.message)).sort();
}

const ALL = ["openhands", "opencode", ...Object.keys(LINUX)].sort();
const BENCHMARKS: readonly RecordingSource[] = ["moatless", "tau-bench", "tau2-bench"];

describe("sessions where agents keep them", () => {
  test("on Linux: every kind but benchmarks and plain messages", async () => {
    await makeHome(LINUX);
    expect(await find()).toEqual(ALL);
    const others = Object.keys(samples).filter((kind) => !ALL.includes(kind));
    expect(others.sort()).toEqual([...BENCHMARKS, "messages"].sort());
  });

  test("on macOS", async () => {
    const toMac = (path: string) => path.replace(/^\.config\//, "Library/Application Support/");
    await makeHome(Object.fromEntries(Object.entries(LINUX).map(([kind, path]) => [kind, toMac(path)])));
    expect(await find({}, "darwin")).toEqual(ALL);
  });

  test("Roo Code, other editors, the command line of Cline, the newer folder of Claude Code", async () => {
    const [cline = ""] = samples["cline-roo"];
    const [claude = ""] = samples["claude-code"];
    for (const path of [
      ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json",
      ".config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/tasks/2/api_conversation_history.json",
      ".cline/data/tasks/3/api_conversation_history.json",
    ])
      folder.write(path, cline);
    folder.write(".config/claude/projects/-w/s1.jsonl", claude);
    expect(await find()).toEqual(["claude-code", "cline-roo", "cline-roo", "cline-roo"]);
  });

  test.each<[string, RecordingSource, string]>([
    ["CLAUDE_CONFIG_DIR", "claude-code", "projects/-w/s1.jsonl"],
    ["CODEX_HOME", "codex", "archived_sessions/rollout-1.jsonl"],
    ["PI_CODING_AGENT_DIR", "pi", "sessions/w/s1.jsonl"],
    ["GEMINI_CLI_HOME", "gemini-cli", ".gemini/tmp/0a1b/chats/session-1.json"],
    ["COPILOT_HOME", "copilot-cli", "session-state/s1/events.jsonl"],
    [
      "XDG_CONFIG_HOME",
      "cline-roo",
      "Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
    ],
    ["MSWEA_GLOBAL_CONFIG_DIR", "mini-swe-agent", "last_mini_run.traj.json"],
    ["SWE_AGENT_TRAJECTORY_DIR", "swe-agent", "me/run/t1/t1.traj"],
  ])("%s", async (name, kind, path) => {
    const [text = ""] = samples[kind];
    folder.write(`elsewhere/${path}`, text);
    expect(await find()).toEqual([]);
    expect(await find({ [name]: join(folder.path, "elsewhere") })).toEqual([kind]);
  });

  test("XDG_DATA_HOME and FILE_STORE_PATH", async () => {
    await makeHome({});
    expect(await find({ XDG_DATA_HOME: "/none", FILE_STORE_PATH: "/none" })).toEqual([]);
    expect(await find()).toEqual(["opencode", "openhands"]);
  });
});

test("the events of OpenHands come in the order of their numbers", async () => {
  await makeHome({});
  const read = await readSession(join(folder.path, ".openhands/sessions/s1/events"));
  expect(
    read.ok && read.value.segments[0]?.messages.map((message) => (message as { role: string }).role),
  ).toEqual(["user", "assistant", "tool", "assistant"]);
});
