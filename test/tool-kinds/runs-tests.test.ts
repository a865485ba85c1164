import { expect, test } from "vitest";
import { runsTests } from "../../src/tool-kinds/runs-tests.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";

test.each<[string, boolean]>([
  ["npm test", true],
  ["npm run test:unit -- --reporter dot", true],
  ["cd web && npx vitest run", true],
  ["go test ./...", true],
  ["cargo nextest run", true],
  ["CI=1 python -m pytest tests/test_cart.py", true],
  ["bundle exec rspec", true],
  ["./node_modules/.bin/jest src", true],
  ["make check 2>&1 | tail -20", true],
  ["npm run build", false],
  ["node test.js", false],
  ["cd test && make", false],
  ["echo test", false],
  ["test -f a.txt", false],
])("%s: %s", (command, expected) => {
  expect(runsTests(createToolKinds().describe("Bash", { command }))).toBe(expected);
});

test("another tool runs none, whatever it is called", () => {
  expect(runsTests(createToolKinds().describe("Read", { file_path: "test/test" }))).toBe(false);
});
