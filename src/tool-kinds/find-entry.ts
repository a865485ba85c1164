import { compileGlobs } from "../globs.ts";
import { fileTools } from "./built-in/files.ts";
import { planningTools } from "./built-in/planning.ts";
import { shellTools } from "./built-in/shell.ts";
import { webTools } from "./built-in/web.ts";
import { workspaceTools } from "./built-in/workspace.ts";
import { squash } from "./fields.ts";
import type { ToolKindEntry } from "./tool-kind-entry.ts";
import type { ToolKind } from "./tool-use.ts";

/** A tool's name without prefix, and what is known of it. */
export interface NamedEntry {
  readonly name: string;
  readonly entry: ToolKindEntry;
}

/** Finds a tool's entry by name: the user's in their order, the built-in ones, then the words of the name. */
export function createEntryLookup(userEntries: readonly ToolKindEntry[]): (tool: string) => NamedEntry {
  const finders = [indexEntries(userEntries), BUILT_IN];
  const known = new Map<string, NamedEntry>();
  return (tool) => {
    const cached = known.get(tool);
    if (cached) return cached;
    const bare = withoutPrefix(tool);
    const entry = firstOf(finders, tool) ?? firstOf(finders, bare) ?? guessEntry(bare);
    const named = { name: bare.toLowerCase(), entry };
    known.set(tool, named);
    return named;
  };
}

type Finder = (name: string) => ToolKindEntry | undefined;

function firstOf(finders: readonly Finder[], name: string): ToolKindEntry | undefined {
  for (const find of finders) {
    const entry = find(name);
    if (entry) return entry;
  }
  return undefined;
}

/** `mcp__files__read_file`, Roo's `mcp--files--read_file`, Goose's `developer__shell`: the tool is the last of it. */
function withoutPrefix(tool: string): string {
  return tool.replace(/^(?:mcp__.+?__|mcp--.+?--|[a-z0-9][a-z0-9_.-]*?__)(?=.)/i, "");
}

/** An earlier entry wins over a later one, a name or a glob alike. */
function indexEntries(entries: readonly ToolKindEntry[]): Finder {
  const byName = new Map<string, number>();
  const globs: { readonly matches: (name: string) => boolean; readonly index: number }[] = [];
  entries.forEach(({ names }, index) => {
    for (const name of names) {
      if (/[*?[\]{}()!]/.test(name)) {
        globs.push({ matches: compileGlobs([name], { nocase: true, dot: true, windows: false }), index });
      } else if (!byName.has(squash(name))) byName.set(squash(name), index);
    }
  });
  return (name) => {
    const exact = byName.get(squash(name)) ?? entries.length;
    const glob = globs.find(({ matches }) => matches(name))?.index ?? entries.length;
    return entries[Math.min(exact, glob)];
  };
}

const BUILT_IN: Finder = indexEntries([
  ...fileTools,
  ...workspaceTools,
  ...shellTools,
  ...webTools,
  ...planningTools,
]);

/** What words of an unknown name mean, the telling ones first. */
const WORDS: readonly (readonly [ToolKind, readonly string[]])[] = [
  ["todo", ["todo", "todos"]],
  ["write", ["create", "write"]],
  ["edit", ["edit", "modify", "replace", "patch"]],
  ["delete", ["delete", "remove"]],
  ["read", ["read", "get", "view"]],
  ["list", ["list"]],
  ["search", ["search", "grep", "find"]],
  ["shell", ["shell", "bash", "exec", "execute", "run", "terminal"]],
  ["fetch", ["fetch"]],
];

/** `acme_read_doc`, `readDoc` and `read-doc` read; `thread_info` and `spreadsheet` do not. */
function guessEntry(name: string): ToolKindEntry {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const kind = WORDS.find(([, telling]) => telling.some((word) => words.includes(word)))?.[0] ?? "other";
  return { names: [name], kind: kind === "search" && words.includes("web") ? "web-search" : kind };
}
