import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { ContextReport } from "../../src/cli/context/context-report.ts";
import { loadTokenizer, type Tokenizer } from "../../src/models/tokenizers.ts";
import type { Client } from "../clients/client.ts";
import { runClient } from "../clients/run-client.ts";
import type { Received } from "../provider/provider.ts";
import { listFiles } from "./home-files.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { COPPICE, commandOf, ONE_OF_EACH, placeClient } from "./wrapped-client.ts";

const SERVER = fileURLToPath(new URL("words-server.mjs", import.meta.url));
const PROMPT = "Say: done";

/** A user's setup: memory files, a skill, an MCP server; for pi, a provider of their own. */
function furnish(client: Client, { place, provider, write }: Prepared): void {
  const { files = {} } = client.launch({ baseUrl: provider.url, ...place, prompt: "" });
  for (const [path, text] of Object.entries(files)) write(path, text);
  for (const name of ["CLAUDE.md", "AGENTS.md", "GEMINI.md"])
    writeFileSync(join(place.cwd, name), `# Rules of ${name}\n\nWrite short sentences.\n`);
  write(".claude/CLAUDE.md", "I like tests.\n");
  write(".claude/skills/rhyme/SKILL.md", "---\nname: rhyme\ndescription: Finds rhymes.\n---\nRhyme.\n");
  const local = { command: process.execPath, args: [SERVER] };
  const mcpServers = { words: local };
  write(".claude.json", { mcpServers });
  write(".codex/config.toml", `[mcp_servers.words]\ncommand = "${local.command}"\nargs = ["${SERVER}"]\n`);
  write(".gemini/settings.json", { security: { auth: { selectedType: "gemini-api-key" } }, mcpServers });
  write(".qwen/settings.json", { mcpServers });
  write(".copilot/mcp-config.json", { mcpServers: { words: { ...local, type: "local", tools: ["*"] } } });
  write(".config/opencode/opencode.json", {
    mcp: { words: { type: "local", command: [local.command, SERVER] } },
  });
}

function lookAt(client: Client, { place }: Prepared, words: readonly string[] = []): ContextReport {
  const bin = placeClient(client, place.home);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: place.home };
  const more = commandOf(client) === "pi" ? ["--provider", "scripted", "--model", "claude-sonnet-4-5"] : [];
  const args = [COPPICE, "context", "--json", commandOf(client), ...more, ...words];
  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: place.cwd, env, encoding: "utf8" }),
  ) as ContextReport;
}

/** The client's request without us, with the same settings. */
async function ask(client: Client, { place, provider }: Prepared, model: string): Promise<Received> {
  const own: Client = {
    ...client,
    launch(session) {
      const { files = {}, ...launch } = client.launch(session);
      const { ".gemini/settings.json": _, ...rest } = files;
      // The mode that allows everything has other texts.
      const command = launch.command.filter((word) => word !== "--dangerously-skip-permissions");
      return { ...launch, command: command as [string, ...string[]], files: rest };
    },
  };
  const session = { baseUrl: provider.url, home: place.home, cwd: place.cwd, prompt: PROMPT, model };
  const ran = await runClient(own, session);
  const request = provider.received.find(({ body }) => toolsIn(body).length > 0);
  if (!request) throw new Error(`${client.name} sent no tools: ${ran.stderr}`);
  return request;
}

interface Tool {
  readonly name: string;
  readonly text: string;
}

/** Every tool of a request, in the form of each interface. */
function toolsIn(body: Received["body"]): readonly Tool[] {
  const { tools, input } = body as { readonly tools?: unknown[]; readonly input?: unknown[] };
  const lists = [
    tools,
    ...(Array.isArray(input) ? input.map((item) => (item as { tools?: unknown[] }).tools) : []),
  ];
  return lists.flat().flatMap((tool) => (tool ? readTool(tool as Definition, "") : []));
}

interface Definition {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly functionDeclarations?: readonly Definition[];
  readonly tools?: readonly Definition[];
  readonly cache_control?: unknown;
  readonly defer_loading?: boolean;
}

function readTool(
  { cache_control: _, defer_loading: __, ...tool }: Definition,
  space: string,
): readonly Tool[] {
  if (tool.functionDeclarations) return tool.functionDeclarations.flatMap((each) => readTool(each, ""));
  if (tool.type === "namespace")
    return (tool.tools ?? []).flatMap((each) =>
      readTool(each, tool.name === "functions" ? "" : `${tool.name}__`),
    );
  return [{ name: `${space}${tool.function?.name ?? tool.name ?? tool.type}`, text: JSON.stringify(tool) }];
}

/** All text of a request except the prompt. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value === PROMPT ? "" : value;
  if (Array.isArray(value)) return value.map(textIn).join("\n");
  const { text, content, parts, role } = (value ?? {}) as Record<string, unknown>;
  return role === "assistant"
    ? ""
    : [text, content, parts].map((each) => (each ? textIn(each) : "")).join("\n");
}

function countAll({ body }: Received, { count }: Tokenizer): number {
  const { system, instructions, systemInstruction, messages, input, contents } = body;
  const texts = [system, instructions, systemInstruction, messages, input, contents].map((each) =>
    textIn(each ?? ""),
  );
  return [...texts, ...toolsIn(body).map(({ text }) => text)].reduce((sum, text) => sum + count(text), 0);
}

describe.each(ONE_OF_EACH)("context: $name", (client) => {
  test("lists every tool of the client, changes no file, and leaves nothing behind", async () => {
    const prepared = await prepare(client, () => ({ text: "done" }));
    furnish(client, prepared);
    const isOurs = (path: string) => /^\.(?:local\/share|cache)\/coppice\//.test(path);
    const files = () =>
      [prepared.place.home, prepared.place.cwd].map((folder) =>
        [...listFiles(folder)].filter(([path]) => !isOurs(path)).sort(),
      );
    const before = files();
    const started = performance.now();
    const report = lookAt(client, prepared);
    const took = performance.now() - started;
    expect(files()).toEqual(before);
    // Five seconds on an idle machine.
    const busy = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
    expect(took).toBeLessThan(5_000 * busy);

    const request = await ask(client, prepared, String(report.prefix.model));
    const listed = report.prefix.groups.flatMap(({ items }) => items);
    const tools = toolsIn(request.body);
    const own = listed.filter(({ isTool, within, name }) => isTool && within === undefined && isSent(name));
    // Tools whose names the prompt lists for searching are in no list of definitions.
    function isSent(name: string): boolean {
      const place = report.prefix.groups.find(({ group }) => group === "deferred tools");
      const deferred = place?.items.find((item) => item.name === name);
      return !deferred || deferred.isHidden === true || tools.some((tool) => tool.name === name);
    }
    expect(own.map(({ name }) => name).sort()).toEqual(tools.map(({ name }) => name).sort());

    const tokenizer = await loadTokenizer(report.counted as Tokenizer["name"]);
    for (const { name, text } of tools) {
      const parts = listed.filter((item) => item.isTool && (item.name === name || item.within === name));
      const sum = parts.reduce((all, { tokens }) => all + tokens, 0);
      expect(Math.abs(sum / tokenizer.count(text) - 1), name).toBeLessThan(0.05);
    }
    const all = listed.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(Math.abs(all / countAll(request, tokenizer) - 1)).toBeLessThan(0.05);
    const memories = report.prefix.groups.find(({ group }) => group === "memory files");
    expect(memories?.items.some(({ name }) => /(?:CLAUDE|AGENTS|GEMINI)\.md$/.test(name))).toBe(true);
  });
});

describe("context", () => {
  const [claude] = ONE_OF_EACH;
  if (!claude) throw new Error("There is no client.");

  test("shows the changes since the last result", async () => {
    const prepared = await prepare(claude);
    furnish(claude, prepared);
    expect(lookAt(claude, prepared).changes).toBeUndefined();
    writeFileSync(join(prepared.place.cwd, "CLAUDE.md"), "Write short sentences.\n".repeat(100));
    const changes = lookAt(claude, prepared).changes?.list ?? [];
    expect(changes.map(({ group, name }) => [group, name])).toEqual([
      ["memory files", join(prepared.place.cwd, "CLAUDE.md")],
    ]);
    expect(changes[0]?.after).toBeGreaterThan((changes[0]?.before ?? 0) + 300);
  });
});

/** A tool of each client, and the setting in `coppice context` that turns it off: in words, or in a file. */
const SWITCHES: Readonly<
  Record<string, readonly [tool: string, said: string, file?: string, value?: object]>
> = {
  claude: ["Workflow", "--disallowedTools=Workflow"],
  codex: ["web__run", '-c web_search="disabled"'],
  gemini: [
    "web_fetch",
    'tools.exclude: ["web_fetch"]',
    ".gemini/settings.json",
    { tools: { exclude: ["web_fetch"] } },
  ],
  qwen: ["notebook_edit", "--exclude-tools=notebook_edit"],
  copilot: ["sql", "--excluded-tools=sql"],
  pi: ["edit", "--exclude-tools edit"],
  opencode: [
    "webfetch",
    '"tools": { "webfetch": false }',
    ".config/opencode/opencode.json",
    { tools: { webfetch: false } },
  ],
};

describe.each(ONE_OF_EACH)("switches: $name", (client) => {
  test("the shown setting turns a tool off", async () => {
    const [tool, said, file, value] = SWITCHES[commandOf(client)] ?? ["", ""];
    const prepared = await prepare(client);
    furnish(client, prepared);
    const find = (report: ContextReport) =>
      report.prefix.groups.flatMap(({ items }) => items).find(({ name }) => name === tool);
    expect(find(lookAt(client, prepared))?.switch).toBe(said);
    if (file !== undefined) {
      const path = join(prepared.place.home, file);
      const before = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
      prepared.write(file, { ...before, ...value });
    }
    const words = file === undefined ? said.replaceAll('"', "").split(" ") : [];
    expect(find(lookAt(client, prepared, words))).toBeUndefined();
  });
});
