import { silent } from "./built-in/queries.ts";
import type { CommandWords, ToolUse } from "./tool-use.ts";

const TESTING: ReadonlySet<string> = new Set([
  ...["test", "tests", "check", "spec", "unittest", "nextest"],
  ...["pytest", "tox", "nox", "vitest", "jest", "mocha", "ava", "playwright", "cypress"],
  ...["rspec", "phpunit", "ctest", "gtest"],
]);

/** The test runner is among the first words: `bundle exec rspec`, `python -m pytest`. */
const WORDS_LOOKED_AT = 4;

/**
 * Checks whether a call runs tests, judging by its words.
 *
 *   npm run test:unit, npx vitest run, go test ./..., python -m pytest   ->  yes
 *   node test.js, cd test && make, test -f a.txt                         ->  no
 */
export function runsTests({ kind, commands = [] }: ToolUse): boolean {
  return kind === "shell" && commands.some(isTestRun);
}

function isTestRun({ words }: CommandWords): boolean {
  const [program = "", ...rest] = words;
  if (silent.has(program) || program === "test") return false;
  return (
    TESTING.has(nameOf(program)) ||
    rest.slice(0, WORDS_LOOKED_AT - 1).some((word) => TESTING.has(nameOf(word)))
  );
}

/** `./node_modules/.bin/jest` → `jest`, `test:unit` → `test`. */
function nameOf(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1);
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(0, colon);
}
