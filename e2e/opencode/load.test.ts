import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { as, bash, prune, resultOf, source } from "./ask.ts";
import { clone, openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* How the plugin is loaded, and the effects of an error inside it: none for the user. */

let stage: Stage;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coppice-load-"));
  stage = await openStage({ files: { "a.ts": source("a") }, plugins: [] });
});

afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A session with this plugin that makes the same call twice and tries to cut something. */
async function play(name: string, plugin: unknown, model = "m"): Promise<Talk> {
  const files = { "a.ts": source("a"), ".opencode/coppice.jsonc": `{ "schedule": { "mode": "eager" } }` };
  const folder = stage.host.addProject(`${name}-${model.replace("/", "-")}`, files, { plugin: [plugin] });
  const talk = await stage.talk(folder, model);
  await talk.say("Go.", [
    { calls: [as("one", bash("seq 1 500"))] },
    { calls: [as("two", bash("seq 1 500"))] },
    { calls: [as("three", prune("discard", [["000000"]]))] },
    { text: "Done." },
  ]);
  return talk;
}

/** Toasts arrive at any time. */
const PATIENT = { timeout: 20_000 };
const errorText = () =>
  stage.toasts.flatMap(({ variant, message }) => (variant === "error" ? [message] : [])).join("\n");

describe("loaded", () => {
  it.each([
    ["a clone's folder", () => clone],
    ["a url", () => pathToFileURL(join(clone, "dist/server.js")).href],
  ])("by %s", async (name, plugin) => {
    const talk = await play(name.replaceAll(/\W/g, "-"), plugin());
    expect(resultOf(talk.steps.at(-1), "one")).toMatch(/^\[superseded/m);
  });

  it('by "coppice", from the published package', async () => {
    const pack = execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
      cwd: clone,
    });
    const place = join(stage.host.home, ".cache/opencode/packages/coppice@latest/node_modules/coppice");
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, pack.toString().trim()), "--strip-components=1", "-C", place]);
    const talk = await play("published", "coppice");
    expect(resultOf(talk.steps.at(-1), "one")).toMatch(/^\[superseded/m);
  });

  it("needs only its one file", () => {
    const text = readFileSync(join(clone, "dist/server.js"), "utf8");
    const imports = [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name ?? "");
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((name) => !isBuiltin(name))).toEqual([]);
    expect(text).not.toMatch(/\brequire\("/);
  });
});

describe("a fault", () => {
  it("in a pass costs that pass, and is reported", async () => {
    const plugin = await bundle("pass", "src/strategies/replacing/supersede.ts", (code) =>
      code.replace(
        /(export function supersedeSeries[^{]*\{\n)/,
        '$1 throw new Error("injected into a pass");',
      ),
    );
    const talk = await play("fault-pass", plugin);
    expect(resultOf(talk.steps.at(-1), "one")).toContain("499\n500");
    await expect.poll(errorText, PATIENT).toContain("injected into a pass");
  });

  it("in the engine sends the messages unchanged, and is reported", async () => {
    const plugin = await bundle("engine", "src/formats/intake/request-ends.ts", (code) =>
      code.replace(/(export function requestEnds[^{]*\{)/, '$1 throw new Error("injected into the engine");'),
    );
    const talk = await play("fault-engine", plugin);
    expect(resultOf(talk.steps.at(-1), "one")).toContain("499\n500");
    await expect.poll(errorText, PATIENT).toContain("injected into the engine");
  });

  it.each(WIRES)(
    "in the plugin itself, in every hook, does no harm and is reported, over %s",
    async (_, model) => {
      const plugin = await bundle("plugin", HOOKS, (code) =>
        code.replace(
          /^ {2}(?:async )?#?(transform|expectSummary|appendSystem|answer|runCommand|observe)\([^{]*\{$/gm,
          (found, name: string) =>
            // The outer `answer` catches the inner one's errors.
            found.includes("  async answer(")
              ? found
              : `${found} if (1) throw new Error("injected into ${name}");`,
        ),
      );
      const talk = await play("fault-plugin", plugin, model);
      expect(resultOf(talk.steps.at(-1), "one")).toContain("499\n500");
      expect(resultOf(talk.steps.at(-1), "three")).toContain("failed inside Coppice");
      for (const name of ["transform", "appendSystem", "answer"])
        await expect.poll(errorText, PATIENT).toContain(`injected into ${name}`);
      await talk.command("coppice", "stats");
      await expect.poll(errorText, PATIENT).toContain("injected into runCommand");
    },
  );

  it("in the host's own services costs only their data", async () => {
    const wrapper = join(folder, "wrapper.mjs");
    writeFileSync(
      wrapper,
      `import coppice from ${JSON.stringify(pathToFileURL(join(clone, "dist/server.js")).href)};
       const broken = new Proxy({}, { get: () => new Proxy({}, { get: () => () => { throw new Error("no service"); } }) });
       export default { id: "wrapped", server: (input, options) => coppice.server({ ...input, client: broken }, options) };`,
    );
    const talk = await play("fault-host", wrapper);
    expect(resultOf(talk.steps.at(-1), "one")).toMatch(/^\[superseded/m);
  });
});

/** The plugin with a change in one of its sources. */
/** The targets of OpenCode's hooks. */
const HOOKS = ["src/hosts/opencode/requests.ts", "src/hosts/plugin/plugin.ts"];

async function bundle(
  name: string,
  files: string | readonly string[],
  change: (code: string) => string,
): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  const faulty = new Map<string, string>();
  for (const file of typeof files === "string" ? [files] : files) {
    const path = join(clone, file);
    const code = readFileSync(path, "utf8");
    const changed = change(code);
    expect(changed, `${file} has changed: the fault has no place any more`).not.toBe(code);
    faulty.set(path, changed);
  }
  await build({
    entryPoints: [fileURLToPath(new URL("../../src/hosts/opencode/server.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    external: ["libsql"],
    logLevel: "error",
    plugins: [
      {
        name: "fault",
        setup(builder) {
          builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = faulty.get(path);
            return contents === undefined ? undefined : { contents, loader: "ts" };
          });
        },
      },
    ],
  });
  return outfile;
}
