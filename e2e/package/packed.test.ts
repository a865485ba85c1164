import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

/* The package as npm installs it from its tarball into an empty project, by `bash e2e/package/install.sh`. */

const root = resolve(import.meta.dirname, "../..");

/** A copy outside of the repository, whose packages would be found from inside it. */
let project = "";
let installed = "";

const COMPILERS: readonly (readonly [version: string, folder: string])[] = [
  ...["5.4", "5.6", "5.9", "6.0"].map(
    (version) => [version, join(import.meta.dirname, `node_modules/typescript-${version}`)] as const,
  ),
  ["7.0", join(root, "node_modules/typescript")],
];
/** Each value of each setting with every compiler; they are independent. */
const SETTINGS = [
  { moduleResolution: "nodenext", module: "nodenext", exactOptionalPropertyTypes: true },
  { moduleResolution: "bundler", module: "esnext", exactOptionalPropertyTypes: false },
] as const;
const PEERS: Readonly<Record<string, readonly string[]>> = {
  "coppice/langchain": ["langchain", "@langchain/core"],
};

/** What threads and processes are started with. */
const STARTED = [
  "cli/service/service-main.js",
  "cli/stand-in-main.js",
  "cli/worker.js",
  "hosts/proxy/dashboard/report-worker.js",
];
/** Each in one file. */
const PLUGINS = ["pi.js", "server.js"];

let folder = "";
let entries: readonly string[] = [];

beforeAll(() => {
  const made = join(import.meta.dirname, "project");
  if (!existsSync(made)) throw new Error("first: bash e2e/package/install.sh");
  folder = mkdtempSync(join(tmpdir(), "coppice-packed-"));
  project = join(folder, "project");
  installed = join(project, "node_modules/coppice");
  cpSync(made, project, { recursive: true, verbatimSymlinks: true });
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  entries = Object.entries(exports).flatMap(([name, entry]) =>
    typeof entry === "string" ? [] : [`coppice${name.slice(1)}`],
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A project with the installed package, and files that import these entries. */
function makeProject(name: string, imported: readonly string[]): string {
  const place = join(project, name);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  for (const [i, entry] of imported.entries())
    writeFileSync(
      join(place, `use-${i}.ts`),
      `import * as it from "${entry}";\nexport const all: typeof it = it;\n`,
    );
  return place;
}

/** The compiler's output, without Node's types. */
async function compile(compiler: string, place: string, settings: object): Promise<string> {
  const config = join(place, `tsconfig-${Object.values(settings).join("-")}.json`);
  const fixed = { strict: true, skipLibCheck: false, target: "es2022", lib: ["es2022", "dom"], types: [] };
  const compilerOptions = { ...fixed, ...settings, noEmit: true };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ["use-*.ts"] }));
  const { bin } = JSON.parse(readFileSync(join(compiler, "package.json"), "utf8"));
  try {
    await promisify(execFile)(process.execPath, [join(compiler, bin.tsc), "-p", config], { cwd: place });
    return "";
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout || error);
  }
}

test("there are entries", () => {
  expect(entries.length).toBeGreaterThan(12);
  expect(entries).toContain("coppice");
});

test.each(COMPILERS)(
  "TypeScript %s accepts every entry, strictly, with declarations checked",
  async (version, compiler) => {
    const found: string = JSON.parse(readFileSync(join(compiler, "package.json"), "utf8")).version;
    expect(found.startsWith(version)).toBe(true);
    const imported = entries.filter((entry) => PEERS[entry] === undefined);
    const place = makeProject(`ts-${version}`, imported);
    const said = await Promise.all(SETTINGS.map((settings) => compile(compiler, place, settings)));
    expect(said).toEqual(SETTINGS.map(() => ""));
  },
);

test("a mistake would be found", async () => {
  const place = makeProject("wrong", ["coppice", "coppice/langchain"]);
  writeFileSync(
    join(place, "use-2.ts"),
    'import { createPruner } from "coppice";\ncreatePruner({ config: 5 });\n',
  );
  const said = await compile(join(root, "node_modules/typescript"), place, SETTINGS[0]);
  expect(said).toMatch(/use-2\.ts/);
  // Without a peer, only its own entry fails.
  expect(said).toMatch(/Cannot find module 'langchain'/);
  expect(
    said.split("\n").filter((line) => /error TS/.test(line) && !/use-2|hosts\/langchain\//.test(line)),
  ).toEqual([]);
});

test.each(COMPILERS.filter(([version]) => version === "5.4" || version === "7.0"))(
  "with its peers, TypeScript %s accepts every entry",
  async (version, compiler) => {
    for (const peer of Object.values(PEERS).flat()) {
      const place = join(project, "node_modules", peer);
      mkdirSync(dirname(place), { recursive: true });
      if (!existsSync(place)) symlinkSync(join(root, "node_modules", peer), place);
    }
    const place = makeProject(`peers-${version}`, entries);
    // Declarations of others may need more than ours do: those are not checked.
    expect(await compile(compiler, place, { ...SETTINGS[0], skipLibCheck: true })).toBe("");
  },
);

test("the code is there once, with maps: entries, the chunks that they share, plugins and pages", () => {
  const { exports, bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const dist = join(installed, "dist");
  const named = [...Object.values(exports), ...Object.values(bin)].flatMap((entry) => {
    const file = typeof entry === "string" ? entry : (entry as { readonly default: string }).default;
    return file.startsWith("./dist/") ? [file.slice("./dist/".length)] : [];
  });
  const code = (readdirSync(dist, { recursive: true }) as string[]).filter((file) => file.endsWith(".js"));
  const others = code.filter((file) => !named.includes(file) && !/^(?:chunks|page\/bundle)\//.test(file));
  expect(others.sort()).toEqual(STARTED);
  for (const file of [...named, ...code.filter((each) => each.startsWith("chunks/"))])
    expect(existsSync(join(dist, `${file}.map`)), file).toBe(!PLUGINS.includes(file));
  const chunks = code
    .filter((file) => !PLUGINS.includes(file))
    .map((file) => readFileSync(join(dist, file), "utf8"));
  expect(chunks.filter((text) => /\bFold = class\b/.test(text)).length).toBe(1);
});

test("the licences of what is bundled go with it", () => {
  const read = (file: string) => readFileSync(join(installed, "dist", file), "utf8");
  expect(read("LICENSES.txt")).toMatch(/^@pydantic\/genai-prices [\s\S]*MIT[\s\S]*^zod [\s\S]*MIT/m);
  expect(read("LICENSES-PLUGINS.txt")).toMatch(/^unbash [\s\S]*^zod /m);
});

test("npx coppice runs from it, and the README's example", () => {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: project, encoding: "utf8" });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(run("npx", "--no-install", "coppice", "--version").trim()).toBe(version);
  const [, code = ""] =
    /^```js\n([\s\S]*?)^```/m.exec(readFileSync(join(installed, "README.md"), "utf8")) ?? [];
  writeFileSync(join(project, "example.mjs"), code);
  expect(run(process.execPath, "example.mjs")).not.toBe("");
});

test("it is a marketplace for Claude Code, with a plugin whose program runs", () => {
  const read = (path: string) => JSON.parse(readFileSync(join(installed, path), "utf8"));
  const [{ source }] = read(".claude-plugin/marketplace.json").plugins;
  expect(read(join(source, ".claude-plugin/plugin.json")).version).toBe(read("package.json").version);
  expect(Object.keys(read(join(source, "hooks/hooks.json")).hooks)).toContain("PostToolUse");
  const hook = join(installed, source, "hook.mjs");
  expect(execFileSync(process.execPath, [hook], { input: "{}", encoding: "utf8" })).toBe("");
});
