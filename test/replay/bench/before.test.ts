import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBefore } from "../../../bench/economics/before.ts";
import { readOptions } from "../../../bench/economics/options.ts";
import { choosePolicies } from "../../../bench/economics/policies.ts";
import { prepareReplay } from "../../../src/replay/index.ts";
import { answer, call, makeRecording, result, user } from "../make-recording.ts";

/** A checkout with a built package of this text. */
function build(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-before-"));
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "dist", "index.js"), text);
  return folder;
}

/** It sends results as "gone", and knows no marks and no notes. */
const FORGETFUL = `export function createPruner() {
  const forget = (message) => (message.role === "tool" ? { ...message, content: "gone" } : message);
  return { prune: (messages) => ({ messages: messages.map(forget), report: { edits: [], issues: [] } }) };
}`;

describe("--before", () => {
  test("decisions come from the built package, bill and evidence from this one", async () => {
    const recording = makeRecording([
      user("go", 0),
      call("c1", "shell", { command: "ls" }),
      result("c1", `src/pricing.ts ${"and other files ".repeat(500)}`, 1000),
      answer("src/pricing.ts"),
    ]);
    const bench = prepareReplay(recording);
    const before = bench.run(await openBefore(build(FORGETFUL)));
    expect(before.policy).toBe("before");
    expect(bench.unpruned.evidence).toEqual({ counted: 1, kept: 1 });
    expect(before.evidence).toEqual({ counted: 1, kept: 0 });
    expect(before.sent).toBeLessThan(bench.unpruned.sent);
    expect(before.bill).toBeLessThan(bench.unpruned.bill);
  });

  test("it is shown with the requested policies", () => {
    const options = readOptions(["--policies", "Coppice", "--before", build(FORGETFUL)]);
    expect(choosePolicies(options).map(({ name }) => name)).toEqual(["no pruning", "Coppice", "before"]);
  });

  test("a package without createPruner is refused", async () => {
    await expect(openBefore(build("export const name = 'other';"))).rejects.toThrow("has no createPruner");
  });
});
