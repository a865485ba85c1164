import { type ChildProcess, execFile, execFileSync, fork, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { paidSession } from "../analysis/paid-session.ts";
import { buildPackage } from "../build-package.ts";
import { makeOpencodeDatabase } from "./opencode-database.ts";
import { opencodeMessages, opencodeSession, SESSIONS } from "./sessions.ts";

const root = resolve(".tmp/cli");
const bin = join(root, "dist/cli/main.js");
const sample = resolve("samples/discount-service.jsonl");

/** A separate build: other tests may be building `dist` at the same time. */
beforeAll(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  buildPackage(join(root, "dist"));
  execFileSync(process.execPath, ["scripts/bundle-page.mjs", join(root, "dist/page/bundle")]);
  writeFileSync(join(root, "serve.mjs"), SERVE);
  server = fork(join(root, "serve.mjs"), { env: { PATH: process.env.PATH }, serialization: "advanced" });
}, 240_000);

afterAll(() => {
  server.kill();
  rmSync(root, { recursive: true, force: true });
});

/** Runs the built commands one after the other in one process, each with its own folder, home and streams. */
const SERVE = `
import { Readable } from "node:stream";

const catchOutput = (stream) => {
  const chunks = [];
  stream.write = (chunk, ...rest) => {
    chunks.push(Buffer.from(chunk));
    rest.find((each) => typeof each === "function")?.();
    return true;
  };
  return chunks;
};

async function serve({ args, home, input }) {
  process.chdir(home);
  process.env.HOME = home;
  process.exitCode = 0;
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  const [out, err] = [catchOutput(process.stdout), catchOutput(process.stderr)];
  process.argv = [process.execPath, "coppice", ...args];
  await import(\`./dist/cli/main.js?\${++runs}\`);
  process.send({ code: process.exitCode, out: Buffer.concat(out), err: Buffer.concat(err) });
}

let runs = 0;
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
let last = Promise.resolve();
process.on("message", (asked) => {
  last = last.then(() => serve(asked));
});
`;
let server: ChildProcess;

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"));
  for (const [name, text] of Object.entries(SESSIONS)) writeFileSync(join(home, name), text);
});

interface Run {
  readonly code: number;
  readonly out: Buffer;
  readonly text: string;
  readonly err: string;
}

/** A command in the process that has loaded them all: starting one takes longer than most commands. */
function run(args: readonly string[], input: string | Buffer = ""): Promise<Run> {
  const turn = waiting.then(
    () =>
      new Promise<Run>((done, fail) => {
        const onExit = (code: number | null) => fail(new Error(`the server ended with ${code}`));
        server.once("exit", onExit);
        server.once("message", ({ code, out, err }: { code: number; out: Buffer; err: Buffer }) => {
          server.off("exit", onExit);
          done({ code, out, text: out.toString("utf8"), err: err.toString("utf8") });
        });
        server.send({ args, home, input });
      }),
  );
  waiting = turn.catch(() => {});
  return turn;
}
let waiting: Promise<unknown> = Promise.resolve();

/** A command in its own process, without a terminal and without settings of this machine. */
function start(args: readonly string[], input?: string | Buffer, more: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((done) => {
    const env = { PATH: process.env.PATH, HOME: home, ...more };
    const child = execFile(
      process.execPath,
      [bin, ...args],
      { cwd: home, env, encoding: "buffer", maxBuffer: 1e9 },
      (error, out, err) => {
        const code = error ? Number(error.code) : 0;
        done({ code, out, text: out.toString("utf8"), err: err.toString("utf8") });
      },
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(input ?? "");
  });
}

const commands = [
  "analyze",
  "prune",
  "restore",
  "explain",
  "diff",
  "replay",
  "report",
  "config",
  "doctor",
  "init",
  "remove",
];

test("every command has help with examples, and takes --json", async () => {
  const helps = await Promise.all(commands.map((command) => run([command, "--help"])));
  for (const [i, { code, text }] of helps.entries()) {
    expect(code, commands[i]).toBe(0);
    expect(text, commands[i]).toContain(`$ coppice ${commands[i]}`);
    expect(text, commands[i]).toContain("--json");
  }
});

test("a command in its own process ends with the same output and code", async () => {
  const cases: readonly (readonly [code: number, args: readonly string[]])[] = [
    [0, ["--help"]],
    [0, ["prune", "openai.json", "--dry-run"]],
    [1, ["prune", "missing.jsonl"]],
    [2, ["anlyze"]],
  ];
  for (const [code, args] of cases) {
    const started = await start(args);
    expect({ args, code: started.code }).toEqual({ args, code });
    expect(started).toEqual(await run(args));
  }
});

test("the status line is one line whatever it is given, ends with 0 and leaves no file", async () => {
  const before = readdirSync(home);
  const context = { context_window: { current_usage: { cache_read_input_tokens: 900, input_tokens: 100 } } };
  const env = { COPPICE_URL: "http://127.0.0.1:1" };
  const cases = [
    [JSON.stringify(context), "Coppice: no proxy · context 1.0K · cache 90%\n"],
    ["", "Coppice: no proxy\n"],
    ['{"session_id":', "Coppice: no proxy\n"],
    ["\0".repeat(2_000_000), "Coppice: no proxy\n"],
  ] as const;
  for (const [input, text] of cases)
    expect(await start(["statusline"], input, env)).toMatchObject({ code: 0, text, err: "" });
  expect(readdirSync(home)).toEqual(before);
});

test("a misunderstood command ends with 2 and says what to do", async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["anlyze"], /Did you mean analyze/],
    [["prune"], /missing required argument 'file'/],
    [["prune", "openai.json", "--preset", "big"], /compact, balanced, verbose/],
    [["prune", "openai.json", "--budget", "none"], /50k/],
    [["analyze", "openai.json", "--top", "foo"], /'--top <n>' .*such as 20\./],
    [["report", "openai.json", "--top", "foo"], /'--top <n>' .*such as 20\./],
    [["diff", "openai.json", "--lines", "foo"], /'--lines <n>' .*such as 20\./],
    [["proxy", "--port", "99999"], /'--port <number>' .*a port from 1 to 65535/],
    [["explain", "openai.json", "--raw"], /give its ref/],
    [["prune", "openai.json", "--shake=all"], /aggressive/],
    [["prune", "openai.json", "--json"], /add -o or --dry-run/],
    [["replay", "openai.json", "--policy", "best"], /keep-last-N/],
    [["init", "vim"], /only opencode, claude/],
  ];
  for (const [args, words] of cases) {
    const { code, err, out } = await run(args);
    expect({ args, code }).toEqual({ args, code: 2 });
    expect(err).toMatch(words);
    expect(out.length).toBe(0);
  }
});

describe("prune and restore", () => {
  test.each([...Object.keys(SESSIONS), sample])("%s comes back byte for byte", async (file) => {
    const original = readFileSync(resolve(home, file));
    const pruned = await run(["prune", file, "-o", "small", "--explain"]);
    expect({ code: pruned.code, err: pruned.err }).toMatchObject({
      code: 0,
      err: expect.stringMatching(/\d edits?: /),
    });
    expect(statSync(join(home, "small")).size).toBeLessThan(original.length);
    const restored = await run(["restore", "small"]);
    expect(restored.out.equals(original)).toBe(true);
    expect((await run(["restore", "small", "-o", "back", "--json"])).code).toBe(0);
    expect(readFileSync(join(home, "back")).equals(original)).toBe(true);
  });

  test("in a pipe, with the restore file found by content", async () => {
    const original = Buffer.from(SESSIONS["claude-code.jsonl"] ?? "");
    const pruned = await start(["prune", "-"], original);
    expect(pruned.out.length).toBeLessThan(original.length);
    const restored = await start(["restore", "-"], pruned.out);
    expect(restored.out.equals(original)).toBe(true);
  });

  test("compressed input gives compressed output", async () => {
    writeFileSync(join(home, "a.jsonl.gz"), gzipSync(SESSIONS["pi.jsonl"] ?? ""));
    await run(["prune", "a.jsonl.gz", "-o", "small.gz"]);
    expect(readFileSync(join(home, "small.gz"))[0]).toBe(0x1f);
    await run(["restore", "small.gz", "-o", "back.gz"]);
    const plain = await run(["prune", "back.gz", "--dry-run", "--json"]);
    expect(JSON.parse(plain.text).characters.before).toBe((SESSIONS["pi.jsonl"] ?? "").length);
  });

  test("the name of an output decides whether it is compressed, and restore accepts both", async () => {
    const text = SESSIONS["pi.jsonl"] ?? "";
    writeFileSync(join(home, "a.jsonl.gz"), gzipSync(text));
    await run(["prune", "a.jsonl.gz", "-o", "small.jsonl"]);
    expect(readFileSync(join(home, "small.jsonl"), "utf8")[0]).toBe("{");
    await run(["prune", "pi.jsonl", "-o", "small.jsonl.gz"]);
    expect(gunzipSync(readFileSync(join(home, "small.jsonl.gz"))).toString()).toBe(
      readFileSync(join(home, "small.jsonl"), "utf8"),
    );
    for (const small of ["small.jsonl", "small.jsonl.gz"]) {
      await run(["restore", small, "-o", "back.jsonl"]);
      expect(readFileSync(join(home, "back.jsonl"), "utf8")).toBe(text);
      await run(["restore", small, "-o", "back.gz"]);
      expect(gunzipSync(readFileSync(join(home, "back.gz"))).toString()).toBe(text);
    }
    // An overwritten file keeps its form, whatever its name.
    writeFileSync(join(home, "odd.jsonl"), gzipSync(text));
    await run(["prune", "odd.jsonl", "-o", "odd.jsonl"]);
    expect(readFileSync(join(home, "odd.jsonl"))[0]).toBe(0x1f);
    await run(["restore", "odd.jsonl", "-o", "odd.jsonl"]);
    expect(gunzipSync(readFileSync(join(home, "odd.jsonl"))).toString()).toBe(text);
  });

  test("in place, a file keeps its permissions, and a link leads to it", async () => {
    chmodSync(join(home, "pi.jsonl"), 0o640);
    symlinkSync("pi.jsonl", join(home, "link.jsonl"));
    expect((await run(["prune", "link.jsonl", "-o", "link.jsonl"])).code).toBe(0);
    expect(lstatSync(join(home, "link.jsonl")).isSymbolicLink()).toBe(true);
    expect(statSync(join(home, "pi.jsonl")).mode & 0o777).toBe(0o640);
    expect(statSync(join(home, "pi.jsonl")).size).toBeLessThan((SESSIONS["pi.jsonl"] ?? "").length);
    expect(statSync(join(home, "link.jsonl.restore.json")).mode & 0o777).toBe(0o600);
  });

  test("for a compacted session, reports the changes of the whole file", async () => {
    const whole = readFileSync(sample, "utf8").trimEnd().split("\n");
    const add = (line: object) =>
      whole.push(JSON.stringify({ ...JSON.parse(whole.at(-1) ?? ""), isSidechain: false, ...line }));
    const { uuid } = JSON.parse(whole.at(-1) ?? "");
    const say = (content: string) => ({ type: "user", message: { role: "user", content } });
    const boundary = { subtype: "compact_boundary", parentUuid: null, logicalParentUuid: uuid };
    add({ type: "system", uuid: "c0", ...boundary, message: undefined });
    add({ ...say("Done so far."), subtype: undefined, uuid: "c1", parentUuid: "c0", isCompactSummary: true });
    add({ ...say("Go on."), uuid: "c2", parentUuid: "c1", isCompactSummary: false });
    writeFileSync(join(home, "compacted.jsonl"), `${whole.join("\n")}\n`);
    const alone = JSON.parse((await run(["prune", sample, "--dry-run", "--json"])).text);
    const { text } = await run(["prune", "compacted.jsonl", "--dry-run", "--json"]);
    const { tokens, fileTokens, segments, saved } = JSON.parse(text);
    expect(segments).toBe(2);
    expect(tokens.after).toBe(tokens.before);
    expect(fileTokens.before).toBeGreaterThanOrEqual(alone.tokens.before);
    expect(fileTokens.before - fileTokens.after).toBeGreaterThan(saved * 0.9);
    const { err } = await run(["prune", "compacted.jsonl", "-o", "small.jsonl"]);
    expect(err).toMatch(
      /^\d+ edits in 2 segments: [\d,]+ tokens in the file before, [\d,]+ after; [\d,]+ tokens before in the next request/m,
    );
  });

  test("a dry run writes nothing", async () => {
    const before = readdirSync(home);
    const { text, code } = await run(["prune", "openai.json", "--dry-run"]);
    expect(code).toBe(0);
    expect(text).toMatch(/file-views/);
    expect(readdirSync(home)).toEqual(before);
  });

  test("a second prune in place does not lose the cuts of the first", async () => {
    expect((await run(["prune", "pi.jsonl", "-o", "pi.jsonl"])).code).toBe(0);
    const again = await run(["prune", "pi.jsonl", "-o", "pi.jsonl", "--shake=aggressive"]);
    expect(again.code).toBe(1);
    expect(again.err).toContain("pruned before");
    expect((await run(["restore", "pi.jsonl"])).text).toBe(SESSIONS["pi.jsonl"]);
  });

  test("--shake and --budget cut more, and a budget that can't be met is reported", async () => {
    const tokens = async (...more: string[]) => {
      const { text, code } = await run(["prune", sample, "--dry-run", "--json", ...more]);
      return { ...JSON.parse(text).tokens, code };
    };
    const [plain, shaken, aggressive, budget, tiny] = await Promise.all([
      tokens("--preset", "verbose"),
      tokens("--preset", "verbose", "--shake"),
      tokens("--preset", "verbose", "--shake=aggressive"),
      tokens("--budget", "25k"),
      tokens("--budget", "1k"),
    ]);
    expect(shaken.after).toBeLessThan(plain.after);
    expect(aggressive.after).toBeLessThan(shaken.after);
    expect(budget).toMatchObject({ code: 0 });
    expect(budget.after).toBeLessThanOrEqual(25_000);
    expect(tiny).toMatchObject({ code: 1 });
  });

  test("the flag --shake does not take the next file name as its value", async () => {
    expect((await run(["prune", "--dry-run", "--shake", "openai.json"])).code).toBe(0);
  });

  test("--redact masks session and restore file alike, and restore gives the masked session", async () => {
    const secret = `ghp_${"a1B2".repeat(10)}`;
    const text = (SESSIONS["openai.json"] ?? "").replaceAll("part 7", `${secret} in /home/ada/shop`);
    writeFileSync(join(home, "secret.json"), text);
    await run(["prune", "secret.json", "--redact", "-o", "small.json"]);
    const written = ["small.json", "small.json.restore.json"].map((file) =>
      readFileSync(join(home, file), "utf8"),
    );
    for (const each of written) expect(each).not.toMatch(/ghp_|\/home\/ada/);
    const restored = await run(["restore", "small.json"]);
    expect(restored.text).toBe(text.replaceAll(secret, "[redacted]").replaceAll("/home/ada", "~"));
  });

  test("a wrong restore file, a changed file and no restore file are refused with 1", async () => {
    await run(["prune", "openai.json", "-o", "a.json"]);
    await run(["prune", "pi.jsonl", "-o", "b.jsonl"]);
    expect((await run(["restore", "a.json", "--restore-file", "b.jsonl.restore.json"])).err).toContain(
      "another file",
    );
    expect((await run(["restore", "openai.json"])).err).toContain("--restore-file");
    expect((await run(["restore", "a.json", "--restore-file", "nowhere.json"])).code).toBe(1);
    writeFileSync(join(home, "a.json.restore.json"), "{");
    expect((await run(["restore", "a.json"])).err).toContain("cut off or damaged");
  });
});

test("a line that was cut off is reported, and stays in the file", async () => {
  const whole = readFileSync(resolve("samples/discount-service.jsonl"), "utf8");
  const torn = whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 60);
  writeFileSync(join(home, "torn.jsonl"), torn);
  const { code, err } = await run(["prune", "torn.jsonl", "-o", "small.jsonl"]);
  expect(code).toBe(0);
  expect(err).toMatch(/1 line cut off or not JSON, left unchanged in the file; the first: .*torn\.jsonl:\d+/);
  expect(readFileSync(join(home, "small.jsonl"), "utf8").endsWith(torn.slice(-60))).toBe(true);
  for (const command of ["analyze", "replay", "report"])
    expect((await run([command, "torn.jsonl"])).err).toContain("1 record cut off or unreadable, skipped");
});

test("broken, empty, binary and missing files give clear errors, never stack traces", async () => {
  writeFileSync(join(home, "empty.jsonl"), "");
  writeFileSync(join(home, "broken.json"), '[{"role":"user","content":"a"},');
  writeFileSync(join(home, "notes.txt"), "hello\n");
  writeFileSync(join(home, "image.jsonl"), Buffer.from([0, 1, 2, 255]));
  writeFileSync(
    join(home, "latin.jsonl"),
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}')]),
  );
  const files = ["empty.jsonl", "broken.json", "notes.txt", "image.jsonl", "missing.jsonl"];
  const cases = [
    ...files.flatMap((file) => [["prune", file] as const, ["analyze", file] as const]),
    ...["diff", "replay", "report", "restore"].map((command) => [command, "empty.jsonl"] as const),
  ];
  for (const [command, file] of cases) {
    const { code, err, out } = await run([command, file]);
    expect({ command, file, code, size: out.length }).toEqual({ command, file, code: 1, size: 0 });
    expect(err).toContain(file);
    expect(err).not.toMatch(/ {4}at |bug in Coppice/);
  }
  expect((await run(["prune", "latin.jsonl"])).err).toContain("UTF-8");
}, 180_000);

/** Linux has a folder that nobody may write to, not even root. */
test("every command that writes reports a folder that can't be written, in one sentence", async () => {
  const no = "/proc/nowhere";
  writeFileSync(join(home, "file"), "");
  mkdirSync(join(home, "few"));
  writeFileSync(join(home, "few/a.jsonl"), SESSIONS["pi.jsonl"] ?? "");
  await run(["prune", "pi.jsonl", "-o", "small.jsonl"]);
  // The cache of analyze is not an output.
  const list = () =>
    readdirSync(home)
      .filter((name) => name !== ".cache")
      .sort();
  const before = list();
  const cases: readonly (readonly string[])[] = [
    ["prune", "openai.json", "-o", `${no}/a.json`],
    ["prune", "openai.json", "-o", "file/a.json"],
    ["prune", "openai.json", "-o", "few"],
    ["prune", "openai.json", "-o", "a.json", "--restore-file", `${no}/l.json`],
    ["restore", "small.jsonl", "-o", `${no}/back.jsonl`],
    ["report", "pi.jsonl", "-o", `${no}/r.html`],
    ["report", "pi.jsonl", "-o", "few"],
    ["report", "few", "-o", `${no}/pages`],
    ["report", "few", "-o", "file"],
    ["analyze", "few", "--html", `${no}/a.html`],
  ];
  for (const args of cases) {
    const { code, err, out } = await run(args);
    expect({ args, code, size: out.length }).toEqual({ args, code: 1, size: 0 });
    expect(err, args.join(" ")).toMatch(/error: .* can't be written: [^\n]*\. Choose/);
    const named = /\. Choose .*/.exec(err)?.[0].match(/-[\w-]+/g) ?? [];
    const { text: help } = await run([args[0] ?? "", "--help"]);
    for (const option of named) expect(help).toContain(option);
    expect(named.length).toBeGreaterThan(0);
    expect(err).not.toMatch(/ {4}at |bug in Coppice|ENO/);
  }
  expect(list()).toEqual(before);
  const elsewhere = (args: readonly string[]) => start(args, "", { HOME: no });
  for (const args of [
    ["init", "opencode", "--global", "--yes"],
    ["init", "claude", "--yes"],
    ["prune", "pi.jsonl"],
  ]) {
    const { code, err } = await elsewhere(args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(err).toContain("its folder does not exist and can't be created");
    expect(err).not.toMatch(/ {4}at |bug in Coppice|ENO/);
  }
  expect((await elsewhere(["doctor"])).text).toContain("restore-files can't be written");
});

test("output that is not a regular file is written to and stays", async () => {
  const pipe = join(home, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = new Promise<Buffer>((done, fail) => {
    execFile("cat", [pipe], { encoding: "buffer", maxBuffer: 1e9 }, (error, out) =>
      error ? fail(error) : done(out),
    );
  });
  expect((await start(["prune", "pi.jsonl", "-o", "pipe"])).code).toBe(0);
  expect(statSync(pipe).isFIFO()).toBe(true);
  expect(existsSync(`${pipe}.restore.json`)).toBe(false);
  expect((await start(["restore", "-"], await reader)).text).toBe(SESSIONS["pi.jsonl"]);
});

describe("explain and diff", () => {
  test("--raw is the original text and nothing else", async () => {
    await run(["prune", "openai.json", "-o", "small.json"]);
    const { edits } = JSON.parse(readFileSync(join(home, "small.json.restore.json"), "utf8"));
    for (const { ref, original } of edits.slice(0, 3)) {
      const { code, text } = await run(["explain", "small.json", ref, "--raw"]);
      expect({ code, text }).toEqual({ code: 0, text: original });
    }
    const all = await run(["explain", "small.json", "", "--raw"]);
    expect({ code: all.code, out: all.text }).toEqual({ code: 1, out: "" });
    expect(all.err).toContain(edits[0].ref);
    expect((await run(["explain", "small.json", edits[0].ref, "--raw", "--json"])).code).toBe(2);
  });

  test("show how likely a text is needed again, and the cost of that", async () => {
    const sample = resolve("samples/discount-service.jsonl");
    const { edits } = JSON.parse((await run(["diff", sample, "--json"])).text);
    const { ref, risk } = edits.find((edit: { risk?: object }) => edit.risk);
    const { text } = await run(["explain", sample, ref]);
    expect(text).toContain(`needed again in ${Math.round(100 * risk.chance)} of 100 such cases (`);
    expect(text).toContain(`costs ${risk.price.toLocaleString("en")} tokens on average`);
  });

  test("show each cut, its reason, and its original text, before and after pruning", async () => {
    await run(["prune", "openai.json", "-o", "small.json"]);
    const restoreFile = JSON.parse(readFileSync(join(home, "small.json.restore.json"), "utf8"));
    const { ref, original } = restoreFile.edits[0];
    for (const file of ["small.json", "openai.json"]) {
      const { code, text } = await run(["explain", file, ref]);
      expect(code).toBe(0);
      expect(text).toContain(original.split("\n")[0]);
      expect(text).toContain("file-views");
    }
    expect(JSON.parse((await run(["diff", "small.json", "--json"])).text)).toEqual({
      made: true,
      edits: restoreFile.edits,
    });
    expect((await run(["diff", "small.json", "--lines", "2"])).text).toContain("more lines");
    const refs = await run(["explain", "small.json"]);
    expect(refs.code).toBe(0);
    for (const edit of restoreFile.edits) expect(refs.text).toContain(edit.ref);
    expect(refs.text.split("\n")[0]).toMatch(/ref .*tokens .*pass .*why/);
    expect((await run(["explain", "openai.json"])).err).toContain("has not been pruned");
    expect(JSON.parse((await run(["explain", "small.json", "--json"])).text)).toEqual({
      made: true,
      edits: restoreFile.edits,
    });
    const unknown = await run(["explain", "small.json", "zzzzzz"]);
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain(ref);
  });
});

describe("analyze", () => {
  test("a folder of 200 sessions and other files", async () => {
    const folder = join(home, "many");
    mkdirSync(folder);
    const kinds = Object.entries(SESSIONS);
    for (let i = 0; i < 200; i++) {
      const [name, text] = kinds[i % kinds.length] ?? ["", ""];
      writeFileSync(join(folder, `${i}-${name}`), text);
    }
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "empty.jsonl"), "");
    const { code, text, err } = await run(["analyze", "many", "--json"]);
    const analysis = JSON.parse(text);
    expect(code).toBe(0);
    expect(analysis.sessions).toHaveLength(200);
    expect(Object.keys(analysis.sources)).toEqual(["claude-code", "codex", "messages", "opencode", "pi"]);
    expect(analysis.stale.tokens).toBeGreaterThan(0);
    expect(err).toContain("2 files without a session");
    const again = await run(["analyze", "many", "--json"]);
    expect({ text: again.text, err: again.err }).toEqual({ text, err });
  });

  test("caches results, readable only for this user, until a file changes; and works without a cache if it can't write one", async () => {
    mkdirSync(join(home, "p"));
    for (const name of ["a.jsonl", "b.jsonl"])
      writeFileSync(join(home, "p", name), paidSession([new Date().toISOString()], "/work/shop", name));
    const ask = async () => {
      const { text, err, code } = await run(["analyze", "p", "--json"]);
      return { analysis: JSON.parse(text), err, code };
    };
    const first = await ask();
    expect(first.analysis.sessions.map(({ prompt }: { prompt: string }) => prompt)).toEqual([
      "a.jsonl",
      "b.jsonl",
    ]);
    const kept = join(home, ".cache/coppice/analyze");
    const [name = ""] = readdirSync(kept);
    expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600);
    // The output uses the cache: the other session's line comes from another file.
    const lines = readFileSync(join(kept, name), "utf8");
    expect(lines.split("\n")).toHaveLength(3);
    appendFileSync(
      join(home, "p/a.jsonl"),
      paidSession([new Date().toISOString()])
        .replaceAll('"m0"', '"m1"')
        .replaceAll("u0", "u1")
        .replaceAll("a0", "a1"),
    );
    const second = await ask();
    expect(second.analysis.requests).toBe(first.analysis.requests + 1);
    expect(readFileSync(join(kept, name), "utf8").split("\n")).toHaveLength(4);
    writeFileSync(join(kept, name), lines.slice(0, -20));
    const damaged = await ask();
    expect(damaged).toMatchObject({ code: 0, analysis: { requests: second.analysis.requests } });
    expect(damaged.err).toMatch(/some cached results in .* were damaged, and are computed again/);
    rmSync(join(home, ".cache"), { recursive: true });
    writeFileSync(join(home, ".cache"), "no folder");
    const without = await ask();
    expect(without).toMatchObject({ code: 0, analysis: { requests: second.analysis.requests } });
    expect(without.err.match(/results are not cached/g)).toHaveLength(1);
  });

  test("shows the cost of the prefix, and its unused part if coppice context has a result", async () => {
    mkdirSync(join(home, "p"));
    const times = [0, 60_000].map((after) =>
      new Date(Date.parse("2026-11-16T12:00:00Z") + after).toISOString(),
    );
    writeFileSync(join(home, "p/a.jsonl"), paidSession(times, "/work/shop"));
    const first = await run(["analyze", "p"]);
    expect(first.text).toMatch(/^Prefix: \d\d\.\d% of the bill$/m);
    const items = [
      { group: "system prompt", name: "Style", tokens: 300 },
      { group: "built-in tools", name: "Agent", isTool: true, tokens: 100 },
    ];
    const looks = join(home, ".local/share/coppice/context");
    mkdirSync(looks, { recursive: true });
    const look = { time: 1, billed: 1, items };
    const kept = { version: 1, client: "claude", project: "/work/shop", looks: [look] };
    writeFileSync(join(looks, "1.json"), JSON.stringify(kept));
    const { text } = await run(["analyze", "p"]);
    expect(text.replaceAll("\n", " ")).toContain(
      "% of the bill, 25.0% of it for tools that were never used (1 session, by today's definitions)",
    );
    const { prefix } = JSON.parse((await run(["analyze", "p", "--json"])).text);
    expect(prefix).toMatchObject({
      agents: [{ agent: "claude-code" }],
      unused: { share: 0.25, sessions: 1 },
    });
  });

  test("shows what docs/cli.md shows", async () => {
    const docs = readFileSync(resolve("docs/cli.md"), "utf8");
    const [, block = ""] = /\$ coppice analyze samples\/discount-service\.jsonl\n([^`]+)```/.exec(docs) ?? [];
    const lines = block.split("\n").filter((line) => line.trim() !== "" && line.trim() !== "…");
    expect(lines.length).toBeGreaterThan(10);
    const { text } = await run(["analyze", sample]);
    for (const line of lines) expect(text).toContain(line);
  });

  test("by day, project and range; a misunderstood option ends with 2", async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    mkdirSync(join(home, "p"));
    writeFileSync(join(home, "p/a.jsonl"), paidSession([at(40), at(0)], "/work/shop"));
    writeFileSync(join(home, "p/b.jsonl"), paidSession([at(0)], "/work/bank"));
    const requests = async (...args: readonly string[]) =>
      JSON.parse((await run(["analyze", "p", "--json", ...args])).text).requests;
    expect(await requests()).toBe(3);
    expect(await requests("--since", "7d")).toBe(2);
    expect(await requests("--until", at(20).slice(0, 10))).toBe(1);
    expect(await requests("--project", "SHOP")).toBe(2);
    const { text } = await run(["analyze", "p", "--by", "project"]);
    expect(text).toMatch(/By project\n.*\n.*\/work\/shop .*\n.*\/work\/bank /);
    expect(text).toMatch(/^This month \$0\.03, \$0\.00 of it avoidable/m);
    const none = await run(["analyze", "p", "--project", "nowhere"]);
    expect({ code: none.code, err: none.err }).toEqual({
      code: 1,
      err: expect.stringContaining("None of the 2 sessions matches that project and time"),
    });
    for (const args of [
      ["--by", "hour"],
      ["--since", "tomorrow"],
    ]) {
      const { code, err } = await run(["analyze", "p", ...args]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/--(?:by|since) takes/) });
    }
  });

  test("as a page, with reports next to it", async () => {
    mkdirSync(join(home, "p"));
    writeFileSync(join(home, "p/a.jsonl"), readFileSync(sample));
    writeFileSync(join(home, "p/b.jsonl"), paidSession([new Date().toISOString()], "/home/ada/shop"));
    const { code, text } = await run(["analyze", "p", "--html", "out/all.html", "--top", "1"]);
    expect({ code, text }).toEqual({ code: 0, text: "out/all.html\n" });
    const page = readFileSync(join(home, "out/all.html"), "utf8");
    expect(readdirSync(join(home, "out/all-sessions"))).toEqual(["1-a.jsonl.html"]);
    expect(page).toContain("all-sessions/1-a.jsonl.html");
    expect(page).toContain("/home/ada/shop");
    await run(["analyze", "p", "--html", "masked.html", "--redact"]);
    expect(readFileSync(join(home, "masked.html"), "utf8")).not.toMatch(/home\/(?:ada|dev)/);
    expect(readdirSync(join(home, "masked-sessions"))).toEqual(["1.html", "2.html"]);
  });

  test("the same problem in several files is reported once", async () => {
    mkdirSync(join(home, "p"));
    const broken = Array.from({ length: 5 }, (_, i) => `p/${i}.json`);
    for (const file of broken) writeFileSync(join(home, file), '{"info":{"projectID":"p"},"messages":');
    const { code, err } = await run(["analyze", ...broken, "pi.jsonl"]);
    expect(code).toBe(1);
    expect(err.match(/cut off or damaged/g)).toHaveLength(1);
    expect(err).toContain("p/0.json and 4 other files: ");
  });

  test("shows where the money went, worst first, and reports a named file that can't be read", async () => {
    const { code, text, err } = await run(["analyze", "pi.jsonl", sample, "gone.jsonl"]);
    expect(code).toBe(1);
    expect(err).toContain("gone.jsonl");
    for (const title of [
      "by tool",
      "By kind",
      "stale",
      "cold",
      "read again",
      "preset",
      "Sessions, the most avoidable first",
    ])
      expect(text).toContain(title);
    const list = text.slice(text.indexOf("Sessions, the most"));
    expect(list.indexOf("Finance found refunds")).toBeLessThan(list.indexOf("Look at the values"));
    expect(list.indexOf("Finance found refunds")).toBeGreaterThan(0);
    expect(text).not.toContain("\u001b[");
    expect(err).not.toContain("\u001b[");
  });

  test("finds the sessions of Claude Code, Codex, OpenCode and pi without arguments", async () => {
    const nothing = await run(["analyze"]);
    expect(nothing.code).toBe(1);
    expect(nothing.err).toContain(".codex/sessions");
    const put = (path: string, text: string) => {
      mkdirSync(join(home, path, ".."), { recursive: true });
      writeFileSync(join(home, path), text);
    };
    put(".claude/projects/-w/s.jsonl", SESSIONS["claude-code.jsonl"] ?? "");
    put(".codex/sessions/2026/01/01/rollout.jsonl", SESSIONS["codex.jsonl"] ?? "");
    put(".pi/agent/sessions/w/s.jsonl", SESSIONS["pi.jsonl"] ?? "");
    const storage = ".local/share/opencode/storage";
    put(`${storage}/session/p1/ses_1.json`, JSON.stringify(opencodeSession));
    for (const { info, parts } of opencodeMessages) {
      put(`${storage}/message/ses_1/${info.id}.json`, JSON.stringify(info));
      for (const part of parts) put(`${storage}/part/${info.id}/${part.id}.json`, JSON.stringify(part));
    }
    await makeOpencodeDatabase(join(home, ".local/share/opencode/opencode.db"), [
      { id: "ses_2", messages: opencodeMessages },
      { id: "ses_3", parent: "ses_2", messages: opencodeMessages },
    ]);
    const { code, text, err } = await run(["analyze", "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(text).sources).toEqual({ "claude-code": 1, codex: 1, opencode: 2, pi: 1 });
    const paths = JSON.parse(text).sessions.map(({ path }: { path: string }) => path);
    expect(paths).toContainEqual(expect.stringMatching(/opencode\.db#ses_2$/));
  });

  test("--blocks shows the five-hour blocks, and --json has them for machines", async () => {
    expect((await run(["analyze", sample, "--blocks"])).text).toContain(
      "\n  2026-01-20 09:00 to 14:00        58",
    );
    const { text } = await run(["analyze", sample, "--blocks", "--json"]);
    expect(JSON.parse(text).blocks).toMatchObject([
      {
        source: "claude-code",
        start: "2026-01-20T09:00:00.000Z",
        end: "2026-01-20T14:00:00.000Z",
        requests: 58,
      },
    ]);
  });

  test("--csv writes a row for each session, and nothing else", async () => {
    const { text, err, code } = await run(["analyze", sample, "pi.jsonl", "--csv"]);
    expect({ code, err, lines: text.split("\r\n").length }).toEqual({ code: 0, err: "", lines: 4 });
    expect(text).toMatch(/^file,agent,session,/);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect((await run(["analyze", sample, "--csv", "--redact"])).text).not.toContain("/home/dev");
    expect((await run(["analyze", sample, "--csv", "--json"])).code).toBe(2);
  });

  test("--redact hides the owner of the home folder", async () => {
    const { text } = await run(["analyze", sample, "--by", "project", "--redact"]);
    expect(text).toContain("~/discount-service");
    expect(text).not.toContain("/home/dev");
  });
});

test("replay shows the measures of each policy, with none as 100 percent", async () => {
  const { text, code } = await run([
    "replay",
    sample,
    "--policy",
    "none",
    "coppice",
    "keep-last-5",
    "--json",
  ]);
  const { policies } = JSON.parse(text);
  expect(code).toBe(0);
  expect(policies.map(({ policy }: { policy: string }) => policy)).toEqual([
    "no pruning",
    "coppice",
    "keep last 5 results",
  ]);
  expect(policies[0].bill.mean).toBe(1);
  expect(policies[1].bill.mean).toBeLessThan(1);
  expect((await run(["replay", "pi.jsonl"])).text).toContain("evidence");
  const warm = await run(["replay", sample, "--policy", "none", "compact", "--keep-warm", "--json"]);
  const rows: { policy: string; bill: { mean: number } }[] = JSON.parse(warm.text).policies;
  expect(rows.map(({ policy }) => policy)).toEqual([
    "no pruning",
    "no pruning + keep warm",
    "coppice, compact",
    "coppice, compact + keep warm",
  ]);
  expect(rows[1]?.bill.mean).not.toBe(rows[0]?.bill.mean);
});

describe("explains why nothing is cut in a session", () => {
  const output = (i: number) => `OUT\n${`line of output ${i}\n`.repeat(150)}`;
  const session = JSON.stringify([
    { role: "user", content: "Fix the failing test." },
    ...Array.from({ length: 8 }, (_, i) => [
      { role: "assistant", content: "RUN make test" },
      { role: "user", content: output(i) },
    ]).flat(),
    { role: "assistant", content: "Done." },
  ]);
  const why =
    /Nothing was cut: there are no tool results, but 8 user messages of [\d,]+ tokens may be outputs;/;

  test.each([["prune"], ["prune", "--dry-run"], ["replay"], ["analyze"], ["report", "-o", "page.html"]])(
    "%s %s",
    async (...args) => {
      writeFileSync(join(home, "text.json"), session);
      const { code, text, err } = await run([...args, "text.json"]);
      expect(code).toBe(0);
      expect(`${text}${err}`.replace(/\s+/g, " ")).toMatch(why);
    },
  );

  test("and a rule for its agent removes the reason", async () => {
    const rule = { call: { begin: "RUN " }, result: { begin: "OUT\n" } };
    writeFileSync(join(home, "text.json"), session);
    writeFileSync(join(home, ".coppice.jsonc"), JSON.stringify({ textProtocols: [rule] }));
    const { text, err } = await run(["prune", "--dry-run", "text.json"]);
    expect(`${text}${err}`).not.toContain("Nothing was cut");
    expect(text).toMatch(/\d+ edits?: [\d,]+ tokens before/);
  });
});

test("files with a session's text are readable only for their owner, and a page says what it contains", async () => {
  const modeOf = (name: string): number => statSync(join(home, name)).mode & 0o777;
  writeFileSync(join(home, "r.html"), "older", { mode: 0o644 });
  const { err } = await run(["report", sample, "-o", "r.html"]);
  expect(err.split("\n").filter((line) => line.includes("the session's text"))).toHaveLength(1);
  expect((await run(["report", sample, "--redact", "-o", "m.html"])).err).not.toContain("the session's text");
  mkdirSync(join(home, "few"));
  writeFileSync(join(home, "few", "a.jsonl"), SESSIONS["pi.jsonl"] ?? "");
  expect((await run(["report", "few", "-o", "pages"])).err).toContain("the session's text");
  await run(["prune", "openai.json", "-o", "new/small.json"]);
  const files = [
    "r.html",
    "m.html",
    "pages/index.html",
    "pages/1-a.jsonl.html",
    "new/small.json.restore.json",
  ];
  for (const name of files) expect([name, modeOf(name)]).toEqual([name, 0o600]);
  for (const name of ["pages", "new"]) expect([name, modeOf(name)]).toEqual([name, 0o700]);
  await run(["prune", "openai.json"]);
  const folder = ".local/share/coppice/restore-files";
  expect(modeOf(folder)).toBe(0o700);
  expect(readdirSync(join(home, folder)).map((name) => modeOf(join(folder, name)))).toEqual([0o600]);
});

test("pages and index of a folder contain no secret and no home folder", async () => {
  const secret = `ghp_${"a1B2".repeat(10)}`;
  const folder = join(home, "-home-someuserhere-shop");
  mkdirSync(folder);
  const text = (SESSIONS["openai.json"] ?? "").replaceAll("part 7", `${secret} in /home/ada/shop`);
  writeFileSync(join(folder, `${secret}.json`), text);
  await run(["report", folder, "--redact", "-o", "pages"]);
  const names = readdirSync(join(home, "pages"));
  expect(names).toEqual(["1.html", "index.html"]);
  for (const name of names) {
    const page = readFileSync(join(home, "pages", name), "utf8");
    expect(page).not.toMatch(/a1B2a1B2|someuserhere|\/home\/ada/);
    expect(page).toContain("[redacted]");
  }
  expect(readFileSync(join(home, "pages/index.html"), "utf8")).toContain('"page":"1.html"');
});

test("report writes a page, masked if requested, and an index for a folder", async () => {
  expect((await run(["report", sample, "--redact", "-o", "r.html"])).text).toBe("r.html\n");
  const page = readFileSync(join(home, "r.html"), "utf8");
  expect(page).toContain("<!doctype html>");
  expect(page).not.toContain("/home/dev");
  mkdirSync(join(home, "few"));
  for (const name of ["a.jsonl", "b.jsonl"])
    writeFileSync(join(home, "few", name), SESSIONS["pi.jsonl"] ?? "");
  await run(["report", "few", "-o", "pages", "--top", "1"]);
  expect(readdirSync(join(home, "pages"))).toEqual(["1-a.jsonl.html", "index.html"]);
  expect(JSON.parse((await run(["report", "pi.jsonl", "--json"])).text).version).toBe(1);
  expect(existsSync(join(home, "coppice-report.html"))).toBe(false);
});

test("a report never replaces another silently", async () => {
  const read = (file: string) => readFileSync(join(home, file), "utf8");
  const made = async (...args: string[]) => (await run(["report", ...args])).text.trim();
  for (const folder of ["x", "y"]) mkdirSync(join(home, folder));
  writeFileSync(join(home, "x/s.jsonl"), SESSIONS["pi.jsonl"] ?? "");
  writeFileSync(join(home, "y/s.jsonl"), SESSIONS["codex.jsonl"] ?? "");
  expect(await made("x/s.jsonl")).toBe("coppice-report.html");
  const first = read("coppice-report.html");
  expect(await made("y/s.jsonl")).toBe("coppice-report-2.html");
  expect(await made("x/s.jsonl", "--preset", "compact")).toBe("coppice-report-3.html");
  expect(read("coppice-report.html")).toBe(first);
  // The same session again: the same page, with newer data.
  expect(await made("x/s.jsonl")).toBe("coppice-report.html");
  expect(await made("y/s.jsonl")).toBe("coppice-report-2.html");
  expect(await made("x")).toBe("coppice-reports/index.html");
  expect(await made("y")).toBe("coppice-reports-2/index.html");
  expect(await made("x")).toBe("coppice-reports/index.html");
  // If the user names the place, the file there is replaced.
  for (let i = 0; i < 2; i++)
    expect((await run(["report", "x/s.jsonl", "-o", "named.html"])).err).not.toContain("was there already");
  expect((await run(["report", "y/s.jsonl", "-o", "named.html"])).err).toContain(
    "named.html already existed, and is replaced",
  );
  await run(["report", "x", "-o", "pages"]);
  expect((await run(["report", "y", "-o", "pages"])).err).toContain("index.html already existed");
  expect(statSync(join(home, "named.html")).mode & 0o777).toBe(0o600);
});

test("config shows the effective settings and where they come from", async () => {
  writeFileSync(join(home, ".coppice.jsonc"), '{ "strategies": { "pruneProtect": 5, "pruneMinimun": 1 } }');
  const { text, code } = await run(["config"]);
  expect(text).toMatch(/strategies\.pruneProtect = 5\s+\S*\.coppice\.jsonc/);
  expect(text).toContain("did you mean strategies.pruneMinimum");
  expect(code).toBe(0);
  expect(JSON.parse((await run(["config", "--json"])).text).config.strategies.pruneProtect).toBe(5);
  expect((await run(["config", "--all"])).text).toContain('schedule.mode = "rent-or-buy"');
});

test("init adds the plugin and keeps comments, doctor sees it, remove undoes it", async () => {
  const file = join(home, "opencode.json");
  const before =
    '{\n\t// mine\n\t"model": "anthropic/claude-sonnet-4-5", /* good */\n\t"compaction": { "prune": true },\n\t"plugin": ["other@1.0.0"]\n}\n';
  writeFileSync(file, before);
  expect((await run(["init", "opencode", "--yes"])).code).toBe(0);
  const after = readFileSync(file, "utf8");
  expect(after).toContain("// mine");
  expect(after).toContain("/* good */");
  expect(after).toMatch(/"other@1\.0\.0",\s+"coppice@\d/);
  expect(readFileSync(`${file}.before-coppice`, "utf8")).toBe(before);
  expect(JSON.parse((await run(["init", "opencode", "--json"])).text).files).toEqual([
    { file, changed: false },
  ]);
  const { findings } = JSON.parse((await run(["doctor", "--json"])).text);
  const found = (what: string) => findings.find((each: { what: string }) => each.what === what);
  expect(found("OpenCode plugin").state).toBe("ok");
  expect(found("price of the model").found).toContain("claude-sonnet-4-5");
  expect(found("store of restore files").state).toBe("ok");
  expect(found("other pruners in OpenCode").found).toContain("compaction.prune");
  await run(["remove", "opencode"]);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(readdirSync(home).filter((name) => name.startsWith("opencode.json"))).toEqual(["opencode.json"]);
});

test("a reader that stops early is not an error", async () => {
  const child = spawn(process.execPath, [bin, "diff", sample, "--lines", "9999"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((done) => child.on("exit", done));
  expect(code).toBe(0);
  expect(err).not.toMatch(/EPIPE| {4}at /);
});

const recorded = resolve("../shared/data/sessions");

/** Only where that folder is: the smallest recording of each format. */
describe.runIf(existsSync(recorded))("recorded sessions", () => {
  const folders = existsSync(recorded)
    ? readdirSync(recorded, { withFileTypes: true }).filter(
        (entry) => entry.isDirectory() && entry.name !== "LICENSES",
      )
    : [];
  test.each(folders.map(({ name }) => name))("%s comes back byte for byte", async (name) => {
    const files = readdirSync(join(recorded, name)).map((file) => join(recorded, name, file));
    const [smallest = ""] = files.sort((a, b) => statSync(a).size - statSync(b).size);
    const plain = join(home, "plain");
    writeFileSync(plain, execFileSync("gzip", ["-dc", smallest], { maxBuffer: 1e9 }));
    expect((await run(["prune", "plain", "-o", "small"])).err).not.toContain("error");
    expect((await run(["restore", "small"])).out.equals(readFileSync(plain))).toBe(true);
  });
});
