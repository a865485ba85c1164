import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_TEXT } from "../../src/agent/system-text.ts";
import { as, prune, read, refOf, resultOf, source } from "./ask.ts";
import { type Recorded, textOf } from "./model.ts";
import { clone, openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* Settings of every level, in one server: each project has its own. */

let stage: Stage;
const file = source("a");

beforeAll(async () => {
  stage = await openStage({
    files: { "a.ts": file },
    homeFiles: {
      ".config/opencode/coppice.jsonc": `{ "tools": { "settings": { "protectedTools": ["global_tool"] } } } // the user's`,
      "elsewhere/coppice.jsonc": `{ "tools": { "settings": { "protectedTools": ["folder_tool"] }, "recall": { "enabled": true } } }`,
    },
    env: { OPENCODE_CONFIG_DIR: "~/elsewhere", COPPICE_DEBUG: "true", COPPICE_TOOLS_RECALL_ENABLED: "false" },
  });
});

afterAll(() => stage.close());

/** A session in a project with this configuration that reads a file twice. */
async function readTwice(
  name: string,
  model: string,
  files: Record<string, string>,
  config?: object,
): Promise<Talk> {
  const folder = `${name}-${model.replace("/", "-")}`;
  const talk = await stage.talk(stage.host.addProject(folder, { "a.ts": file, ...files }, config), model);
  await talk.say("Read it twice.", [
    { calls: [as("one", read("a.ts"))] },
    { calls: [as("two", read("a.ts"))] },
    { text: "Read." },
  ]);
  return talk;
}

const toolsOf = (request: Recorded | undefined): readonly string[] =>
  request?.body.tools?.map((tool) => tool.function.name) ?? [];

const systemOf = (request: Recorded | undefined): string =>
  textOf(request?.body.messages[0] ?? { role: "system" });

/** Elements of the system prompt. */
const countSystem = (request: Recorded | undefined): number => {
  const { system, messages } = JSON.parse(request?.raw ?? "{}");
  return system?.length ?? messages.filter(({ role }: { role: string }) => role === "system").length;
};

describe.each(WIRES)("settings, over %s", (_, model) => {
  it("come from the user, the configured folder, the project, the environment and the plugin's options", async () => {
    const talk = await readTwice(
      "levels",
      model,
      {
        ".opencode/coppice.jsonc": `{ "tools": { "settings": { "protectedTools": ["project_tool"] }, "recall": { "enabled": true } } }`,
      },
      { plugin: [[clone, { tools: { settings: { protectedTools: ["option_tool"] } } }]] },
    );
    const shown = await talk.command("coppice", "");
    for (const tool of ["todowrite", "global_tool", "folder_tool", "project_tool", "option_tool"])
      expect(shown).toContain(tool);
    for (const place of [
      ".config/opencode/coppice.jsonc",
      "elsewhere/coppice.jsonc",
      ".opencode/coppice.jsonc",
    ])
      expect(shown).toContain(place);
    expect(toolsOf(talk.steps[0])).toContain("context_prune");
    expect(toolsOf(talk.steps[0]), "the environment counts for more than the project").not.toContain(
      "context_recall",
    );
  });

  it("are read from acp.jsonc if there is no coppice.jsonc", async () => {
    const talk = await readTwice("acp", model, {
      ".opencode/acp.jsonc": `{ "schedule": { "mode": "eager" } }`,
    });
    expect(resultOf(talk.steps.at(-1), "one")).toMatch(/^\[superseded/m);
    expect(await talk.command("coppice", "stats")).toContain(".opencode/acp.jsonc");
  });

  it("with mistakes are reported and used as far as possible", async () => {
    const talk = await readTwice("broken", model, {
      ".opencode/coppice.jsonc": `{ "schedule": { "mode": "eager" }, "pruneNotification": "loud", "pruneProtct": 1, `,
    });
    expect(resultOf(talk.steps.at(-1), "one")).toMatch(/^\[superseded/m);
    const warnings = stage.toasts.filter(({ variant }) => variant !== "info").map(({ message }) => message);
    expect(warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /coppice\.jsonc:1.*pruneNotification: expected "off", "minimal" or "detailed", got "loud"/s,
        ),
        expect.stringMatching(/pruneProtct: unknown key.*pruneProtect/s),
      ]),
    );
    expect(await talk.command("coppice", "")).toContain("Problems");
  });

  it("disabled: no commands, tools or cuts", async () => {
    const talk = await readTwice("disabled", model, { ".opencode/coppice.jsonc": `{ "enabled": false }` });
    const last = talk.steps.at(-1);
    expect(toolsOf(last).filter((name) => name.startsWith("context_"))).toEqual([]);
    expect(systemOf(last)).not.toContain("_hash>");
    expect(JSON.stringify(last?.body.messages)).not.toContain("_hash>");
    expect(resultOf(last, "one")).toBe(resultOf(last, "two"));

    const on = (await readTwice("enabled", model, {})).steps.at(-1);
    expect(countSystem(on), "OpenCode marks each of the first elements for the cache").toBe(
      countSystem(last),
    );
    expect(systemOf(on).endsWith(SYSTEM_TEXT)).toBe(true);
  });

  it("shadow: nothing is changed, and the possible cuts are reported", async () => {
    const talk = await readTwice("shadow", model, {
      ".opencode/coppice.jsonc": `{ "shadow": true, "schedule": { "mode": "eager" } }`,
    });
    const last = talk.steps.at(-1);
    expect(resultOf(last, "one")).toBe(resultOf(last, "two"));
    expect(toolsOf(last).filter((name) => name.startsWith("context_"))).toEqual([]);
    expect(systemOf(last)).not.toContain("_hash>");
    expect(JSON.stringify(last?.body.messages)).not.toContain("_hash>");
    expect(await talk.command("coppice", "stats")).toMatch(/file: 1 cut/);
  });

  it("offer only the actions that are on", async () => {
    const talk = await readTwice("actions", model, {
      ".opencode/coppice.jsonc": `{ "tools": { "distill": { "enabled": false }, "replace": { "enabled": false } } }`,
    });
    const definition = JSON.stringify(JSON.parse(talk.steps[0]?.raw ?? "{}").tools);
    expect(definition).toContain('"enum":["discard","restore"]');
    await talk.say("Distill.", [
      (request) => ({ calls: [as("no", prune("distill", [[refOf(request, "two"), "short"]]))] }),
      { text: "No." },
    ]);
    expect(resultOf(talk.steps.at(-1), "two")).toContain("value 59 of a");
  });

  it("leave the user's own command of that name alone", async () => {
    const config = { command: { acp: { template: "My own command: $ARGUMENTS" } } };
    const talk = await readTwice("own-command", model, {}, config);
    await talk.command("acp", "hello");
    expect(textOf(talk.steps.at(-1)?.body.messages.at(-1) ?? { role: "user" })).toBe("My own command: hello");
  });
});

describe("on any wire", () => {
  it("without commands: there are none", async () => {
    const folder = stage.host.addProject("silent", {
      ".opencode/coppice.jsonc": `{ "commands": { "enabled": false } }`,
    });
    const names = async (directory: string) =>
      ((await stage.server.request("GET", "/command", undefined, directory)) as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names(folder)).not.toContain("coppice");
    expect(await names(stage.host.project)).toEqual(expect.arrayContaining(["coppice", "acp"]));
  });

  it("debug: each request is in a log next to OpenCode's own", async () => {
    const log = readFileSync(join(stage.host.home, ".local/share/opencode/log/coppice.log"), "utf8");
    expect(
      log
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object)
        .at(-1),
    ).toHaveProperty("tokens");
  });
});

describe("another pruner", () => {
  it("is warned of: OpenCode's own, and a plugin", async () => {
    const rival = join(
      stage.host.addProject("rival-plugin", { "opencode-dcp.js": "export const Dcp = async () => ({});" }),
      "opencode-dcp.js",
    );
    const talk = await readTwice(
      "rivals",
      "m",
      {},
      { compaction: { prune: true, auto: false }, plugin: [clone, rival] },
    );
    const listWarnings = () => stage.toasts.map(({ message }) => message).join("\n");
    await expect.poll(listWarnings).toContain("compaction.prune");
    await expect.poll(listWarnings).toContain("opencode-dcp.js also prunes");
    expect(await talk.command("coppice", "")).toContain("compaction.prune");
  });
});
