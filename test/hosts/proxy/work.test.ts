import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseHTML } from "linkedom";
import pc from "picocolors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isHeldOut } from "../../../src/analysis/held-out.ts";
import { runCli } from "../../../src/cli/run-cli.ts";
import type { Screen } from "../../../src/cli/screen.ts";
import type { ProxyStatus, Snapshot } from "../../../src/page/dashboard-data.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { textOf } from "../../conversation.ts";
import { EventReader } from "./event-reader.ts";
import { post, setStage } from "./stage.ts";

let pages: URL;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-pages-"));
  for (const name of ["page.js", "dashboard.js"]) writeFileSync(join(folder, name), "start()");
  for (const name of ["page.css", "dashboard.css", "chart.css"]) writeFileSync(join(folder, name), "a{}");
  pages = pathToFileURL(`${folder}/`);
});
afterAll(() => rmSync(pages, { recursive: true, force: true }));

type Call = readonly [tool: string, input: object, output: string];
const read: Call = ["Read", { file_path: "/w/a.ts" }, textOf(900)];
const run: Call = ["Bash", { command: "npm test" }, "1 failed"];
const edit = (output: string): Call => [
  "Edit",
  { file_path: "/w/a.ts", old_string: "a", new_string: "b" },
  output,
];
const CALLS: readonly Call[] = [
  read,
  read,
  edit("<tool_use_error>String to replace not found in file.</tool_use_error>"),
  edit("The file /w/a.ts has been updated."),
  run,
  run,
];

/** The history after this many calls, in the format of Anthropic's API. */
function makeBody(calls: number): string {
  const messages: object[] = [{ role: "user", content: "Fix it." }];
  for (const [i, [name, input, content]] of CALLS.slice(0, calls).entries())
    messages.push(
      { role: "assistant", content: [{ type: "tool_use", id: `t${i}`, name, input }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content }] },
    );
  const tools = ["Read", "Edit", "Bash"].map((name) => ({ name, input_schema: { type: "object" } }));
  return JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 10, stream: true, messages, tools });
}

/** Every request of the session from this one on, in order. */
async function play(url: string, session: string, from = 0, to = CALLS.length): Promise<void> {
  for (let calls = from; calls <= to; calls++)
    await post(`${url}/v1/messages`, ["x-claude-code-session-id", session], makeBody(calls));
}

const COUNTS = {
  ...{ requests: 7, prompts: 1, edits: 2, missedEdits: 1, reads: 2, rereads: 1 },
  ...{ commands: 2, reruns: 1, recalls: 0 },
};

test("each request is counted once, before a restart and after", async () => {
  const store = memoryStore();
  await play((await setStage(undefined, { store })).proxy.url, "s1", 0, 2);
  await play((await setStage(undefined, { store })).proxy.url, "s1", 3);
  expect(await store.listSessions()).toMatchObject([{ id: "s1", requests: 7, work: COUNTS }]);
  expect(await store.listDays()).toMatchObject([{ work: COUNTS }]);
});

test("the status, the dashboard and the report of a session show it, for sessions with cuts and without", async () => {
  const { proxy } = await setStage(undefined, { pages, store: memoryStore() });
  await play(proxy.url, "cut");
  await play(proxy.url, "short", 0, 0);
  const status = (await (await fetch(`${proxy.url}/coppice/status`)).json()) as ProxyStatus;
  const work = {
    pruned: { sessions: 1, counts: COUNTS },
    unpruned: { sessions: 1, counts: { requests: 1, prompts: 1, edits: 0 } },
  };
  expect(status.work).toMatchObject(work);
  expect(status.work?.rates).toBeUndefined();

  const reader = await EventReader.open(`${proxy.url}/coppice/events`);
  expect(((await reader.next("snapshot")) as Snapshot).work).toMatchObject(work);
  reader.close();

  const page = await (await fetch(`${proxy.url}/coppice/sessions/cut`)).text();
  const data = JSON.parse(parseHTML(page).document.getElementById("report")?.textContent ?? "{}");
  expect(data.work).toEqual({ counts: COUNTS, isPruned: true });

  let out = "";
  const screen: Screen = {
    print: (text) => {
      out += text;
    },
    note: () => {},
    columns: 100,
    isTerminal: false,
    paint: pc.createColors(false),
    paintNote: pc.createColors(false),
    status: () => {},
  };
  await runCli(["status", "--url", proxy.url], screen);
  expect(out).toMatch(
    /How the agent's work went\n.*\n {2}edits that failed: text not found +50\.0 of 100 .* – /,
  );
  expect(out).toContain("1 session with cuts, 1 without.");
});

test("a held-out session is counted too, and its arm is compared", async () => {
  const name = Array.from({ length: 20 }, (_, i) => `s${i}`).find((each) => isHeldOut(each, 50)) ?? "";
  const { proxy } = await setStage(undefined, { pages, holdout: 50, store: memoryStore() });
  await play(proxy.url, name);
  const { work } = (await (await fetch(`${proxy.url}/coppice/status`)).json()) as ProxyStatus;
  expect(work).toMatchObject({ pruned: { sessions: 0 }, unpruned: { sessions: 1, counts: COUNTS } });
  expect(work?.rates?.[0]).toEqual({
    name: "missedEdits",
    pruned: { sessions: 0 },
    heldOut: { sessions: 1, rate: 0.5 },
    verdict: "too-few",
  });
});
