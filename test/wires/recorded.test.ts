import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { readRecording } from "../../src/recordings/files.ts";
import { bodyOf, mustReadBody, WIRE_OF, wireNamed } from "./bodies.ts";

/** Recorded sessions lie beside the repository where it is developed, and are no part of it. The sample is always there. */
const folder = resolve("../shared/data/sessions");
const index = join(folder, "INDEX.tsv");
const recorded = existsSync(index)
  ? readFileSync(index, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => join(folder, line.split("\t")[0] ?? ""))
  : [];
const samples = readdirSync("samples")
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => resolve("samples", name));

describe("recorded sessions, as request bodies", () => {
  const seen = new Map<string, number>();

  it.each([...samples, ...recorded])("%s", async (file) => {
    const read = await readRecording(file);
    if (!read.ok) throw new Error(read.issue.message);
    const name = WIRE_OF[read.value.format];
    if (!name) return;
    const wire = wireNamed(name);
    for (const { messages, meta } of read.value.segments) {
      const pruner = createPruner({ agentTools: true, config: { schedule: { mode: "eager" } } });
      const sizes = [0.5, 0.9, 1].map((share) => Math.ceil(messages.length * share));
      for (const count of new Set(sizes)) {
        const body = JSON.stringify(bodyOf(name, messages.slice(0, count)));
        const request = mustReadBody(name, body);
        const pruned = pruner.prune(request.messages, { meta: meta.slice(0, count) });
        const written = wire.write(request, pruned.messages, pruned.sources) ?? "";
        // Not `toEqual`: its message would hold both.
        const expected = JSON.stringify(bodyOf(name, pruned.messages));
        expect(JSON.stringify(JSON.parse(written)) === JSON.stringify(JSON.parse(expected))).toBe(true);
        if (written !== body) seen.set(name, (seen.get(name) ?? 0) + 1);
      }
    }
  });

  it("had something to cut, on every wire", () => {
    expect(samples.length).toBeGreaterThan(0);
    if (recorded.length > 0)
      for (const name of Object.values(WIRE_OF)) expect(seen.get(name), name).toBeGreaterThan(5);
  });
});
