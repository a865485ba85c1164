import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, type TestContext, test } from "vitest";
import { type RunningProxy, startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { makeBody } from "../../test/hosts/proxy/bodies.ts";
import { respondWithEvents, startUpstream } from "../../test/hosts/proxy/upstream.ts";
import { openTerminal } from "./terminal.ts";

const bin = resolve(import.meta.dirname, "../../dist/cli/main.js");
const NO_STORE = "/nowhere/journal.db";

function makeHome(onTestFinished: TestContext["onTestFinished"]): string {
  const home = mkdtempSync(join(tmpdir(), "coppice-watch-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

async function startStage(port?: number) {
  const upstream = await startUpstream(respondWithEvents);
  const store = memoryStore();
  await store.addRequest({
    session: "before",
    time: Date.now(),
    client: "a-client-with-a-rather-long-name",
    folder: "a-folder-with-a-rather-long-name",
    model: "a-model-with-a-rather-long-name",
    tokensWith: 10,
    tokensWithout: 20,
    costWith: 2,
    costWithout: 7,
    cuts: 1,
  });
  const proxy = await startProxy({
    store,
    upstreams: { anthropic: upstream.url },
    onIssue: () => {},
    ...(port !== undefined && { port }),
  });
  return {
    proxy,
    async close() {
      await proxy.close();
      await upstream.close();
    },
  };
}

async function ask({ url }: RunningProxy, session: string): Promise<void> {
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "x-claude-code-session-id": session },
    body: makeBody(3, "<cwd>/home/ada/shop</cwd>"),
  });
  await response.text();
}

test("a live view: it changes, fits, says that the proxy is gone, and leaves the terminal as it was", async ({
  onTestFinished,
}) => {
  const home = makeHome(onTestFinished);
  const stage = await startStage();
  const { url, port } = stage.proxy;
  const terminal = openTerminal(onTestFinished, ["bash", "--norc", "--noprofile"], {
    columns: 80,
    rows: 24,
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, PS1: "$ " },
  });
  const shows = (text: RegExp | string) => expect.poll(terminal.read).toMatch(text);
  terminal.type("stty -g > modes; echo before\n");
  await shows(/^before$/m);
  terminal.type(`${process.execPath} ${bin} status --watch --url ${url} --store ${NO_STORE}`);
  await shows(NO_STORE);
  const before = terminal.read();
  terminal.press("Enter");

  await shows(/No session has passed through this proxy yet/);
  expect(terminal.read()).toMatch(/^Coppice \d/);
  expect(terminal.read()).toMatch(/\$5\.00 .* today$/m);
  // The name is cut, so that the line is not broken.
  expect(terminal.read()).toMatch(/^ +\$5\.00 .* a-client-with-a-rather-long-name in.*…$/m);
  await ask(stage.proxy, "s1");
  await shows(/^ +\S+ .* claude-code in shop, clau.*…$/m);

  terminal.resize(60, 10);
  await shows(/^\d\d:\d\d:\d\d, updated every second; Ctrl-C ends it$/m);
  await expect.poll(() => terminal.read().split("\n").length).toBe(10);
  terminal.resize(80, 24);

  await stage.close();
  await shows(/No proxy answers at/);
  const again = await startStage(port);
  onTestFinished(() => again.close());
  await shows(/No session has passed through this proxy yet/);

  terminal.press("C-c");
  await expect.poll(terminal.read).toBe(`${before}\n$`);
  terminal.type('echo "code $?"; stty -g | diff - modes && echo "same modes"\n');
  await shows(/^code 0\nsame modes$/m);
});

test("with --json a line every second, without escape codes, until a signal comes", async ({
  onTestFinished,
}) => {
  const home = makeHome(onTestFinished);
  const stage = await startStage();
  onTestFinished(() => stage.close());
  const args = [bin, "status", "--watch", "--json", "--url", stage.proxy.url];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value ?? "");
  expect(await read()).toMatchObject({ version: expect.any(String), sessions: [] });
  await ask(stage.proxy, "s1");
  await expect.poll(read, { interval: 0 }).toMatchObject({ sessions: [{ id: "s1" }] });
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
});
