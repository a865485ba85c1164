import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pc from "picocolors";
import stringWidth from "string-width";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { Screen } from "../../src/cli/screen.ts";
import { NO_WORK } from "../../src/facts/work-counts.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { Arm, Store } from "../../src/stores/store.ts";
import { useFolder } from "./use-folder.ts";
import { CALLS, workingSession } from "./working-session.ts";

const folder = useFolder("coppice-work-");
beforeEach(() => {
  vi.stubEnv("XDG_DATA_HOME", join(folder.path, "data"));
  vi.stubEnv("XDG_CACHE_HOME", join(folder.path, "cache"));
  vi.stubEnv("COPPICE_STORE", undefined);
  folder.write("s/pruned.jsonl", workingSession("pruned", CALLS));
  folder.write("s/other.jsonl", workingSession("other", CALLS.slice(4, 6)));
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

async function run(args: readonly string[], columns = 120): Promise<string> {
  let out = "";
  const screen: Screen = {
    print: (text) => {
      out += text;
    },
    note: () => {},
    columns,
    isTerminal: false,
    paint: pc.createColors(false),
    paintNote: pc.createColors(false),
    status: () => {},
  };
  await runCli(args, screen);
  expect(process.exitCode ?? 0).toBe(0);
  return out;
}

async function withStore(fill: (store: Store) => Promise<void>): Promise<void> {
  const path = join(folder.path, "data/coppice/journal.db");
  mkdirSync(dirname(path), { recursive: true });
  const store = await sqliteStore({ path });
  await fill(store);
  await store.close();
}
const request = (session: string, cuts: number) => ({
  ...{ session, time: Date.now(), tokensWith: 1, tokensWithout: 2, cuts },
});

/** The part of an output under this title. */
function sectionOf(text: string, title: string): readonly string[] {
  return (text.split(`${title}\n`)[1] ?? "").split("\n\n", 1)[0]?.split("\n") ?? [];
}

describe("coppice analyze", () => {
  // One file needs no thread, and its result is cached: sources that are not built have no threads.
  beforeEach(async () => {
    for (const name of ["pruned", "other"]) await run(["analyze", join(folder.path, `s/${name}.jsonl`)]);
  });

  test("shows how the work went; without a store, all sessions count as not pruned", async () => {
    expect(sectionOf(await run(["analyze", join(folder.path, "s")]), "How the agent's work went")).toEqual([
      "                                     without pruning",
      "  edits that failed: text not found      50.0 of 100  2 of 4 edits",
      "  reads of text already read             50.0 of 100  1 of 2 reads",
      "  commands run again                     33.3 of 100  1 of 3 commands",
      "  recalls of cut text                     8.3 of 100  1 of 12 requests",
      "  requests per prompt                            6.0  12 for 2 prompts",
      "  0 sessions with cuts, 2 without.",
    ]);
  });

  test("shows sessions that Coppice has cut, as its store knows, next to the others, and fits the terminal", async () => {
    await withStore(async (store) => {
      await store.addRequest(request("pruned", 1));
      await store.addRequest(request("other", 0));
    });
    const show = async (columns: number) =>
      sectionOf(await run(["analyze", join(folder.path, "s")], columns), "How the agent's work went");
    expect((await show(120)).slice(0, 4)).toEqual([
      "                                     with pruning                   without pruning",
      "  edits that failed: text not found   50.0 of 100  1 of 2 edits         50.0 of 100  1 of 2 edits",
      "  reads of text already read          50.0 of 100  1 of 2 reads                   –  no reads",
      "  commands run again                  33.3 of 100  1 of 3 commands                –  no commands",
    ]);
    for (const columns of [60, 80, 100, 120])
      for (const line of await show(columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    expect((await show(80)).join("\n")).toMatch(/text not found +50\.0 of 100 .* 50\.0 of 100/);
    const { work, sessions } = JSON.parse(await run(["analyze", join(folder.path, "s"), "--json"]));
    expect(work).toMatchObject({
      pruned: { sessions: 1, counts: { edits: 2, missedEdits: 1, rereads: 1, reruns: 1, recalls: 1 } },
      unpruned: { sessions: 1, counts: { requests: 3, prompts: 1, edits: 2, missedEdits: 1 } },
    });
    const byPath = new Map(sessions.map((each: { path: string }) => [each.path.split("/").at(-1), each]));
    expect(byPath.get("pruned.jsonl")).toMatchObject({ isPruned: true, work: { edits: 2 } });
    expect(byPath.get("other.jsonl")).toMatchObject({ isPruned: false, work: { edits: 2 } });
  });

  test("a store that can't be read does no harm", async () => {
    const path = join(folder.path, "data/coppice/journal.db");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "no database");
    expect(await run(["analyze", join(folder.path, "s")])).toContain("0 sessions with cuts, 2 without.");
    expect(readFileSync(path, "utf8")).toBe("no database");
  });
});

describe("coppice report", () => {
  test("has the session's rates, and whether Coppice was active", async () => {
    const file = join(folder.path, "s/pruned.jsonl");
    const counts = {
      ...{ requests: 9, prompts: 1, edits: 2, missedEdits: 1, reads: 2, rereads: 1 },
      ...{ commands: 3, reruns: 1, recalls: 1 },
    };
    expect(JSON.parse(await run(["report", file, "--json"])).work).toEqual({ counts, isPruned: false });
    await withStore((store) => store.addRequest(request("pruned", 1)));
    expect(JSON.parse(await run(["report", file, "--json"])).work).toEqual({ counts, isPruned: true });
  });
});

describe("coppice status", () => {
  const NOBODY = "http://127.0.0.1:1";

  test("shows the rates of sessions with and without cuts", async () => {
    const work = { ...NO_WORK, requests: 1, prompts: 1, edits: 40, missedEdits: 1 };
    await withStore(async (store) => {
      await store.addRequest({ ...request("a", 1), work });
      await store.addRequest({ ...request("b", 0), work: { ...work, missedEdits: 0 } });
      await store.addRequest(request("older", 0));
    });
    const lines = sectionOf(await run(["status", "--url", NOBODY]), "How the agent's work went");
    expect(lines[1]).toBe(
      "  edits that failed: text not found    2.5 of 100  1 of 40 edits        0.0 of 100  0 of 40 edits",
    );
    expect(lines.slice(-2).join(" ")).toContain(
      "1 session with cuts, 1 without. Short sessions are not cut: only a holdout (--holdout) compares like with like.",
    );
  });

  test("describes the comparison of a holdout's arms", async () => {
    await withStore(async (store) => {
      for (const [arm, sessions, failed] of [
        ["pruned", 80, 48],
        ["heldOut", 60, 3],
      ] satisfies [Arm, number, number][])
        for (let i = 0; i < sessions; i++) {
          const work = { ...NO_WORK, requests: 1, prompts: 1, edits: 10, missedEdits: i < failed ? 1 : 0 };
          await store.addRequest({ ...request(`${arm} ${i}`, arm === "pruned" ? 1 : 0), arm, work });
        }
    });
    const text = await run(["status", "--url", NOBODY]);
    expect(text).toContain(
      "\nMeasured: 0 conversations pruned, 0 held out; too early to tell, 50 more needed.\n",
    );
    expect(sectionOf(text, "How the agent's work went").join(" ").replace(/\s+/g, " ")).toContain(
      "failed edits: 6.0 of 100 with, 0.5 without (80 and 60 sessions): more with pruning, between 3.5 more and 7.5 more " +
        "repeated reads: none with, none without (0 and 0 sessions): too few sessions to tell",
    );
    const { work } = JSON.parse(await run(["status", "--url", NOBODY, "--json"]));
    expect(work.rates[0]).toMatchObject({ name: "missedEdits", verdict: "more", heldOut: { sessions: 60 } });
  });
});
