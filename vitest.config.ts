import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 120_000,
    // All processors: vitest leaves one idle, which on two is half of them.
    maxWorkers: "100%",
    // Modules are loaded once a worker: half of the time of most files was loading them anew. No test leaves anything behind.
    isolate: false,
    passWithNoTests: false,
  },
});

export default config;
