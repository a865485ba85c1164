import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";

const SDK = fileURLToPath(new URL("sdk/node_modules", import.meta.url));

const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  resolve: {
    // A program has one copy of each: the host's and the test's are the same.
    alias: [{ find: /^(langchain|@langchain\/core)(?=$|\/)/, replacement: `${SDK}/$1` }],
  },
  test: {
    include: ["**/*.test.ts"],
    // Those have a network of their own: `npm run e2e:clients`, `npm run e2e:wrap`.
    exclude: [...configDefaults.exclude, "clients/**", "wrap/**"],
    testTimeout: 300_000,
    // A whole session in OpenCode takes half a minute, and ten times that on a machine that is busy with other things.
    hookTimeout: 600_000,
    expect: { poll: { timeout: 20_000 } },
    // Hosts mostly wait: two files at a time take half as long. Three take longer, next to the clients.
    maxWorkers: 2,
    passWithNoTests: false,
  },
});

export default config;
