import { symlinkSync, unlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Client } from "../clients/client.ts";
import { CODEX } from "../clients/codex.ts";
import { GEMINI_CLI } from "../clients/gemini-cli.ts";
import { QWEN_CODE } from "../clients/qwen-code.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor, work } from "../clients/work.ts";
import { listFiles } from "./home-files.ts";
import { prepare } from "./prepare.ts";
import { hasSystemd, startSystemd, type UserSession } from "./systemd.ts";
import { COPPICE, placeClient } from "./wrapped-client.ts";

const CASES: readonly (readonly [name: string, client: Client, settings: string])[] = [
  ["claude", CLAUDE_CODE, ".claude/settings.json"],
  ["codex", CODEX, ".codex/config.toml"],
  ["gemini", GEMINI_CLI, ".gemini/settings.json"],
  ["qwen", QWEN_CODE, ".qwen/settings.json"],
];

const LOGIN = { security: { auth: { selectedType: "gemini-api-key" } } };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

async function isCoppice(url: string): Promise<boolean> {
  const response = await fetch(`${url}/healthz`).catch(() => undefined);
  return response?.ok === true;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await what()); i++) {
    if (i > 200) throw new Error("it does not come");
    await pause(100);
  }
}

/** A user with one client, whom systemd has logged in; the program `coppice` is a link that can go. */
async function logIn(client: Client, onRequest: (session: UserSession) => void = () => {}) {
  let session: UserSession | undefined;
  const prepared = await prepare(client, (request) => {
    if (session) onRequest(session);
    return work({ tools: client.tools, cwd: prepared.place.cwd })(request);
  });
  const { place, provider } = prepared;
  const bin = placeClient(client, place.home);
  const coppice = join(bin, "coppice");
  symlinkSync(COPPICE, coppice);
  session = await startSystemd(place.home, `${bin}:${process.env.PATH}`);
  const url = `http://127.0.0.1:${await freePort()}`;
  const upstreams = ["anthropic", "openai", "gemini"].flatMap((name) => [
    "--upstream",
    `${name}=${provider.url}`,
  ]);
  // What the test's client would write itself is not written.
  const bare: Client = { ...client, launch: (launch) => ({ ...client.launch(launch), files: {} }) };
  return {
    ...prepared,
    session,
    coppice,
    url,
    upstreams,
    ask: (label: string, files: number) =>
      runClient(bare, { home: place.home, cwd: place.cwd, prompt: promptFor(label, files) }),
  };
}

/** Of the home folder, without what Coppice's proxy keeps. */
function listOwn(home: string) {
  return [...listFiles(home)].filter(([path]) => !path.includes("coppice/journal.db"));
}

describe.runIf(hasSystemd()).each(CASES)("the service of init, with %s", (name, client, settings) => {
  const isJson = settings.endsWith(".json");

  test("init starts it, remove ends it and leaves every file as it was", async () => {
    const { place, write, session, coppice, url, upstreams } = await logIn(client);
    write(settings, isJson ? { a: 1, ...LOGIN } : "# mine");
    const before = listOwn(place.home);
    for (const _ of ["first", "again"]) {
      const init = await session.run([
        process.execPath,
        coppice,
        "init",
        "--yes",
        "--url",
        url,
        ...upstreams,
      ]);
      expect(init, init.text).toMatchObject({ code: 0 });
    }
    expect(await isCoppice(url)).toBe(true);
    const unit = join(place.home, ".config/systemd/user/coppice.service");
    expect(await session.run(["systemctl", "--user", "is-enabled", "coppice.service"])).toMatchObject({
      text: "enabled\n",
    });
    expect(await session.run(["systemd-analyze", "--user", "verify", unit])).toEqual({ code: 0, text: "" });
    const doctor = await session.run([process.execPath, coppice, "doctor", "--json"]);
    expect(JSON.parse(doctor.text).findings).toContainEqual({
      state: "ok",
      what: "service",
      found: expect.stringContaining(`runs at ${url}`),
    });
    for (const text of [/The service was stopped/, /Nothing to remove/]) {
      const remove = await session.run([process.execPath, coppice, "remove"]);
      expect(remove).toEqual({ code: 0, text: expect.stringMatching(text) });
      expect(listOwn(place.home)).toEqual(before);
    }
    expect(await isCoppice(url)).toBe(false);
    expect(await session.run(["systemctl", "--user", "status", "coppice.service"])).toMatchObject({
      code: 4,
    });
  });

  // Gemini CLI gives up when an answer breaks off; the others ask again.
  test.runIf(name !== "gemini")("it is killed under way: it comes back, and the client goes on", async () => {
    let requests = 0;
    const { provider, write, session, coppice, url, upstreams, ask } = await logIn(client, ({ run }) => {
      requests++;
      if (requests === 3) void run(["systemctl", "--user", "kill", "--signal=KILL", "coppice.service"]);
    });
    write(settings, isJson ? LOGIN : "");
    await session.run([process.execPath, coppice, "init", name, "--yes", "--url", url, ...upstreams]);
    const ran = await ask("first", 5);
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 5) });
    const restarts = ["systemctl", "--user", "show", "--property=NRestarts", "coppice.service"];
    expect(await session.run(restarts)).toMatchObject({ text: "NRestarts=1\n" });
    expect(provider.refused).toEqual([]);
  });

  test("Coppice is uninstalled without remove: the client says what to do, until it is back", async () => {
    const { write, session, url, upstreams, coppice, ask } = await logIn(client);
    write(settings, isJson ? LOGIN : "");
    await session.run([process.execPath, coppice, "init", name, "--yes", "--url", url, ...upstreams]);
    expect(await isCoppice(url)).toBe(true);
    unlinkSync(coppice);
    await session.run(["systemctl", "--user", "kill", "--signal=KILL", "coppice.service"]);
    await until(async () => (await fetch(url).catch(() => undefined))?.status === 400);
    const { stdout, stderr } = await ask("first", 2);
    const said = `${stdout}${stderr}`.replace(/\s+/g, " ");
    expect(said).toContain("no longer installed");
    expect(said).toContain("npx coppice remove");
    symlinkSync(COPPICE, coppice);
    await until(() => isCoppice(url));
    expect(await ask("again", 2)).toMatchObject({ code: 0, answer: doneWith("again", 2) });
  });
});
