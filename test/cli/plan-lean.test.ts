import { describe, expect, test } from "vitest";
import { CLAUDE } from "../../src/cli/clients/claude.ts";
import { CODEX } from "../../src/cli/clients/codex.ts";
import { PROBES } from "../../src/cli/context/probes.ts";
import { planLean } from "../../src/cli/plan-lean.ts";
import { spellOut } from "../../src/cli/spell-out.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";

describe("--lean on the command line", () => {
  test("takes the tools to keep after an equals sign, and never the agent's name", () => {
    expect(spellOut(["wrap", "--lean=keep:Agent,WebFetch", "claude", "-p", "x"])).toEqual([
      ...["wrap", "--lean", "--lean-keep=Agent,WebFetch", "claude", "-p", "x"],
    ]);
    expect(spellOut(["wrap", "--lean", "claude"])).toEqual(["wrap", "--lean", "claude"]);
  });

  test("words after the agent belong to the agent", () => {
    const words = ["wrap", "--upstream", "a=http://x", "claude", "--lean=keep:Agent"];
    expect(spellOut(words)).toEqual(words);
    expect(spellOut(["wrap", "--store", "memory", "--lean=keep:A", "claude"])).toContain("--lean-keep=A");
  });
});

describe("planLean", () => {
  test("for an agent that can't turn off single tools, the error names the setting", async () => {
    await expect(planLean(CODEX, [], [], DEFAULT_CONFIG)).rejects.toThrow(/prefix\.dropTools/);
  });

  test.each([["--continue"], ["-c"], ["--resume"], ["--resume=abc"], ["-r"]])(
    "%s: a conversation keeps the tools it began with",
    async (word) => {
      const plan = await planLean(CLAUDE, ["-p", word], [], DEFAULT_CONFIG);
      expect(plan).toEqual({ args: [], line: expect.stringContaining("no tools are left out") });
    },
  );

  test("without ToolSearch all deferred tools would be loaded: it stays", () => {
    expect(PROBES.claude?.lean?.needed.test("ToolSearch")).toBe(true);
    expect(PROBES.claude?.lean?.needed.test("Agent")).toBe(false);
  });
});
