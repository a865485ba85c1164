import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Hosts mostly wait: two files at a time take half as long.
    maxWorkers: 2,
    passWithNoTests: false,
  },
});

export default config;
