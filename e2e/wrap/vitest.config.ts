import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Run by `npm run e2e:wrap`, in its own network namespace. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    setupFiles: ["../clients/loopback-only.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    passWithNoTests: false,
  },
});

export default config;
