import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { isRunning } from "../../src/cli/is-running.ts";
import { buildPackage } from "../build-package.ts";
import { startUpstream } from "../hosts/proxy/upstream.ts";

const root = resolve(".tmp/wrap");
const cli = join(root, "dist/cli/main.js");

/** A separate build: other tests may be building `dist` at the same time. */
beforeAll(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  buildPackage(join(root, "dist"));
}, 240_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"));
  mkdirSync(join(home, "bin"));
  mkdirSync(join(home, "tmp"));
});

/** A program of this name that runs a script of Node. */
function place(name: string, script: string): void {
  writeFileSync(join(home, `${name}.mjs`), script);
  writeFileSync(
    join(home, "bin", name),
    `#!/bin/sh\nexec '${process.execPath}' '${join(home, `${name}.mjs`)}' "$@"\n`,
  );
  chmodSync(join(home, "bin", name), 0o755);
}

const SHOW = "console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env }));";

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/** Without a terminal, and without settings of this machine. */
function start(args: readonly string[], { env = {}, input = "" }: Options = {}): Run {
  const child = spawn(process.execPath, [cli, "wrap", "--store", "memory", ...args], {
    cwd: home,
    env: { PATH: `${join(home, "bin")}:${process.env.PATH}`, HOME: home, TMPDIR: join(home, "tmp"), ...env },
    detached: true,
  });
  child.stdin.end(input);
  const text = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    text.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    text.err += chunk;
  });
  return { child, ended: new Promise((done) => child.once("close", (code) => done({ code, ...text }))) };
}

function run(args: readonly string[], options?: Options) {
  return start(args, options).ended;
}

/** Waits for a file that a program writes when it is ready. */
async function ready(name: string): Promise<void> {
  await expect.poll(() => existsSync(join(home, name)), { timeout: 60_000 }).toBe(true);
}

const READY = `import { writeFileSync } from "node:fs"; writeFileSync("ready", String(process.pid));`;

describe("the client's own arguments", () => {
  test("are passed on unchanged, after ours", async () => {
    place("claude", SHOW);
    const own = ["--quiet", "--shake", "-v", "--store", "a b", "--help", "--", "it's $HOME"];
    const { code, out } = await run(["--no-tools", "claude", ...own]);
    expect(code).toBe(0);
    expect(JSON.parse(out).args).toEqual(own);
  });

  test("of any command too, and `--` may name a client without our special handling", async () => {
    place("claude", SHOW);
    const { args, env } = JSON.parse((await run(["--", "claude", "--", "-p"])).out);
    expect(args).toEqual(["--", "-p"]);
    expect(env.OPENAI_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/openai\/v1$/);
  });

  test("a client gets the variables in the table, and none that points to Anthropic", async () => {
    place("claude", SHOW);
    const { args, env } = JSON.parse((await run(["claude", "-p", "hi"])).out);
    expect(env.ANTHROPIC_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/anthropic$/);
    expect(args).toEqual([
      expect.stringMatching(/^--mcp-config=.*\/mcp/),
      "--allowedTools=mcp__coppice",
      "-p",
      "hi",
    ]);
    expect(Object.keys(env)).not.toContain("_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL");
  });

  test("requests to the proxy do not go through another", async () => {
    place("codex", SHOW);
    const env = { HTTPS_PROXY: "http://proxy.test", NO_PROXY: "intra.test" };
    expect(JSON.parse((await run(["codex"], { env })).out).env).toMatchObject({
      NO_PROXY: "intra.test,127.0.0.1,localhost",
      HTTPS_PROXY: "http://proxy.test",
    });
    expect(JSON.parse((await run(["codex"])).out).env).not.toHaveProperty("NO_PROXY");
  });
});

test("input, output and exit code are the client's", async () => {
  place("codex", "process.stdin.pipe(process.stdout); process.stdin.on('end', () => process.exit(7));");
  const { code, out, err } = await run(["codex", "exec"], { input: "from the user" });
  expect({ code, out }).toEqual({ code: 7, out: "from the user" });
  expect(err).toMatch(/^coppice: no request to a model came through: Codex sent no request.*\n$/);
});

test("--quiet prints nothing at the end", async () => {
  place("codex", "");
  expect(await run(["--quiet", "codex"])).toEqual({ code: 0, out: "", err: "" });
});

test("a missing client, and an unknown one", async () => {
  expect(await run(["qwen"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("npm install -g @qwen-code"),
  });
  expect(await run(["cluade"])).toMatchObject({ code: 2, err: expect.stringContaining("wrap -- cluade") });
  expect(await run(["--", "cluade"])).toMatchObject({ code: 1, err: expect.stringContaining("not found") });
});

const ANSWER = {
  model: "claude-sonnet-4-5",
  type: "message",
  content: [{ type: "text", text: "Hello" }],
  usage: { input_tokens: 9, output_tokens: 3 },
};
const ASK = `
const response = await fetch(\`\${process.env.ANTHROPIC_BASE_URL}/v1/messages\`, {
  method: "POST",
  headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "secret" },
  body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] }),
});
console.log(response.status, await response.text());`;

test("an address that the environment names becomes the upstream, with its path", async () => {
  const upstream = await startUpstream((_, outgoing) => {
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify(ANSWER));
  });
  onTestFinished(() => upstream.close());
  place("claude", ASK);
  const named = await run(["claude"], { env: { ANTHROPIC_BASE_URL: `${upstream.url}/gateway` } });
  expect(named).toMatchObject({ code: 0, out: `200 ${JSON.stringify(ANSWER)}\n` });
  expect(named.err).toMatch(/^coppice: 1 request: paid \$.*\.\n$/);
  const told = await run(["--upstream", `anthropic=${upstream.url}`, "claude"]);
  expect(told.code).toBe(0);
  expect(upstream.arrived.map(({ path }) => path)).toEqual(["/gateway/v1/messages", "/v1/messages"]);
});

test("an invalid address is reported before anything starts", async () => {
  place("claude", SHOW);
  const { code, out, err } = await run(["claude"], { env: { ANTHROPIC_BASE_URL: "gateway" } });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("ANTHROPIC_BASE_URL");
});

test("a client that bypassed the proxy, and why", async () => {
  place("claude", "");
  const { err } = await run(["claude"], { env: { CLAUDE_CODE_USE_BEDROCK: "1" } });
  expect(err).toBe("coppice: no request to a model came through: CLAUDE_CODE_USE_BEDROCK is set.\n");
});

describe("signals", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s goes to the client, which ends in its own way",
    async (signal) => {
      place(
        "codex",
        `${READY} process.on("${signal}", () => process.exit(42)); setInterval(() => {}, 1000);`,
      );
      const { child, ended } = start(["codex"]);
      await ready("ready");
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 42 });
    },
  );

  test("a client that a signal ends", async () => {
    place("codex", `${READY} setInterval(() => {}, 1000);`);
    const { child, ended } = start(["codex"]);
    await ready("ready");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 143, err: expect.stringContaining("coppice:") });
  });

  test("Ctrl-C in a terminal reaches the client directly, and wrap does not send it again", async () => {
    place(
      "codex",
      `import { writeFileSync } from "node:fs";
      let times = 0;
      process.on("SIGINT", () => {
        if (++times === 1) setTimeout(() => { console.log("times " + times); process.exit(0); }, 1000);
      });
      writeFileSync("ready", String(process.ppid));
      setInterval(() => {}, 1000);`,
    );
    const { out } = await inTerminal(
      `'${process.execPath}' '${cli}' wrap --store memory codex`,
      async (type) => {
        await ready("ready");
        // Two at once could count as one: so wrap gets one alone, and then all get one from the terminal.
        process.kill(Number(readFileSync(join(home, "ready"), "utf8")), "SIGINT");
        await new Promise((done) => setTimeout(done, 300));
        type("\u0003");
      },
    );
    expect(out).toMatch(/times 1\b/);
    expect(out).toContain("coppice:");
  });

  test("a terminal that a killed client had changed is reset", async () => {
    place(
      "codex",
      `import { execFileSync } from "node:child_process";
      execFileSync("stty", ["raw", "-echo"], { stdio: "inherit" });
      process.kill(process.pid, "SIGKILL");`,
    );
    const { out } = await inTerminal(
      `'${process.execPath}' '${cli}' wrap --store memory codex; echo "code $?"; stty -a`,
      async () => {},
    );
    expect(out).toContain("code 137");
    expect(out).toMatch(/\sicanon\b/);
    expect(out).toMatch(/\secho\b/);
  });
});

/** Runs a shell command in its own terminal. */
async function inTerminal(
  command: string,
  work: (type: (text: string) => void) => Promise<void>,
): Promise<{ readonly out: string }> {
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: home,
    env: { PATH: `${join(home, "bin")}:${process.env.PATH}`, HOME: home, TERM: "xterm", SHELL: "/bin/sh" },
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const ended = new Promise((done) => child.once("close", done));
  await work((text) => child.stdin.write(text));
  await ended;
  child.stdin.destroy();
  return { out };
}

describe("the answer at the proxy's address after wrap has been killed", () => {
  /** Sends requests until it is told that the proxy is gone, and then waits. */
  const asking = `${READY}
    const url = process.env.ANTHROPIC_BASE_URL;
    writeFileSync("url", url);
    process.on("SIGTERM", () => process.exit(0));
    const timer = setInterval(async () => {
      const response = await fetch(url + "/v1/messages", { method: "POST", body: "{}" }).catch(() => undefined);
      if (response?.status !== 400) return;
      writeFileSync("told", (await response.json()).error.message);
      clearInterval(timer);
      setInterval(() => {}, 1000);
    }, 100);`;
  const read = (name: string) => readFileSync(join(home, name), "utf8");
  const isAnswered = () =>
    fetch(read("url")).then(
      () => true,
      () => false,
    );

  test.each<[string, readonly string[]]>([
    ["coppice wrap claude", ["claude"]],
    ["coppice wrap -- claude", ["--", "claude", "-p"]],
  ])("killed: answers with instructions (%s), until the client ends", async (command, args) => {
    place("claude", asking);
    const { child } = start([...NO_PROVIDER, ...args]);
    await ready("ready");
    const client = Number(read("ready"));
    onTestFinished(() => void (isRunning(client) && process.kill(client, "SIGKILL")));
    child.kill("SIGKILL");
    await ready("told");
    expect(read("told")).toBe(
      `coppice: \`coppice wrap\` was killed, and no request can reach the model any more. Quit, and start again: ${command}`,
    );
    expect(await isAnswered()).toBe(true);
    process.kill(client, "SIGTERM");
    await expect.poll(isAnswered, { timeout: 20_000 }).toBe(false);
  });

  test("no answer if the client has ended", async () => {
    place("claude", asking);
    const { child, ended } = start([...NO_PROVIDER, "claude"]);
    await ready("url");
    child.kill("SIGTERM");
    await ended;
    // Longer than Node takes to start.
    await new Promise((done) => setTimeout(done, 1_000));
    expect(await isAnswered()).toBe(false);
  });

  test("no answer if the client was killed with it", async () => {
    place("claude", asking);
    const { child, ended } = start([...NO_PROVIDER, "claude"]);
    await ready("url");
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    await new Promise((done) => setTimeout(done, 1_000));
    // A killed process exists until its parent has waited for it.
    await expect.poll(isAnswered, { timeout: 20_000 }).toBe(false);
  });
});

/** Nothing listens there. */
const NO_PROVIDER = ["--upstream", "anthropic=http://127.0.0.1:9"];

describe("files for a client", () => {
  const pi = `${READY}
    writeFileSync("given", process.argv[3]);
    if (process.env.WAIT) setInterval(() => {}, 1000);`;

  test("are private, and deleted at the end", async () => {
    place(
      "pi",
      `${pi} import { statSync } from "node:fs"; console.log((statSync(process.argv[3]).mode & 0o777).toString(8));`,
    );
    const { out } = await run(["pi"]);
    expect(out).toBe("600\n");
    expect(readdirSync(join(home, "tmp"))).toEqual([]);
  });

  test("those of a killed run are deleted by the next", async () => {
    place("pi", pi);
    const { child, ended } = start(["pi"], { env: { WAIT: "1" } });
    await ready("ready");
    const left = readFileSync(join(home, "given"), "utf8");
    child.kill("SIGKILL");
    process.kill(Number(readFileSync(join(home, "ready"), "utf8")), "SIGKILL");
    await ended;
    expect(statSync(left).isFile()).toBe(true);
    expect((await run(["pi"])).code).toBe(0);
    expect(readdirSync(join(home, "tmp"))).toEqual([]);
  });
});
