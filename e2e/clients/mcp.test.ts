import { describe, expect, test } from "vitest";
import { startProvider } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { CLIENTS } from "./clients.ts";
import { startMcpServer } from "./mcp-server.ts";
import { createWorkplace } from "./project.ts";
import { resultsIn } from "./results-in.ts";
import { runClient } from "./run-client.ts";
import { doneWith, promptFor, work } from "./work.ts";

const TEXT = "Forty thousand tokens.";

describe.concurrent.each(CLIENTS.filter(({ tools }) => tools.mcp))("$name", (client) => {
  test("accepts a server's address for one run, and its tool has the expected name", async ({
    onTestFinished,
  }) => {
    const place = createWorkplace();
    const server = await startMcpServer(TEXT);
    const ask = (n: number) =>
      n === 1 ? client.tools.mcp?.("context_info", { about: "tokens" }) : undefined;
    const provider = await startProvider(work({ tools: client.tools, cwd: place.cwd, instead: ask }));
    onTestFinished(async () => {
      await provider.close();
      await server.close();
      place.dispose();
    });
    const session = { baseUrl: provider.url, mcpUrl: server.url, home: place.home, cwd: place.cwd };
    const ran = await runClient(client, { ...session, prompt: promptFor("asking", 3) });
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("asking", 3) });
    expect(provider.refused).toEqual([]);
    expect(resultsIn(lastOf(provider))[1]).toContain(TEXT);

    const call = server.requests.find(({ method }) => method === "tools/call");
    expect(call?.params).toMatchObject({ name: "context_info", arguments: { about: "tokens" } });
    if (client.idOfCall) expect(client.idOfCall(call?.params?._meta ?? {})).toBe("step_asking_1");
  });
});
