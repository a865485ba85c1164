import * as z from "zod";
import { DEFAULT_CONFIG, PROTECTED_LISTS } from "../src/config/defaults.ts";
import { listNumbers } from "../src/config/pass-settings.ts";
import { PRESETS } from "../src/config/presets.ts";
import { valueAt } from "../src/config/problem.ts";
import { configSchema } from "../src/config/schema.ts";
import { describeSchema, listSettings, type Setting } from "../src/config/settings.ts";
import { PROTECTED_FILES, PROTECTED_TOOLS } from "../src/protection/defaults.ts";
import { PRESET_NAMES } from "../src/strategies/pass-setting.ts";
import { FLAGS, NUMBER_SETTINGS } from "../src/strategies/passes.ts";

/**
 * The generated files, by path: `schema/coppice.schema.json`, the tables of `docs/configuration.md`, and the types of
 * the settings that passes own. `test/config/generated.test.ts` compares it with the files and, with `UPDATE=1`,
 * writes them.
 */
export function generateFiles(read: (path: string) => string): ReadonlyMap<string, string> {
  const docs = "docs/configuration.md";
  const text = fillBlock(read(docs), "settings", renderSettings());
  const withPresets = fillBlock(text, "presets", renderPresets());
  return new Map([
    ["schema/coppice.schema.json", renderSchema()],
    ["src/config/pass-options.ts", renderPassOptions()],
    [docs, fillBlock(withPresets, "protected", renderProtected())],
  ]);
}

function renderSchema(): string {
  const schema = z.toJSONSchema(configSchema, {
    io: "input",
    override({ jsonSchema }) {
      // zod bounds whole numbers by what a double holds exactly: nothing to show in an editor.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  for (const setting of listSettings()) {
    const node = valueAt(
      schema,
      setting.path.flatMap((key) => ["properties", key]),
    );
    const value = defaultOf(setting);
    if (typeof node === "object" && value !== undefined) Object.assign(node ?? {}, { default: value });
  }
  return `${JSON.stringify({ title: "Coppice", ...schema }, null, 2)}\n`;
}

/** The types of the settings that passes own. */
function renderPassOptions(): string {
  const flags = FLAGS.map(({ key, values = [] }) => {
    const types = ["boolean", ...values.map((value) => JSON.stringify(value))];
    return `  readonly ${key}: ${types.join(" | ")};`;
  });
  const groups = [...new Set(NUMBER_SETTINGS.map(({ key }) => key.slice(0, key.lastIndexOf("."))))];
  const options = groups.sort().map((group) => {
    const fields = listNumbers(group).map(
      ([name, { nullable }]) => `    readonly ${name}: number${nullable ? " | null" : ""};`,
    );
    const key = group.includes(".") ? JSON.stringify(group) : group;
    return `  readonly ${key}: {\n${fields.join("\n")}\n  };`;
  });
  return [
    "// Generated from the passes: UPDATE=1 npx vitest run test/config/generated.test.ts",
    "",
    "/** The switches that a preset sets, and that a configuration may also set one by one. */",
    "export interface AggressiveFlags {",
    ...flags,
    "}",
    "",
    "/** The numbers that passes own, by their group in the configuration. */",
    "export interface PassOptions {",
    ...options,
    "}",
    "",
  ].join("\n");
}

function renderSettings(): string {
  const rows = listSettings().map((setting) => {
    const key = setting.path.join(".");
    if (isContainer(setting)) return [`**\`${key}\`**`, "", "", setting.description];
    const value = defaultOf(setting);
    const unset = key.startsWith("schedule.prices.") ? "the model's" : "the preset's";
    const shown = value === undefined ? unset : `\`${JSON.stringify(value)}\``;
    return [`\`${key}\``, describeSchema(setting.schema), shown, setting.description];
  });
  return renderTable(["key", "value", "default", "what it does"], rows);
}

function renderPresets(): string {
  const flags = listSettings().filter(
    ({ path }) => path[1] === "aggressivePruning" && path[2] !== undefined && path[2] !== "preset",
  );
  const rows = flags.map(({ path }) => [
    `\`${path[2]}\``,
    ...PRESET_NAMES.map((preset) => JSON.stringify(valueAt(PRESETS[preset], path.slice(2)))),
  ]);
  return renderTable(["flag", ...PRESET_NAMES], rows);
}

function renderProtected(): string {
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  return `Tools: ${list(PROTECTED_TOOLS)}.\n\nFiles: ${list(PROTECTED_FILES)}.`;
}

/** A file adds to the protected lists, so what it adds by default is nothing. */
function defaultOf(setting: Setting): unknown {
  if (PROTECTED_LISTS.includes(setting.path.join("."))) return [];
  return isContainer(setting) ? undefined : valueAt(DEFAULT_CONFIG, setting.path);
}

/** `schedule.prices` has keys of its own, and is a value too: it may hold any model's. */
function isContainer({ group, path }: Setting): boolean {
  return group && path.join(".") !== "schedule.prices";
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function fillBlock(text: string, name: string, block: string): string {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/configuration.md has no ${begin} … ${end}`);
  return `${text.slice(0, from + begin.length)}\n${block}\n${text.slice(to)}`;
}
