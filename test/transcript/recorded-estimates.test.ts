import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { loadTokenizer } from "../../src/models/tokenizers.ts";
import { estimateTokens } from "../../src/transcript/estimate.ts";

// Reads the recorded sessions beside the repository; without them there is nothing to check.
const sessions = resolve("../shared/data/sessions");
test.skipIf(!existsSync(sessions))(
  "recorded texts of 1,000 tokens and more are within reach of o200k",
  async () => {
    const { count } = await loadTokenizer("o200k");
    const files = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".gz"),
    );
    const errors = files
      .flatMap((file) => longTexts(resolve(sessions, file)).slice(0, 8))
      .map((long) => ({ estimate: estimateTokens(long), tokens: count(long) }))
      .filter(({ tokens }) => tokens >= 1_000)
      .map(({ estimate, tokens }) => Math.abs(estimate / tokens - 1))
      .sort((a, b) => a - b);
    expect(errors.length).toBeGreaterThan(100);
    expect(errors[Math.floor(errors.length * 0.5)]).toBeLessThan(0.05);
    expect(errors[Math.floor(errors.length * 0.95)]).toBeLessThan(0.15);
  },
);

function longTexts(file: string): readonly string[] {
  const found = new Set<string>();
  const keepLong = (_: string, value: unknown) => {
    if (typeof value === "string" && value.length > 4_000 && value.length < 100_000) found.add(value);
    return value;
  };
  const whole = gunzipSync(readFileSync(file)).toString("utf8");
  for (const json of file.endsWith(".jsonl.gz") ? whole.split("\n") : [whole]) {
    try {
      JSON.parse(json, keepLong);
    } catch {
      // a recording may hold a broken line
    }
  }
  return [...found];
}
