import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { type LoadOptions, loadConfig } from "../../src/config/files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "coppice-config-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Files by path below the temporary folder; `home` and `home/project` are the usual places. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function load(options: Partial<LoadOptions> = {}) {
  const directory = join(root, "home/project");
  mkdirSync(directory, { recursive: true });
  const loaded = loadConfig({ host: "opencode", directory, env: {}, home: join(root, "home"), ...options });
  return { ...loaded, files: loaded.files.map((file) => relative(root, file)) };
}

test("no files: the defaults", () => {
  expect(load()).toMatchObject({ config: DEFAULT_CONFIG, issues: [], files: [] });
  expect(load({ host: "none" })).toMatchObject({ config: DEFAULT_CONFIG, issues: [], files: [] });
});

const setAll = (value: number, ...names: string[]): string =>
  JSON.stringify({ strategies: Object.fromEntries(names.map((name) => [name, value])) });

test("OpenCode: each level overrides the ones before it", () => {
  write({
    "home/.config/opencode/coppice.jsonc":
      '{ "strategies": { "pruneProtect": 1, "pruneMinimum": 1, "trim": { "maxAge": 1, "preserveRecentTurns": 1, "reservedOutputTokens": 1 } } }',
    "extra/coppice.jsonc":
      '{ "strategies": { "pruneMinimum": 2, "trim": { "maxAge": 2, "preserveRecentTurns": 2, "reservedOutputTokens": 2 } } }',
    "home/project/.opencode/coppice.jsonc":
      '{ "strategies": { "trim": { "maxAge": 3, "preserveRecentTurns": 3, "reservedOutputTokens": 3 } } }',
  });
  const env = {
    OPENCODE_CONFIG_DIR: join(root, "extra"),
    COPPICE_STRATEGIES_TRIM_PRESERVE_RECENT_TURNS: "4",
    COPPICE_STRATEGIES_TRIM_RESERVED_OUTPUT_TOKENS: "4",
  };
  const { config, origins, files, issues } = load({
    env,
    overrides: { strategies: { trim: { reservedOutputTokens: 5 } } },
  });
  expect(config.strategies).toMatchObject({
    pruneProtect: 1,
    pruneMinimum: 2,
    trim: { maxAge: 3, preserveRecentTurns: 4, reservedOutputTokens: 5 },
  });
  expect(origins).toMatchObject({
    debug: "default",
    "strategies.pruneProtect": join(root, "home/.config/opencode/coppice.jsonc"),
    "strategies.pruneMinimum": join(root, "extra/coppice.jsonc"),
    "strategies.trim.maxAge": join(root, "home/project/.opencode/coppice.jsonc"),
    "strategies.trim.preserveRecentTurns": "COPPICE_STRATEGIES_TRIM_PRESERVE_RECENT_TURNS",
    "strategies.trim.reservedOutputTokens": "options",
  });
  expect(files).toEqual([
    "home/.config/opencode/coppice.jsonc",
    "extra/coppice.jsonc",
    "home/project/.opencode/coppice.jsonc",
  ]);
  expect(issues).toEqual([]);
});

test("outside OpenCode: its own files, and not OpenCode's", () => {
  write({
    "home/.config/coppice/config.jsonc": setAll(1, "pruneProtect", "pruneMinimum"),
    "home/project/.coppice.jsonc": setAll(2, "pruneMinimum"),
    "home/.config/opencode/coppice.jsonc": setAll(9, "pruneProtect"),
    "home/project/.opencode/coppice.jsonc": setAll(9, "pruneProtect"),
    "extra/coppice.jsonc": setAll(9, "pruneProtect"),
  });
  const { config, files } = load({ host: "none", env: { OPENCODE_CONFIG_DIR: join(root, "extra") } });
  expect(config.strategies).toMatchObject({ pruneProtect: 1, pruneMinimum: 2 });
  expect(files).toEqual(["home/.config/coppice/config.jsonc", "home/project/.coppice.jsonc"]);
});

test.each<[LoadOptions["host"], string[], string[]]>([
  [
    "opencode",
    ["xdg/opencode/coppice.jsonc", "home/.config/opencode/coppice.jsonc"],
    ["xdg/opencode/coppice.jsonc"],
  ],
  ["none", ["xdg/coppice/config.jsonc", "home/.config/coppice/config.jsonc"], ["xdg/coppice/config.jsonc"]],
])("$XDG_CONFIG_HOME replaces ~/.config: %s", (host, present, expected) => {
  write(Object.fromEntries(present.map((path) => [path, "{}"])));
  expect(load({ host, env: { XDG_CONFIG_HOME: join(root, "xdg") } }).files).toEqual(expected);
  expect(load({ host, env: { XDG_CONFIG_HOME: "" } }).files).toEqual(present.slice(1));
});

const project = "home/project/.opencode";
test.each<[LoadOptions["host"], string[], string]>([
  ["opencode", [`${project}/coppice.json`], `${project}/coppice.json`],
  ["opencode", [`${project}/coppice.json`, `${project}/coppice.jsonc`], `${project}/coppice.jsonc`],
  ["opencode", [`${project}/acp.jsonc`], `${project}/acp.jsonc`],
  ["opencode", [`${project}/acp.json`], `${project}/acp.json`],
  ["opencode", [`${project}/acp.jsonc`, `${project}/coppice.json`], `${project}/coppice.json`],
  ["opencode", ["home/.config/opencode/acp.jsonc"], "home/.config/opencode/acp.jsonc"],
  ["opencode", ["home/.opencode/coppice.jsonc"], "home/.opencode/coppice.jsonc"],
  ["opencode", ["home/.opencode/coppice.jsonc", `${project}/acp.jsonc`], `${project}/acp.jsonc`],
  ["none", ["home/project/.coppice.json"], "home/project/.coppice.json"],
  ["none", ["home/.coppice.jsonc"], "home/.coppice.jsonc"],
  ["none", ["home/.config/coppice/config.json"], "home/.config/coppice/config.json"],
])("%s: of %j, %s is read", (host, present, expected) => {
  write(Object.fromEntries(present.map((path) => [path, '{ "debug": true }'])));
  expect(load({ host })).toMatchObject({ files: [expected], config: { debug: true } });
});

test("the project file is the nearest one, up to the repository's root", () => {
  write({
    ".coppice.jsonc": "{}",
    "home/.coppice.jsonc": "{}",
    "home/project/.git/HEAD": "",
    "home/project/a/b/c.ts": "",
  });
  const directory = join(root, "home/project/a/b");
  expect(load({ host: "none", directory }).files).toEqual([]);
  write({ "home/project/.coppice.jsonc": "{}" });
  expect(load({ host: "none", directory }).files).toEqual(["home/project/.coppice.jsonc"]);
  write({ "home/project/a/.coppice.json": "{}" });
  expect(load({ host: "none", directory }).files).toEqual(["home/project/a/.coppice.json"]);
});

test("outside a repository the search stops at the home folder; outside that, at the root", () => {
  write({ ".coppice.jsonc": "{}", "elsewhere/a/b.ts": "" });
  expect(load({ host: "none" }).files).toEqual([]);
  expect(load({ host: "none", directory: join(root, "elsewhere/a") }).files).toEqual([".coppice.jsonc"]);
});

test("a file that is two levels is read once", () => {
  write({ "home/project/.opencode/coppice.jsonc": '{ "debug": 1 }' });
  const { files, issues } = load({ env: { OPENCODE_CONFIG_DIR: join(root, project) } });
  expect(files).toEqual(["home/project/.opencode/coppice.jsonc"]);
  expect(issues).toHaveLength(1);
});

test("a bad value is reported with file, line, key, the expected value and the value used instead", () => {
  write({
    "home/.config/opencode/coppice.jsonc": '{ "strategies": { "pruneProtect": 7 } }',
    "home/project/.opencode/coppice.jsonc":
      '\uFEFF// mine\n{\n  "debug": true,\n  "strategies": {\n    "pruneProtect": "lots",\n    "pruneMinimun": 3,\n  },\n}\n',
  });
  const file = join(root, project, "coppice.jsonc");
  const global = join(root, "home/.config/opencode/coppice.jsonc");
  const { config, issues } = load({ env: { COPPICE_SHADOW: "perhaps" }, overrides: { window: 0 } });
  expect(config).toMatchObject({ debug: true, strategies: { pruneProtect: 7, pruneMinimum: 20000 } });
  expect(issues).toEqual([
    {
      code: "config-invalid-value",
      severity: "error",
      where: `${file}:5`,
      message: `strategies.pruneProtect: expected a whole number ≥ 0, got "lots"; using 7 (${global})`,
    },
    {
      code: "config-unknown-key",
      severity: "warning",
      where: `${file}:6`,
      message: "strategies.pruneMinimun: unknown key, ignored; did you mean strategies.pruneMinimum?",
    },
    {
      code: "config-invalid-value",
      severity: "error",
      where: "COPPICE_SHADOW",
      message: 'shadow: expected true or false, got "perhaps"; using false (default)',
    },
    {
      code: "config-invalid-value",
      severity: "error",
      where: "options",
      message: "window: expected a whole number ≥ 1 or null, got 0; using null (default)",
    },
  ]);
});

test("a file with a mistake: an issue with its line, and the readable part is used", () => {
  write({ "home/project/.coppice.jsonc": '{\n  "debug": true\n  "shadow": true\n}' });
  const { config, issues } = load({ host: "none" });
  expect(config).toMatchObject({ debug: true, shadow: true });
  expect(issues).toEqual([
    {
      code: "config-unreadable",
      severity: "error",
      where: `${join(root, "home/project/.coppice.jsonc")}:3`,
      message: "comma expected; Coppice uses what it can read",
    },
  ]);
});

test.each<[string, () => void]>([
  ["a folder", () => mkdirSync(join(root, project, "coppice.jsonc"), { recursive: true })],
  ["nested too deeply", () => write({ [`${project}/coppice.jsonc`]: "[".repeat(200_000) })],
])("a file that cannot be read (%s) is an issue; the other levels are used", (_, make) => {
  write({ "home/.config/opencode/coppice.jsonc": '{ "debug": true }' });
  make();
  expect(load()).toMatchObject({
    config: { debug: true },
    issues: [
      { code: "config-unreadable", where: expect.stringContaining("coppice.jsonc"), severity: "error" },
    ],
  });
});

test("a broken link is not a file; a missing folder has none", () => {
  mkdirSync(join(root, project), { recursive: true });
  symlinkSync(join(root, "nowhere"), join(root, project, "coppice.jsonc"));
  expect(load().files).toEqual([]);
  expect(load({ directory: join(root, "no/such/folder") }).issues).toEqual([]);
});

test("without env and home, those of the process", () => {
  write({ "xdg/coppice/config.jsonc": '{ "debug": true }' });
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "xdg"));
  vi.stubEnv("COPPICE_SHADOW", "on");
  expect(loadConfig({ host: "none", directory: root }).config).toMatchObject({ debug: true, shadow: true });
  vi.unstubAllEnvs();
});

test.each(["pi", "omp"] as const)("%s: its own folders, and not the other's", (host) => {
  write({
    [`home/.${host}/agent/coppice.jsonc`]: setAll(1, "pruneProtect", "pruneMinimum"),
    [`home/project/.${host}/coppice.json`]: setAll(2, "pruneMinimum"),
    [`home/.${host === "pi" ? "omp" : "pi"}/agent/coppice.jsonc`]: setAll(9, "pruneProtect"),
    "home/.config/coppice/config.jsonc": setAll(9, "pruneProtect"),
    "extra/coppice.jsonc": setAll(3, "pruneProtect"),
  });
  const { config, files } = load({ host });
  expect(config.strategies).toMatchObject({ pruneProtect: 1, pruneMinimum: 2 });
  expect(files).toEqual([`home/.${host}/agent/coppice.jsonc`, `home/project/.${host}/coppice.json`]);
  const moved = load({ host, env: { PI_CODING_AGENT_DIR: join(root, "extra") } });
  expect(moved.config.strategies).toMatchObject({ pruneProtect: 3, pruneMinimum: 2 });
});
