import { expect, test } from "vitest";
import type { PrefixAnalysis } from "../../src/analysis/prefix-share.ts";
import { sayPrefix } from "../../src/cli/say-prefix.ts";

const claude = { agent: "claude-code", tokens: 9, dollars: 3, bill: 10, share: 0.3 } as const;
const codex = { agent: "codex", tokens: 9, dollars: 1, bill: 5, share: 0.2 } as const;
const BOTH: PrefixAnalysis = { tokens: 18, dollars: 4, bill: 15, share: 4 / 15, agents: [claude, codex] };

test.each<readonly [string, PrefixAnalysis | undefined, string]>([
  ["nothing known", undefined, ""],
  ["one agent", { ...claude, agents: [claude] }, "Prefix: 30.0% of the bill"],
  ["two agents", BOTH, "Prefix: 26.7% of the bill (claude-code 30.0%, codex 20.0%)"],
  [
    "with an inventory",
    { ...claude, agents: [claude], unused: { share: 0.41, dollars: 1.2, sessions: 12 } },
    "Prefix: 30.0% of the bill, 41.0% of it for tools that were never used (12 sessions, by today's definitions)",
  ],
])("%s", (_, prefix, line) => {
  expect(sayPrefix(prefix)).toBe(line);
});
