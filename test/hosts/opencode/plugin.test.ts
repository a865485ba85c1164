import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VERSION } from "../../../src/basics/version.ts";
import type { PartialConfig } from "../../../src/config/config.ts";
import { mergeLevels } from "../../../src/config/merge.ts";
import type { Host } from "../../../src/hosts/opencode/host.ts";
import { Plugin } from "../../../src/hosts/opencode/plugin.ts";
import { StatisticsFile } from "../../../src/hosts/opencode/statistics-file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-plugin-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An OpenCode in which nothing was said yet. */
const host: Host = {
  toast: () => undefined,
  log: () => undefined,
  listModels: async () => [],
  isSubagent: async () => false,
  listMessages: async () => [],
};

async function run(name: string, text: string, config: PartialConfig = {}): Promise<string> {
  const plugin = new Plugin({
    host,
    settings: { ...mergeLevels([{ name: "options", config }]), files: [], issues: [] },
    directory: folder,
    statistics: new StatisticsFile(join(folder, "statistics.json")),
    log: () => undefined,
  });
  const parts: { readonly text?: string }[] = [];
  await plugin.runCommand(name, "s1", text, parts);
  return parts[0]?.text ?? "";
}

describe.each(["coppice", "acp"])("/%s before the first request", (name) => {
  it("says the version in its first line, and what holds", async () => {
    const config = { commands: { protectedTools: ["deploy"] } };
    for (const text of ["", "stats"]) {
      const shown = await run(name, text, config);
      expect(shown.split("\n")[0]).toBe(`Coppice ${VERSION}`);
      expect(shown).toContain("Nothing was sent in this session yet.");
      expect(shown).toMatch(/^Protected tools: context_info, .*, skill, deploy$/m);
      expect(shown).toContain("Settings: no files");
    }
  });

  it("has nothing to tell of the context", async () => {
    expect(await run(name, "context")).toBe("Nothing was sent in this session yet.");
  });
});
