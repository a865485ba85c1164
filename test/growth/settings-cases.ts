import { configFromEnvironment, mergeLevels, parseConfig } from "../../src/config/index.ts";
import { readJsonc } from "../../src/config/jsonc.ts";
import { createToolKinds } from "../../src/entries/passes.ts";
import type { PartialConfig } from "../../src/index.ts";
import { createProtection } from "../../src/protection/protection.ts";
import { compileSummaryRules } from "../../src/strategies/summaries/user-rules.ts";
import type { Case } from "./measure.ts";
import { COUNT_SIZES, ENTRY_SIZES, FILE_ENTRY_SIZES, LEVEL_SIZES, SMALL_TEXT_SIZES } from "./sizes.ts";
import { hostileTexts } from "./texts.ts";

const list = <T>(size: number, item: (i: number) => T): readonly T[] =>
  Array.from({ length: size }, (_, i) => item(i));
const record = (size: number, value: (i: number) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list(size, (i) => [`key${i}`, value(i)]));

/** Large configurations with mostly invalid values. */
const CONFIGS: readonly (readonly [name: string, make: (size: number) => unknown])[] = [
  ["good names", (size) => ({ tools: { settings: { protectedTools: list(size, (i) => `tool${i}`) } } })],
  ["bad names", (size) => ({ tools: { settings: { protectedTools: list(size, () => 5) } } })],
  ["bad patterns", (size) => ({ protectedFilePatterns: list(size, () => null) })],
  ["unknown keys", (size) => record(size, () => 1)],
  ["unknown keys further in", (size) => ({ strategies: record(size, () => 1) })],
  ["bad rules", (size) => ({ summaries: list(size, () => ({ tool: 1 })) })],
  ["good rules", (size) => ({ summaries: list(size, (i) => ({ tool: `t${i}`, keep: { first: 1 } })) })],
  ["bad kinds", (size) => ({ toolKinds: list(size, () => ({ names: [], kind: "none" })) })],
  ["bad prices", (size) => ({ schedule: { prices: record(size, () => ({ read: "no" })) } })],
  ["good prices", (size) => ({ schedule: { prices: record(size, () => ({ read: 0.1 })) } })],
];

export function settingsCases(): readonly Case[] {
  const counted = CONFIGS.flatMap(([name, make]): readonly Case[] => [
    {
      name: `parseConfig, ${name}`,
      sizes: ENTRY_SIZES,
      prepare: (size) => {
        const config = make(size);
        return () => parseConfig(config);
      },
    },
    {
      name: `parseConfig of a file, ${name}`,
      sizes: FILE_ENTRY_SIZES,
      prepare: (size) => {
        const text = JSON.stringify(make(size), null, 1);
        return () => {
          const { value, locate } = readJsonc(text);
          return parseConfig(value, "coppice.jsonc", locate);
        };
      },
    },
  ]);
  return [...counted, ...levels, ...hostile()];
}

const levels: readonly Case[] = [
  {
    name: "mergeLevels, long lists",
    sizes: ENTRY_SIZES,
    prepare: (size) => {
      const config: PartialConfig = { tools: { settings: { protectedTools: list(size, (i) => `t${i}`) } } };
      return () => mergeLevels([1, 2, 3].map((n) => ({ name: `level ${n}`, config })));
    },
  },
  {
    name: "mergeLevels, many levels",
    sizes: LEVEL_SIZES,
    prepare: (size) => {
      const all = list(size, (i) => ({
        name: `level ${i}`,
        config: { protectedFilePatterns: [`${i}.ts`], unprotect: [`${i - 1}.ts`] },
      }));
      return () => mergeLevels(all);
    },
  },
  {
    name: "configFromEnvironment, unknown variables",
    sizes: COUNT_SIZES,
    prepare: (size) => {
      const env = Object.fromEntries(list(size, (i) => [`COPPICE_NO_SUCH_KEY_${i}`, "1"]));
      return () => configFromEnvironment(env);
    },
  },
];

/** Texts in settings: names, globs, expressions, values. */
function hostile(): readonly Case[] {
  const uses: readonly (readonly [string, (text: string) => unknown])[] = [
    ["a key", (text) => parseConfig({ [text]: 1, strategies: { [text]: 1 } })],
    ["a value", (text) => parseConfig({ window: text, shadow: text, schedule: { mode: text } })],
    ["an expression", (text) => parseConfig({ summaries: [{ tool: "a", keep: { lines: text } }] })],
    ["a template", (text) => template(text)],
    ["a variable", (text) => configFromEnvironment({ [`COPPICE_${text}`]: "1", COPPICE_WINDOW: text })],
    ["a tool's name", (text) => createToolKinds().describe(text, { path: "a" })],
  ];
  return uses.flatMap(([what, run]) =>
    hostileTexts.map(
      ({ name, of }): Case => ({
        name: `settings, ${what}, ${name}`,
        sizes: SMALL_TEXT_SIZES,
        prepare: (size) => {
          const text = of(size);
          return () => run(text);
        },
      }),
    ),
  );
}

function template(text: string): unknown {
  const rules = compileSummaryRules([{ tool: "a", keep: { template: text } }]);
  createProtection({ tools: ["a"], files: ["a"], directory: text }, []);
  return rules("a");
}
