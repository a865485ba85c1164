import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { readRecording } from "../../src/recordings/files.ts";
import { coldCoppice } from "../../src/replay/cold-coppice.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { mustRead } from "../recordings/parse.ts";

// Recorded sessions are not part of the project: without the shared folder next to it, only the sample is run.
const FOLDER = resolve("../shared/data/sessions");
const SAMPLE = "samples/discount-service.jsonl";
const FILES = [
  SAMPLE,
  resolve(FOLDER, "opencode/eitatech_gatomia-vscode__0f_1be78a364c_1.json.gz"),
  resolve(FOLDER, "pi/raquezha_pi.dev__96_2b1009dcd7_0.jsonl.gz"),
].filter((file) => existsSync(file));

const CONFIGS: readonly (readonly [string, PartialConfig])[] = [
  ["as it is", {}],
  ["eager", { strategies: { aggressivePruning: { preset: "compact" } }, schedule: { mode: "eager" } }],
];

describe.each(FILES)("%s", (file) => {
  test.each(CONFIGS)("from a cold start gives the same as live: %s", async (_, config) => {
    const recording = mustRead(await readRecording(file));
    const bench = prepareReplay(recording);
    const live = bench.run(coppicePolicy({ config }, "c"));
    const cold = bench.run(coldCoppice("c", { config }, recording));
    if (file === SAMPLE)
      expect(cold.requests.map(({ view }) => view)).toEqual(live.requests.map(({ view }) => view));
    const { requests: _live, issues: _l, ...expected } = live;
    const { requests: _cold, issues: _c, ...totals } = cold;
    expect(totals).toEqual(expected);
  });
});
