import { describe, expect, test } from "vitest";
import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { stripTags } from "../../src/transcript/own-tags.ts";
import { startProvider } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import { CLIENTS } from "./clients.ts";
import { createWorkplace, pathOf } from "./project.ts";
import { resultsIn } from "./results-in.ts";
import { runClient } from "./run-client.ts";
import { doneWith, promptFor, work } from "./work.ts";

const TAG = /<tool_hash>([0-9a-f]{6})<\/tool_hash>/;

describe.concurrent.each(CLIENTS.filter(({ tools }) => tools.mcp))("$name", (client) => {
  test("the agent cuts over MCP, and its recall returns the original text", async ({ onTestFinished }) => {
    const place = createWorkplace();
    const complaints: string[] = [];
    let original = "";
    let ref = "";
    let pruned = "";
    const { mcp, read } = client.tools;
    const provider = await startProvider(
      work({
        tools: client.tools,
        cwd: place.cwd,
        instead(n, request) {
          if (n === 0) return read(pathOf(place.cwd, 0));
          if (n === 1) {
            original = resultsIn(request)[0] ?? "";
            ref = TAG.exec(original)?.[1] ?? "";
            return mcp?.("context_prune", { action: "discard", targets: [[ref]] });
          }
          if (n === 2) {
            pruned = resultsIn(request)[1] ?? "";
            return mcp?.("context_recall", { ref });
          }
          return n === 3 ? mcp?.("context_info", {}) : undefined;
        },
      }),
    );
    const proxy = await startProxy({
      store: memoryStore(),
      settings: {
        schedule: { mode: "eager" },
        strategies: { aggressivePruning: { pruneLineNumbers: false } },
      },
      upstreams: {
        anthropic: provider.url,
        openai: provider.url,
        gemini: provider.url,
        chatgpt: provider.url,
      },
      onIssue: (_, text) => complaints.push(text),
    });
    onTestFinished(async () => {
      await proxy.close();
      await provider.close();
      place.dispose();
    });
    const ran = await runClient(client, {
      baseUrl: proxy.url,
      mcpUrl: `${proxy.url}/mcp`,
      home: place.home,
      cwd: place.cwd,
      prompt: promptFor("cutting", 5),
      // Its own default binds reasoning to the text before it: a cut has to wait.
      ...(client === CLAUDE_CODE && { model: "claude-sonnet-4-5" }),
    });
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("cutting", 5) });
    expect(provider.refused).toEqual([]);
    expect(complaints).toEqual([]);
    expect(ref, original).not.toBe("");
    const [cut = "", , recalled = "", info = ""] = resultsIn(lastOf(provider));
    expect(cut).toMatch(new RegExp(`· ${ref}\\]`));
    expect(pruned).toContain(`Cut: ${ref}`);
    expect(original).toContain("of module 0");
    expect(recalled).toContain(stripTags(original));
    expect(info).toMatch(/Context: [\s\S]*[12] of them yours/);
  });
});
