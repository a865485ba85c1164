import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, type AgentPlugin, ClineCore, createTool, Llms, resolveAndLoadAgentPlugins } from "@cline/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM_TEXT } from "../../src/agent/system-text.ts";
import { coppiceFetch, type FetchOptions } from "../../src/hosts/fetch/index.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { APP_TOOLS } from "../sdk/session.ts";
import { coppicePlugin } from "./cline-plugin.ts";
import {
  EAGER,
  expectPruned,
  expectToolAnswers,
  expectWhole,
  promptOf,
  script,
  WITH_TOOLS,
} from "./pruned-session.ts";
import { listUntestedLines } from "./untested-lines.ts";

let provider: Provider;
let home: string;
beforeAll(async () => {
  provider = await startProvider(script);
  home = await mkdtemp(join(tmpdir(), "cline-"));
  process.env.CLINE_DIR = home;
  process.env.CLINE_DATA_DIR = join(home, "data");
});
afterAll(async () => {
  await provider.close();
  await rm(home, { recursive: true, force: true });
});

const mine = APP_TOOLS.map((tool) =>
  createTool({
    name: tool.name,
    description: tool.description,
    inputSchema: {
      type: "object",
      properties: { [tool.argument]: { type: "string" } },
      required: [tool.argument],
    },
    execute: (input) => Promise.resolve(tool.run(String(Object(input)[tool.argument]))),
  }),
);

const PROVIDERS = {
  chat: () => ({ providerId: "openai-compatible", modelId: "gpt-5.4", baseUrl: `${provider.url}/v1` }),
  anthropic: () => ({ providerId: "anthropic", modelId: "claude-sonnet-4-5", baseUrl: `${provider.url}/v1` }),
};

/** A folder with the built package and the plugin, as on the page, with eager cuts. */
async function installPlugin(): Promise<string> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const folder = await mkdtemp(join(home, "plugin-"));
  const installed = join(folder, "node_modules", "coppice");
  await cp(join(root, "dist"), join(installed, "dist"), { recursive: true });
  await cp(join(root, "package.json"), join(installed, "package.json"));
  await symlink(join(root, "node_modules"), join(installed, "node_modules"));
  const source = await readFile(new URL("cline-plugin.ts", import.meta.url), "utf8");
  const plugin = source
    .replace('"../../src/entries/host.ts"', '"coppice/host"')
    .replace('"../../src/index.ts"', '"coppice"');
  const file = join(folder, "coppice.ts");
  await writeFile(file, `${plugin}\nexport default coppicePlugin({ config: ${JSON.stringify(EAGER)} });\n`);
  return file;
}

describe.each(Object.entries(PROVIDERS))("%s", (wire, of) => {
  /** A session of Cline's core, which the CLI and the editors run. */
  async function runCore(name: string, options: FetchOptions, extensions: AgentPlugin[] = []) {
    const fetch = coppiceFetch(options);

    const contextTools = fetch.tools.openAiChat.map(({ function: { name, description, parameters } }) =>
      createTool({
        name,
        description,
        inputSchema: { ...parameters },
        execute: async (input, { toolCallId: id = "" }) => fetch.answer({ id, name, input }),
      }),
    );
    const cline = await ClineCore.create({ backendMode: "local", fetch });
    try {
      const { sessionId, result } = await cline.start({
        prompt: promptOf(name),
        interactive: false,
        config: {
          ...of(),
          apiKey: "key",
          cwd: home,
          systemPrompt: SYSTEM_TEXT,
          enableTools: false,
          enableSpawnAgent: false,
          enableAgentTeams: false,
          extraTools: name.startsWith(WITH_TOOLS) ? [...mine, ...contextTools] : mine,
          extensions,
        },
      });
      expect(result?.text).toContain(`done with ${name}`);
      return { live: result?.messages, kept: await cline.readMessages(sessionId) };
    } finally {
      await cline.dispose();
    }
  }

  test("ClineCore with a fetch: the same session with and without", async () => {
    await runCore(`plain${wire}`, { enabled: false });
    const { live, kept } = await runCore(`fetch${wire}`, EAGER);
    expectPruned(provider, `plain${wire}`, `fetch${wire}`);
    expectWhole(live);
    expectWhole(kept);
  });

  test("ClineCore with the plugin", async () => {
    const { live, kept } = await runCore(`plugin${wire}`, { enabled: false }, [
      coppicePlugin({ config: EAGER }),
    ]);
    expectPruned(provider, `plain${wire}`, `plugin${wire}`);
    expectWhole(live);
    expectWhole(kept);
  });

  test("the plugin in its own file, in a process of Cline's", async () => {
    const name = `file${wire}`;
    const { extensions, failures, shutdown } = await resolveAndLoadAgentPlugins({
      pluginPaths: [await installPlugin()],
      cwd: home,
      mode: "sandbox",
      importTimeoutMs: 60_000,
    });
    expect(failures).toEqual([]);
    const { live, kept } = await runCore(name, { enabled: false }, extensions);
    await shutdown?.();
    expectPruned(provider, `plain${wire}`, name);
    expectWhole(live);
    expectWhole(kept);
  });

  test("the agent's own tools", async () => {
    await runCore(`${WITH_TOOLS}${wire}`, EAGER);
    expectToolAnswers(provider, `${WITH_TOOLS}${wire}`);
  });

  test("your own Agent, with a fetch and with the hooks", async () => {
    const open = (options: FetchOptions) => {
      const { providerId, modelId, baseUrl } = of();
      const gateway = Llms.createGateway({
        fetch: coppiceFetch(options),
        providerConfigs: [{ providerId, baseUrl, apiKey: "key" }],
      });
      const model = gateway.createAgentModel({ providerId, modelId });
      return model;
    };
    const run = async (name: string, options: FetchOptions, hooks: NonNullable<AgentPlugin["hooks"]>) => {
      const agent = new Agent({
        model: open(options),
        tools: mine,
        hooks,
        systemPrompt: "You look into things.",
      });
      const result = await agent.run(promptOf(name));
      expect(result.outputText).toBe(`done with ${name}`);
      return result.messages;
    };
    await run(`bare${wire}`, { enabled: false }, {});
    expectWhole(await run(`fetched${wire}`, EAGER, {}));
    expectPruned(provider, `bare${wire}`, `fetched${wire}`);
    expectWhole(await run(`hooked${wire}`, { enabled: false }, coppicePlugin({ config: EAGER }).hooks ?? {}));
    expectPruned(provider, `bare${wire}`, `hooked${wire}`);
  });
});

test("the page names the tested versions", () => {
  expect(
    listUntestedLines("cline.md", import.meta.url, new URL("cline-plugin.ts", import.meta.url).href),
  ).toEqual([]);
});
