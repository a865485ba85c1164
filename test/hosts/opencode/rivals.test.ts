import { describe, expect, it } from "vitest";
import { findRivals } from "../../../src/hosts/opencode/rivals.ts";

const warnings = (config: object) =>
  findRivals(config as Record<string, unknown>).map(({ message }) => message);

describe("other pruners", () => {
  it.each([
    "@tarquinen/opencode-dcp",
    "@tarquinen/opencode-dcp@latest",
    "opencode-acp@1.2.3",
    "file:///home/me/opencode-acp/dist/index.js",
    "/home/me/dcp",
    "opencode-dynamic-context-pruning",
    "context-pruner",
  ])("%s is one", (plugin) => {
    expect(warnings({ plugin: ["coppice", plugin] })).toEqual([expect.stringContaining(plugin)]);
    expect(warnings({ plugin: [[plugin, {}]] })).toHaveLength(1);
  });

  it.each([
    "coppice",
    "coppice@0.1.0",
    "/home/me/coppice",
    "opencode-wakatime",
    "opencode-copilot-auth",
    "macpaste",
  ])("%s is not a rival", (plugin) => {
    expect(warnings({ plugin: [plugin] })).toEqual([]);
  });

  it("OpenCode's own is one when it is on", () => {
    expect(warnings({ compaction: { prune: true } })).toEqual([expect.stringContaining("compaction.prune")]);
    expect(warnings({ compaction: { prune: false } })).toEqual([]);
    expect(warnings({})).toEqual([]);
  });
});
