import { compileGlobs } from "../expressions/globs.ts";
import { fileTools } from "./built-in/files.ts";
import { planningTools } from "./built-in/planning.ts";
import { shellTools } from "./built-in/shell.ts";
import { webTools } from "./built-in/web.ts";
import { workspaceTools } from "./built-in/workspace.ts";
import { squash } from "./fields.ts";
import type { ToolKindEntry } from "./tool-kind-entry.ts";
import type { ToolKind } from "./tool-use.ts";

/** A tool's name without prefix, and its entry. */
export interface NamedEntry {
  readonly name: string;
  /** The server of the tool; missing: the host's own. */
  readonly server?: string;
  readonly entry: ToolKindEntry;
  /** Its kind is a guess from the words of its name. */
  readonly isGuess?: true;
}

/** Finds a tool's entry by name: the user's entries in order, then the built-in ones, then the words of the name. */
export function createEntryLookup(userEntries: readonly ToolKindEntry[]): (tool: string) => NamedEntry {
  const findUser = indexEntries(userEntries);
  const known = new Map<string, NamedEntry>();
  return (tool) => {
    const cached = known.get(tool);
    if (cached) return cached;
    const { server = findOwner(tool), bare } = splitOwn(tool) ?? splitName(tool);
    const find = (name: string) => findUser(name) ?? withoutClaims(BUILT_IN(name), server);
    const entry = find(tool) ?? find(bare);
    const named: NamedEntry = {
      name: bare.toLowerCase(),
      ...(server !== undefined && !isOurs(entry, server) && { server }),
      ...(entry ? { entry } : guessEntry(bare, server)),
    };
    known.set(tool, named);
    return named;
  };
}

/** The name that `wrap` gives to the server of Coppice's own tools. */
const OWN_SERVER = "coppice";

function isOurs(entry: ToolKindEntry | undefined, server: string | undefined): boolean {
  return entry?.kind === "context" && server === OWN_SERVER;
}

/**
 * A server's tool never counts as a skill, and counts as a context tool only if the server is ours, whatever its
 * name.
 */
function withoutClaims(
  entry: ToolKindEntry | undefined,
  server: string | undefined,
): ToolKindEntry | undefined {
  if (!entry || server === undefined || isOurs(entry, server)) return entry;
  return entry.kind === "skill" || entry.kind === "context" ? { names: entry.names, kind: "other" } : entry;
}

/**
 * Other spellings of our own tools: `coppice_context_prune` (OpenCode), `coppice-context_prune` (Copilot),
 * `mcp_coppice_context_prune` (Gemini CLI). For other servers' tools, these would be guesses.
 */
function splitOwn(tool: string): { readonly server: string; readonly bare: string } | undefined {
  const bare = /^(?:coppice[_-]|mcp_coppice_)(context_(?:prune|recall|info))$/.exec(tool)?.[1];
  return bare === undefined ? undefined : { server: OWN_SERVER, bare };
}

type Finder = (name: string) => ToolKindEntry | undefined;

/** `mcp__files__read_file`, Roo's `mcp--files--read_file`, Goose's `developer__shell`: the tool's name comes last. */
function splitName(tool: string): { readonly server?: string; readonly bare: string } {
  const joint = /^mcp(__|--)/i.exec(tool)?.[1];
  const start = joint === undefined ? 0 : "mcp".length + joint.length;
  // The names of server and tool must both have at least one character.
  const end = tool.indexOf(joint ?? "__", start + 1);
  const bare = end < 0 ? "" : tool.slice(end + 2);
  const server = tool.slice(start, end);
  return bare === "" || !/^[^\s_]/.test(server) ? { bare: tool } : { server, bare };
}

/** The server in a name that matches a glob: OpenCode's `playwright_browser_snapshot` is a tool of `playwright`. */
function findOwner(tool: string): string | undefined {
  const names = BUILT_IN(tool)?.names ?? [];
  if (names.some((each) => squash(each) === squash(tool))) return undefined;
  const name = names.find((each) => tool.toLowerCase().endsWith(`_${each}`));
  return name === undefined ? undefined : tool.slice(0, -name.length - 1);
}

/** An earlier entry has precedence over a later one, whether it has a name or a glob. */
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

/** The kinds that words in an unknown tool's name suggest; earlier rows have precedence. */
const WORDS: readonly (readonly [ToolKind, readonly string[]])[] = [
  ["write", ["create", "write"]],
  ["edit", ["edit", "modify", "replace", "patch"]],
  ["delete", ["delete", "remove"]],
  ["read", ["read", "get", "view"]],
  ["list", ["list"]],
  ["search", ["search", "grep", "find"]],
  ["shell", ["shell", "bash", "exec", "execute", "run", "terminal"]],
  ["fetch", ["fetch"]],
];

/**
 * `acme_read_doc`, `readDoc` and `read-doc` read; `thread_info` and `spreadsheet` do not. The words before the
 * significant one may be a server's name, as OpenCode writes it, so they count as one.
 */
function guessEntry(name: string, server: string | undefined): Omit<NamedEntry, "name"> {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const [kind, telling] = WORDS.find(([, each]) => each.some((word) => words.includes(word))) ?? [
    "other",
    [],
  ];
  const owner =
    server ??
    words
      .slice(
        0,
        words.findIndex((word) => telling.includes(word)),
      )
      .join("_");
  const entry: ToolKindEntry = {
    names: [name],
    kind: kind === "search" && words.includes("web") ? "web-search" : kind,
  };
  return { entry, isGuess: true, ...(owner !== "" && kind !== "other" && { server: owner }) };
}
