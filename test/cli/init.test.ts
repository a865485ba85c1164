import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildPackage } from "../build-package.ts";

const root = resolve(".tmp/init");
const cli = join(root, "dist/cli/main.js");

/** A build of its own: other tests may be building `dist` at the same time. */
beforeAll(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  buildPackage(join(root, "dist"));
}, 240_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"));
  return () => rmSync(home, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Without a terminal, and without a user's systemd. */
function run(args: readonly string[], program: string = cli, bin = ""): Promise<Ran> {
  return new Promise((done) => {
    const env = { PATH: `${bin}:${dirname(process.execPath)}`, HOME: home };
    execFile(process.execPath, [program, ...args], { cwd: home, env }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

/** In a terminal of 80 columns: each text is typed when the question before it has been asked. */
async function runInTerminal(
  args: string,
  answers: readonly (readonly [question: RegExp, answer: string])[],
) {
  const command = `stty cols 80; '${process.execPath}' '${cli}' ${args}; echo "code $?"`;
  const env = { PATH: process.env.PATH, HOME: home, TERM: "xterm", SHELL: "/bin/sh" };
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: home, env });
  const left = [...answers];
  let out = "";
  let seen = 0;
  child.stdout.on("data", (chunk) => {
    out += chunk;
    const [next] = left;
    const asked = next?.[0].exec(out.slice(seen));
    if (!next || !asked) return;
    left.shift();
    seen = out.length;
    child.stdin.write(next[1]);
  });
  await new Promise((done) => child.once("close", done));
  child.stdin.destroy();
  return { text: stripVTControlCharacters(out).replaceAll("\r", ""), painted: out, left };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function snapshot(): Readonly<Record<string, string>> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(home.length + 1), readFileSync(path).toString("base64")];
    }),
  );
}

/** Agents and editors as they are found on a machine. */
function installAgents(): void {
  write(".claude/settings.json", '{\n\t"model": "opus"\n}');
  write(".codex/config.toml", 'model = "gpt-5.4"');
  write(".qwen/settings.json", "{}");
  write(".config/opencode/opencode.jsonc", '{ /* mine */ "plugin": ["other@1.0.0",], }\n');
  write(".pi/agent/settings.json", "{}");
  write(".omp/agent/config.yml", "");
  write(".copilot/config.json", "{}");
  write(".vscode/extensions/saoudrizwan.claude-dev-3.40.0/package.json", "{}");
}

describe("init without a name", () => {
  test("without a terminal it shows what it would write, and writes nothing", async () => {
    installAgents();
    const before = snapshot();
    const { code, out, err } = await run(["init"]);
    expect(code).toBe(2);
    expect(err).toMatch(/no terminal for questions.*--yes/);
    for (const agent of ["Claude Code", "Codex", "Qwen Code", "OpenCode"])
      expect(out).toMatch(new RegExp(`^ {2}${agent} +can be set up$`, "m"));
    expect(out).toMatch(/^ {2}pi +pi install npm:coppice$/m);
    expect(out).toMatch(/^ {2}oh-my-pi +omp install coppice$/m);
    expect(out).toMatch(/^ {2}Copilot CLI +coppice wrap copilot/m);
    expect(out).toMatch(/^ {2}Cline +in its settings/m);
    expect(out).toContain(
      '  ~/.codex/config.toml\n    copy of the current file: ~/.codex/config.toml.before-coppice\n    + openai_base_url = "http://127.0.0.1:8787/v1"\n',
    );
    expect(out).toContain("~/.config/opencode/opencode.jsonc");
    expect(out).not.toContain("\u001b");
    expect(snapshot()).toEqual(before);
  });

  test("--yes writes it, doctor sees it, and remove gives every byte back", async () => {
    installAgents();
    const before = snapshot();
    const init = await run(["init", "--yes"]);
    expect(init, init.err).toMatchObject({ code: 0 });
    expect(init.out).toContain("No service\n");
    expect(init.out).toContain("Keep coppice proxy running");
    const settings = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
    expect(settings.statusLine.command).toBe(`${process.execPath} ${cli} statusline`);
    expect((await run(["init", "--yes"])).out).toContain("already set up, nothing to change");
    const { findings } = JSON.parse((await run(["doctor", "--json"])).out);
    expect(findings).toContainEqual(expect.objectContaining({ what: "service", state: "hint" }));
    expect(findings).toContainEqual(
      expect.objectContaining({ what: "status line of Claude Code", state: "ok" }),
    );
    const removed = await run(["remove"]);
    expect(removed).toMatchObject({ code: 0, err: "" });
    expect(removed.out).toContain("~/.claude/settings.json\n");
    expect(Object.keys(snapshot()).filter((path) => !path.startsWith(".local/share/coppice"))).toEqual(
      Object.keys(before),
    );
    expect(snapshot()).toMatchObject(before);
    expect((await run(["remove"])).out).toBe("Nothing to remove: Coppice is not set up here.\n");
  });

  test("--json says what will be written, and what was", async () => {
    installAgents();
    const before = snapshot();
    const planned = JSON.parse((await run(["init", "--dry-run", "--json"])).out);
    expect(planned).toMatchObject({
      agents: ["claude", "codex", "qwen", "opencode"],
      service: { state: "none", why: expect.any(String) },
      what: expect.arrayContaining(['openai_base_url = "http://127.0.0.1:8787/v1"']),
    });
    expect(snapshot()).toEqual(before);
    const done = JSON.parse((await run(["init", "--yes", "--json"])).out);
    expect(done).toEqual(planned);
    const removed = JSON.parse((await run(["remove", "--json"])).out);
    expect(removed.files.filter(({ changed }: { changed: boolean }) => changed)).toHaveLength(4);
  });

  test("an agent whose settings can't be written is left out, and the others are set up", async () => {
    installAgents();
    write(".claude/settings.json", '{ "env": { "ANTHROPIC_BASE_URL": "https://gateway.test" } }');
    write(".codex/config.toml", "broken = ");
    const before = snapshot();
    const { code, out } = await run(["init", "--yes"]);
    expect(code).toBe(0);
    expect(out.replace(/\s+/g, " ")).toMatch(
      /Claude Code .*gateway\.test.*coppice proxy --upstream.*Codex .*fix it first/,
    );
    expect(out).toContain("Requests of Qwen Code now go through");
    await run(["remove"]);
    expect(snapshot()).toEqual(before);
  });

  test("no agent is here: it says which it knows", async () => {
    const { code, err } = await run(["init", "--yes"]);
    expect(code).toBe(1);
    expect(err).toMatch(/No agent was found.*claude, codex/);
  });

  test("a status line of the user's own is not overwritten, and it says so", async () => {
    write(".claude/settings.json", '{ "statusLine": { "type": "command", "command": "~/mine.sh" } }');
    const before = snapshot();
    const { out } = await run(["init", "--yes"]);
    expect(out).toContain("status line stays as it is: ~/mine.sh");
    expect(JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8")).statusLine.command).toBe(
      "~/mine.sh",
    );
    await run(["remove"]);
    expect(snapshot()).toEqual(before);
  });

  test("--no-status-line leaves it out", async () => {
    installAgents();
    expect((await run(["init", "--yes", "--no-status-line"])).out).not.toContain("statusLine");
  });

  test("from the cache of npx it sets up no status line that may vanish", async () => {
    const cached = join(home, ".npm/_npx/0a1b/node_modules/coppice");
    mkdirSync(cached, { recursive: true });
    cpSync(join(root, "dist"), join(cached, "dist"), { recursive: true });
    write(".claude/settings.json", "{}");
    const { out } = await run(["init", "--dry-run"], join(cached, "dist/cli/main.js"));
    expect(out).toContain("cache of npx");
    expect(out).not.toContain("+ statusLine");
  });
});

describe("in a terminal", () => {
  const ALL = /Press Enter for all: claude codex qwen opencode\s*> /;

  test("asks three questions, and writes what the answers say", async () => {
    installAgents();
    const { text, painted, left } = await runInTerminal("init", [
      [ALL, "claud\n"],
      [ALL, "claude, codex\n"],
      [/status line\? \[Y\/n\] /, "n\n"],
      [/Write this\? \[Y\/n\] /, "\n"],
    ]);
    expect(left).toEqual([]);
    expect(text).toContain("code 0");
    expect(text.match(/\? (?:\[Y|Press Enter)/g)).toHaveLength(4);
    expect(painted).toContain("\u001b[32m");
    const shown = text.split("\n").filter((line) => !/^ {4}\+|echo|stty/.test(line));
    expect(shown.filter((line) => line.length > 80)).toEqual([]);
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).not.toContain("statusLine");
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toContain("8787");
    expect(readFileSync(join(home, ".qwen/settings.json"), "utf8")).toBe("{}");
  });

  test.each([
    ["no", "n\n"],
    ["the end of input", "\u0004"],
    ["Ctrl-C", "\u0003"],
  ])("%s to the last question: nothing is written", async (_, answer) => {
    installAgents();
    const before = snapshot();
    const { text, left } = await runInTerminal("init codex", [[/Write this\? \[Y\/n\] /, answer]]);
    expect(left).toEqual([]);
    expect(text).toContain("Nothing was changed.");
    expect(text).toContain("code 1");
    expect(snapshot()).toEqual(before);
  });
});

describe("remove", () => {
  test("of one agent leaves the others", async () => {
    installAgents();
    await run(["init", "--yes"]);
    await run(["remove", "claude"]);
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe('{\n\t"model": "opus"\n}');
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toContain("8787");
    await run(["init", "--remove"]);
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe('model = "gpt-5.4"');
  });

  test("what the user wrote since stays, and only ours goes", async () => {
    installAgents();
    await run(["init", "--yes"]);
    const file = join(home, ".claude/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    settings.env.MINE = "1";
    settings.statusLine.command = "~/mine.sh";
    writeFileSync(file, JSON.stringify(settings));
    expect((await run(["remove"])).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      model: "opus",
      env: { MINE: "1" },
      statusLine: { type: "command", command: "~/mine.sh" },
    });
  });

  test("ours that the user has taken out by hand: the copy goes as well", async () => {
    write(".codex/config.toml", "# mine\n");
    const before = snapshot();
    await run(["init", "codex", "--yes"]);
    write(".codex/config.toml", "# mine\n");
    await run(["remove"]);
    expect(snapshot()).toEqual(before);
  });

  test("our status line goes, though the user has changed how it looks", async () => {
    installAgents();
    await run(["init", "--yes"]);
    const file = join(home, ".claude/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...settings, statusLine: { ...settings.statusLine, padding: 0 } }));
    await run(["remove"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ model: "opus" });
  });

  test("a server of the user's own on this machine stays, unless its agent is named", async () => {
    const text = '{ "env": { "OPENAI_BASE_URL": "http://127.0.0.1:1234/v1" } }';
    write(".qwen/settings.json", text);
    const { code, out } = await run(["remove"]);
    expect(code).toBe(0);
    expect(out.replace(/\s+/g, " ")).toContain("If it is: coppice remove qwen");
    expect(readFileSync(join(home, ".qwen/settings.json"), "utf8")).toBe(text);
  });

  test("one broken file is told of with what to do, and the others are given back", async () => {
    installAgents();
    await run(["init", "--yes"]);
    writeFileSync(join(home, ".claude/settings.json"), "{ broken");
    const { code, err } = await run(["remove"]);
    expect(code).toBe(1);
    expect(err).toMatch(/\.claude\/settings\.json: .*fix it first/);
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe('model = "gpt-5.4"');
  });
});

test("something else has the port: nothing is written, and it says what to do", async () => {
  write("bin/systemctl", '#!/bin/sh\n[ "$2" = show-environment ]\n');
  chmodSync(join(home, "bin/systemctl"), 0o755);
  write(".claude/settings.json", "{}");
  const server = createServer((_, outgoing) => outgoing.end("hello"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = snapshot();
  const { code, err } = await run(["init", "claude", "--yes", "--url", url], cli, join(home, "bin"));
  expect(code).toBe(1);
  expect(err).toContain(`Nothing was changed: another program already answers at ${url}`);
  expect(snapshot()).toEqual(before);
  server.close();
});

describe("the program of the service", () => {
  test("imports nothing that could be gone", () => {
    const text = readFileSync(join(root, "dist/cli/service/service-main.js"), "utf8");
    const imported = [...text.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(0);
    for (const name of imported) expect(name).toMatch(/^node:/);
  });

  /** Starts it; gives what it answers to the first request, and its exit code. */
  async function start(main: string) {
    const port = await freePort();
    const service = spawn(
      process.execPath,
      [join(root, "dist/cli/service/service-main.js"), main, `${port}`],
      {
        stdio: "ignore",
      },
    );
    const ended = new Promise((done) => service.once("exit", done));
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/v1/messages`, { method: "POST" }).catch(() => undefined);
    let response = await ask();
    while (!response) response = await ask();
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    return { service, ended, message: error.message };
  }

  test("answers when Coppice is gone, and ends when it is back, to be started again", async () => {
    const main = join(home, "main.js");
    const { ended, message } = await start(main);
    expect(message).toMatch(/no longer installed.*npx coppice remove/);
    writeFileSync(main, "");
    expect(await ended).toBe(0);
  });

  test.each([
    ["ends with an error", "process.exitCode = 1;"],
    ["can't be loaded", 'import "./nowhere.js";'],
  ])("answers when Coppice %s", async (_, text) => {
    write("main.mjs", text);
    const { service, ended, message } = await start(join(home, "main.mjs"));
    expect(message).toMatch(/can't start.*coppice remove/);
    service.kill();
    await ended;
  });
});
