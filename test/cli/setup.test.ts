import {
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
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyChanges, planChanges, undoChanges } from "../../src/cli/setup/apply-changes.ts";
import type { FileChange } from "../../src/cli/setup/change.ts";
import { SETUPS } from "../../src/cli/setup/setups.ts";
import { readJsonc } from "../../src/config/jsonc.ts";

const URL = "http://127.0.0.1:8787";
const NAMES = Object.keys(SETUPS);
const WITH_LINE = "claude with its status line";
const CASES = [...NAMES, WITH_LINE];
const LINE = { type: "command", command: "coppice statusline" };

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-setup-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function changesOf(name: string, url: string = URL): readonly FileChange[] {
  const [agent = ""] = name.split(" ");
  const line = name === WITH_LINE ? LINE : undefined;
  return SETUPS[agent]?.changes({ env: {}, home, directory: home }, url, line) ?? [];
}

async function init(changes: readonly FileChange[]): Promise<void> {
  await applyChanges(await planChanges(changes));
}

function write(file: string, bytes: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/** Files below a folder, with their bytes. */
function snapshot(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path).toString("base64")];
    }),
  );
}

const blank = fc.constantFrom("", " ", "\n", "\r\n", "\t", "\n\n");
const comment = fc.constantFrom("", "// mine\n", '/* a, "b": { */', "//\r\n");
/** JSON as people write it: comments, odd blanks, trailing commas. */
const jsonText: fc.Arbitrary<string> = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    before: blank,
    note: comment,
    keys: fc.uniqueArray(fc.constantFrom("model", "theme", "hooks", "a b", "permissions"), { maxLength: 4 }),
    value: fc.jsonValue({ maxDepth: 2 }),
    env: fc.option(fc.dictionary(fc.constantFrom("A", "B_C"), fc.string(), { maxKeys: 2 }), {
      nil: undefined,
    }),
    eol: fc.constantFrom("\n", "\r\n", ""),
    comma: fc.boolean(),
    end: fc.constantFrom("", "\n", "\r\n", "\n\n"),
  })
  .map(({ mark, before, note, keys, value, env, eol, comma, end }) => {
    const members = [
      ...keys.map((key) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`),
      ...(env === undefined ? [] : [`"env": ${JSON.stringify(env)}`]),
    ];
    const tail = comma && members.length > 0 ? "," : "";
    return `${mark}${before}{${eol}${note}${members.join(`,${eol}`)}${tail}${eol}}${end}`;
  });

const tomlText: fc.Arbitrary<string> = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    pieces: fc.uniqueArray(
      fc.constantFrom(
        'model = "gpt-5.4"',
        "# a comment",
        "",
        'note = """\n[mcp_servers.coppice]\nurl = 1"""',
        "[tools]\nweb_search = true # yes",
        '[mcp_servers.other]\ncommand = "x"',
        "[[things]]\na = 1",
        "[projects.\"/home/ada\"]\ntrust_level = 'trusted'",
      ),
      { maxLength: 6 },
    ),
    eol: fc.constantFrom("\n", "\r\n"),
    end: fc.constantFrom("", "\n"),
  })
  .map(({ mark, pieces, eol, end }) => {
    // Top-level keys come before all tables.
    const sorted = pieces.toSorted((a, b) => Number(a.startsWith("[")) - Number(b.startsWith("[")));
    return `${mark}${`${sorted.join("\n")}${end}`.replaceAll("\n", eol)}`;
  });

const envText: fc.Arbitrary<string> = fc
  .record({
    lines: fc.array(fc.constantFrom("A=1", "# GOOGLE_GEMINI_BASE_URL=x", "", 'B="c d"'), { maxLength: 4 }),
    eol: fc.constantFrom("\n", "\r\n"),
    end: fc.constantFrom("", "\n"),
    mark: fc.constantFrom("", "\uFEFF"),
  })
  .map(({ lines, eol, end, mark }) => `${mark}${lines.join(eol)}${end && eol}`);

function textFor(file: string): fc.Arbitrary<string> {
  return file.endsWith(".toml") ? tomlText : file.endsWith(".env") ? envText : jsonText;
}

describe.each(CASES)("init %s, then remove", (name) => {
  test("restores the same bytes, for unusual files and missing ones", async () => {
    const files = changesOf(name).map(({ file }) => file);
    const texts = fc.tuple(
      ...files.map((file) => fc.option(textFor(file.slice(home.length)), { nil: undefined })),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home);
        for (const [i, file] of files.entries()) if (given[i] !== undefined) write(file, given[i] ?? "");
        const before = snapshot(home);
        await init(changesOf(name));
        expect(snapshot(home)).not.toEqual(before);
        const outcomes = await undoChanges(changesOf(name));
        expect(outcomes.every(({ changed }) => changed)).toBe(true);
        expect(snapshot(home)).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  test("twice is once", async () => {
    await init(changesOf(name));
    const once = snapshot(home);
    await init(changesOf(name));
    expect(snapshot(home)).toEqual(once);
  });

  test("a client's own changes in between stay, and only ours are removed", async () => {
    await init(changesOf(name));
    for (const { file } of changesOf(name)) {
      const text = readFileSync(file, "utf8");
      if (file.endsWith(".json")) write(file, text.replace("{", '{ "theme": "dark", // new\n'));
      else write(file, file.endsWith(".toml") ? `model = "new"\n${text}` : `${text}NEW=1\n`);
    }
    await undoChanges(changesOf(name));
    for (const { file } of changesOf(name)) {
      const text = readFileSync(file, "utf8");
      expect(text).not.toMatch(/coppice|8787/);
      if (file.endsWith(".json")) expect(readJsonc(text)).toMatchObject({ value: { theme: "dark" } });
      else expect(text).toMatch(/new/i);
    }
  });

  test("an existing address is not overwritten, and nothing is left behind", async () => {
    await init(changesOf(name, "http://127.0.0.1:1"));
    const before = snapshot(home);
    await expect(planChanges(changesOf(name))).rejects.toThrow(
      /nothing was changed.*coppice proxy --upstream/,
    );
    expect(snapshot(home)).toEqual(before);
  });

  test("through a link, which stays one", async () => {
    for (const [i, { file }] of changesOf(name).entries()) {
      const real = join(home, `dotfiles/${i}`);
      write(real, file.endsWith(".json") ? '{\n\t"a": 1\n}' : "");
      mkdirSync(dirname(file), { recursive: true });
      symlinkSync(real, file);
    }
    const before = snapshot(home);
    await init(changesOf(name));
    await undoChanges(changesOf(name));
    expect(snapshot(home)).toEqual(before);
    for (const { file } of changesOf(name)) expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  test("the copy is not readable for more users than the file", async () => {
    const { file } = changesOf(name)[0] as FileChange;
    write(file, file.endsWith(".json") ? "{}" : "");
    chmodSync(file, 0o600);
    await init(changesOf(name));
    expect(statSync(`${file}.before-coppice`).mode & 0o777).toBe(0o600);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("if one file can't be written, none is changed", async () => {
    const [first] = changesOf(name) as [FileChange];
    write(first.file, first.file.endsWith(".json") ? "{}" : "");
    const before = snapshot(home);
    const planned = await planChanges([...changesOf(name), { ...first, file: join(home, "file/settings") }]);
    // A file comes to stand where the folder would have to be.
    write(join(home, "file"), "");
    await expect(applyChanges(planned)).rejects.toThrow("nothing was changed");
    rmSync(join(home, "file"));
    expect(snapshot(home)).toEqual(before);
  });
});

describe("init writes a part, and later the rest", () => {
  const file = () => join(home, ".claude/settings.json");
  const partly = (): readonly FileChange[] => changesOf("claude");

  test.each([
    ["a file", '{\n    "model": "opus",\n    "env": { "ENABLE_TOOL_SEARCH": "true" }}'],
    ["an empty object", "{}\n"],
    ["an empty file", ""],
    ["no file", undefined],
  ])("remove gives %s back as it was before the first time", async (_, text) => {
    if (text !== undefined) write(file(), text);
    const before = snapshot(home);
    await init(partly());
    await init(changesOf(WITH_LINE));
    expect(readFileSync(file(), "utf8")).toContain("statusline");
    await undoChanges(changesOf(WITH_LINE));
    expect(snapshot(home)).toEqual(before);
  });

  test("a part alone is taken out as well, to the last byte", async () => {
    write(file(), '{ "a" : 1 }');
    const before = snapshot(home);
    await init(partly());
    await undoChanges(changesOf(WITH_LINE));
    expect(snapshot(home)).toEqual(before);
  });

  test("the user's own value stays, though it is the same as ours", async () => {
    write(file(), '{ "env": { "ENABLE_TOOL_SEARCH": "true" } }');
    await init(changesOf(WITH_LINE));
    write(file(), readFileSync(file(), "utf8").replace("{", '{ "theme": "dark",'));
    await undoChanges(changesOf(WITH_LINE));
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
      theme: "dark",
      env: { ENABLE_TOOL_SEARCH: "true" },
    });
  });
});

test("one file that can't be given back is told of, and the others are given back", async () => {
  await init(changesOf("gemini"));
  const [env, settings] = changesOf("gemini") as [FileChange, FileChange];
  write(settings.file, "{ broken");
  const outcomes = await undoChanges([settings, env]);
  expect(outcomes).toEqual([
    { file: settings.file, changed: false, problem: expect.stringContaining("fix it first") },
    { file: env.file, changed: true },
  ]);
  expect(existsSync(env.file)).toBe(false);
});

test.each([
  ["claude", '{ "env": ', /line 1/],
  ["claude", '{ "env": [] }', /env/],
  ["claude", "[]", /not an object/],
  ["codex", "model = ", /fix it first/],
  ["codex", "mcp_servers = { other = { url = 'x' } }", /can't add to/],
  ["codex", "[mcp_servers.coppice]\nurl = 'x'", /already/],
])("init %s refuses %j and changes nothing", async (name, text, why) => {
  const { file } = changesOf(name)[0] as FileChange;
  write(file, text);
  await expect(planChanges(changesOf(name))).rejects.toThrow(why);
  expect(snapshot(home)).toEqual({ [file]: Buffer.from(text).toString("base64") });
});

test("bytes that are not text are refused", async () => {
  const { file } = changesOf("codex")[0] as FileChange;
  write(file, Buffer.from([0x61, 0x20, 0x3d, 0x20, 0x22, 0xff, 0x22]));
  await expect(planChanges(changesOf("codex"))).rejects.toThrow("UTF-8");
});

test("Claude Code: the user's setting for tool search stays", async () => {
  const file = join(home, ".claude/settings.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{ "env": { "ENABLE_TOOL_SEARCH": "auto:5" } }\n');
  await init(changesOf("claude"));
  expect(JSON.parse(readFileSync(file, "utf8")).env).toEqual({
    ENABLE_TOOL_SEARCH: "auto:5",
    ANTHROPIC_BASE_URL: `${URL}/anthropic`,
  });
});

test("the settings that a client reads afterwards", async () => {
  for (const name of NAMES) await init(changesOf(name));
  const read = (path: string) => readFileSync(join(home, path), "utf8");
  expect(JSON.parse(read(".claude/settings.json"))).toEqual({
    env: { ANTHROPIC_BASE_URL: `${URL}/anthropic`, ENABLE_TOOL_SEARCH: "true" },
  });
  expect(parse(read(".codex/config.toml"))).toEqual({
    openai_base_url: `${URL}/v1`,
    mcp_servers: { coppice: { url: `${URL}/mcp`, omit_tools_from: ["code_mode", "deferred"] } },
  });
  expect(read(".gemini/.env")).toBe(`GOOGLE_GEMINI_BASE_URL=${URL}/gemini\n`);
  expect(existsSync(join(home, ".claude/settings.json.before-coppice"))).toBe(false);
});
