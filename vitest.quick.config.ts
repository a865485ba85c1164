import { defineConfig, mergeConfig, type ViteUserConfig } from "vitest/config";
import all from "./vitest.config.ts";

/** For the daily loop: all but what takes long, which is laws and growth, real recordings and processes of the command line. */
const config: ViteUserConfig = mergeConfig(
  all,
  defineConfig({
    test: {
      exclude: [
        "**/node_modules/**",
        "test/growth/**",
        "test/fuzz/**",
        "test/laws/**",
        "test/**/*laws.test.ts",
        "test/**/properties.test.ts",
        "test/**/recorded*.test.ts",
        "test/**/recordings.test.ts",
        "test/agent/prunable-index.test.ts",
        "test/answers/answer-is-deed.test.ts",
        "test/edits/algebra.test.ts",
        "test/transcript/changed-in-place.test.ts",
        "test/redaction/planted.test.ts",
        "test/new-recording.test.ts",
        "test/replay/one-figure.test.ts",
        "test/replay/cold-coppice.test.ts",
        "test/conversations.test.ts",
        "test/bad-input.test.ts",
        "test/hostile-input.test.ts",
        "test/hostile-results.test.ts",
        "test/hosts/proxy/adversary/**",
        "test/agent/user-after-result.test.ts",
        "test/deep-input.test.ts",
        "test/restarts.test.ts",
        "test/cli/bin.test.ts",
        "test/cli/wrap.test.ts",
        "test/cli/setup.test.ts",
        "test/stores/processes.test.ts",
        "test/docs.test.ts",
        "test/samples/**",
        "test/replay/bench/**",
      ],
    },
  }),
);

export default config;
