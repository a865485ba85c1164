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

async function run(text: string, config: PartialConfig = {}): Promise<string> {
  const plugin = new Plugin({
    host,
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
