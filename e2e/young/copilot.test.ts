import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  approveAll,
  CopilotClient,
  type CopilotRequestContext,
  CopilotRequestHandler,
  defineTool,
  type SessionConfig,
} from "@github/copilot-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM_TEXT } from "../../src/agent/system-text.ts";
import { coppiceFetch, type FetchOptions } from "../../src/hosts/fetch/index.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { APP_TOOLS } from "../sdk/session.ts";
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
  home = await mkdtemp(join(tmpdir(), "copilot-"));
});
afterAll(async () => {
  await provider.close();
  await rm(home, { recursive: true, force: true });
});

function open(options: FetchOptions, settings: { baseDirectory: string; useLoggedInUser: boolean }) {
  const fetch = coppiceFetch(options);

  class PrunedRequests extends CopilotRequestHandler {
    protected override sendRequest(request: Request, { signal }: CopilotRequestContext): Promise<Response> {
      return fetch(request, { signal });
    }
  }

  const contextTools = fetch.tools.openAiChat.map(({ function: { name, description, parameters } }) =>
    defineTool(name, {
      description,
      parameters: { ...parameters },
      handler: (input, { toolCallId: id }) => fetch.answer({ id, name, input }),
    }),
  );
  const client = new CopilotClient({ requestHandler: new PrunedRequests(), ...settings });
  return { client, contextTools };
}

const PROVIDERS: Readonly<Record<string, (url: string) => SessionConfig["provider"]>> = {
  completions: (url) => ({ type: "openai", wireApi: "completions", baseUrl: `${url}/v1`, apiKey: "key" }),
  responses: (url) => ({ type: "openai", wireApi: "responses", baseUrl: `${url}/v1`, apiKey: "key" }),
  anthropic: (url) => ({ type: "anthropic", baseUrl: url, apiKey: "key" }),
};

const mine = APP_TOOLS.map((tool) =>
  defineTool<Record<string, string>>(tool.name, {
    description: tool.description,
    // The runtime has tools of these names, too.
    overridesBuiltInTool: true,
    parameters: {
      type: "object",
      properties: { [tool.argument]: { type: "string" } },
      required: [tool.argument],
    },
    handler: (input) => tool.run(String(input[tool.argument])),
  }),
);

/** A session in the real runtime, which is a separate process; its model is ours. */
async function run(wire: string, name: string, options: FetchOptions): Promise<unknown> {
  const { client, contextTools } = open(options, { baseDirectory: home, useLoggedInUser: false });
  const ours = name.startsWith(WITH_TOOLS) ? contextTools : [];
  try {
    const session = await client.createSession({
      model: wire === "anthropic" ? "claude-sonnet-4.5" : "gpt-5.4",
      provider: PROVIDERS[wire]?.(provider.url) as NonNullable<SessionConfig["provider"]>,
      onPermissionRequest: approveAll,
      availableTools: [...APP_TOOLS, ...ours].map((tool) => tool.name),
      tools: [...mine, ...ours],
      systemMessage: { content: SYSTEM_TEXT },
    });
    const answer = await session.sendAndWait({ prompt: promptOf(name) }, 120_000);
    expect(answer?.data.content).toBe(`done with ${name}`);
    return await session.getEvents();
  } finally {
    await client.stop();
  }
}

describe.each(Object.keys(PROVIDERS))("Copilot's runtime with your own provider, %s", (wire) => {
  test("the same session with and without", async () => {
    await run(wire, `plain${wire}`, { enabled: false });
    const events = await run(wire, `pruned${wire}`, EAGER);
    expectPruned(provider, `plain${wire}`, `pruned${wire}`);
    expectWhole(events);
  });

  test("the agent's own tools", async () => {
    await run(wire, `${WITH_TOOLS}${wire}`, EAGER);
    expectToolAnswers(provider, `${WITH_TOOLS}${wire}`);
  });
});

test("the page names the tested versions", () => {
  expect(listUntestedLines("copilot-sdk.md", import.meta.url)).toEqual([]);
});
