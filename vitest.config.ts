import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begun last, one of these would keep the other processors waiting: parts of their names, the longest first. */
const SLOWEST = [
  "/growth/",
  "/laws/recorded",
  "/cli/bin",
  "/cli/wrap",
  "/planted",
  "/recorded",
  "/agent/laws",
  "/laws/",
  "/conversations",
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOWEST.findIndex((part) => moduleId.includes(part));
      return at < 0 ? SLOWEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 120_000,
    // All processors: vitest leaves one idle, which on two is half of them.
    maxWorkers: "100%",
    // Modules are loaded once a worker: half of the time of most files was loading them anew. No test leaves anything behind.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    passWithNoTests: false,
  },
});

export default config;
