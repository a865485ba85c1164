import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VERSION } from "../../../src/basics/version.ts";
import type { PartialConfig } from "../../../src/config/config.ts";
import { mergeLevels } from "../../../src/config/merge.ts";
import type { AgentHost } from "../../../src/hosts/plugin/agent-host.ts";
import { Plugin } from "../../../src/hosts/plugin/plugin.ts";
import { StatisticsFile } from "../../../src/hosts/plugin/statistics-file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-plugin-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An agent without any messages yet. */
const host: AgentHost = {
  format: "opencode",
  notify: () => undefined,
  listModels: async () => [],
  isSubagent: async () => false,
  listSegments: async () => [],
  modelOf: () => undefined,
  findCompaction: () => undefined,
};

async function run(text: string, config: PartialConfig = {}, agent = host): Promise<string> {
  const plugin = new Plugin({
    host: agent,
    client: "test",
    settings: { ...mergeLevels([{ name: "options", config }]), files: [], issues: [] },
    directory: folder,
    statistics: new StatisticsFile(join(folder, "statistics.json")),
    log: () => undefined,
  });
  return (await plugin.runCommand(text, "s1")).shown;
}

describe("/coppice before the first request", () => {
  it("shows the version in its first line, and the settings", async () => {
    const config = { commands: { protectedTools: ["deploy"] } };
    for (const text of ["", "stats"]) {
      const shown = await run(text, config);
      expect(shown.split("\n")[0]).toBe(`Coppice ${VERSION}`);
      expect(shown).toContain("Nothing was sent in this conversation yet.");
      expect(shown).toMatch(/^Protected tools: context_info, .*, skill, deploy$/m);
      expect(shown).toContain("Settings: no files");
    }
  });

  it("has nothing to report on the context", async () => {
    expect(await run("context")).toBe("Nothing was sent in this conversation yet.");
  });
});

describe("/coppice status", () => {
  it("says how the agent's work goes", async () => {
    const call = (id: string, tool: string, input: object, output: string) => ({
      info: { role: "assistant", id: `m${id}` },
      parts: [{ type: "tool", callID: id, tool, state: { status: "completed", input, output } }],
    });
    const edit = { filePath: "a.ts", oldString: "a", newString: "b" };
    const messages = [
      { info: { role: "user", id: "m0" }, parts: [{ type: "text", text: "Go." }] },
      call("1", "edit", edit, "ok"),
      call("2", "edit", edit, "Could not find oldString in the file."),
      call("3", "bash", { command: "npm test" }, "ok"),
    ];
    const shown = await run("status", {}, { ...host, listSegments: async () => [messages] });
    expect(shown).toContain(
      [
        "How the agent's work went",
        "  failed edits: 50.0 of 100 (1 of 2 edits)",
        "  commands run again: 0.0 of 100 (0 of 1 command)",
        "  recalls: 0.0 of 100 (0 of 4 requests)",
        "  requests per prompt: 4.0 (4 for 1 prompt)",
        "",
      ].join("\n"),
    );
  });
});
