import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { runSums } from "../../src/hosts/proxy/run-sums.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Client } from "../clients/client.ts";
import { CODEX } from "../clients/codex.ts";
import { GEMINI_CLI } from "../clients/gemini-cli.ts";
import { QWEN_CODE } from "../clients/qwen-code.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor } from "../clients/work.ts";
import { prepare } from "./prepare.ts";

const COPPICE = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

const CASES: readonly (readonly [name: string, client: Client])[] = [
  ["claude", CLAUDE_CODE],
  ["codex", CODEX],
  ["gemini", GEMINI_CLI],
  ["qwen", QWEN_CODE],
];

describe.each(CASES)("init %s", (name, client) => {
  test("the client uses the proxy, by its settings alone", async () => {
    const { place, provider, write } = await prepare(client);
    write(".gemini/settings.json", { security: { auth: { selectedType: "gemini-api-key" } } });
    const sums = runSums();
    const proxy = await startProxy({
      store: memoryStore(),
      services: [sums.service],
      upstreams: { anthropic: provider.url, openai: provider.url, gemini: provider.url },
    });
    onTestFinished(() => proxy.close());
    const env = { PATH: process.env.PATH, HOME: place.home };
    execFileSync(process.execPath, [COPPICE, "init", name, "--yes", "--no-service", "--url", proxy.url], {
      cwd: place.cwd,
      env,
    });
    // The test's client's own settings are not written.
    const bare: Client = { ...client, launch: (session) => ({ ...client.launch(session), files: {} }) };
    const ran = await runClient(bare, { home: place.home, cwd: place.cwd, prompt: promptFor("first", 5) });
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 5) });
    expect(provider.refused).toEqual([]);
    expect(sums.read().answered).toBeGreaterThanOrEqual(6);
  });
});
