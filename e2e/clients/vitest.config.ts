import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Run by `npm run e2e:clients`, in a network namespace of its own. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    setupFiles: ["loopback-only.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Clients mostly wait.
    maxConcurrency: 3,
    maxWorkers: 1,
    passWithNoTests: false,
  },
});

export default config;
