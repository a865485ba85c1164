import { basename, extname } from "node:path";
import { addressesIn, type Client } from "./client.ts";

/** Variables that give programs the address of a model. */
const VARIABLES: readonly (readonly [name: string, upstream: string, path: string])[] = [
  ["ANTHROPIC_BASE_URL", "anthropic", ""],
  ["OPENAI_BASE_URL", "openai", "/v1"],
  ["OPENAI_API_BASE", "openai", "/v1"],
  ["GOOGLE_GEMINI_BASE_URL", "gemini", ""],
];

/** Programs that start others: those others give the name. */
const RUNTIMES = /^(?:node|bun|bunx|deno|npx|tsx|uv|uvx|python[\d.]*|ruby|perl|env|sh|bash)$/i;
/** Words that may come between a runtime and the program that it starts. */
const SUBCOMMANDS: ReadonlySet<string> = new Set(["run", "x", "exec", "tool"]);

/** Options whose value is the program itself. */
const CODE = /^(?:-c|-e|-p|-pe|--eval|--print)$/;
const SCRIPT = /^[^-].*\.(?:[cm]?[jt]sx?|py|rb|pl|sh)$/i;

function isName(arg: string): boolean {
  return !arg.startsWith("-") && !SUBCOMMANDS.has(arg) && !/^\w+=/.test(arg);
}

/**
 * The name of the program that is started.
 *
 *   aider --model sonnet         ->  aider
 *   node --no-warnings agent.mjs ->  agent
 *   npx @acme/agent@1.2          ->  @acme/agent
 */
function nameCommand(program: string, args: readonly string[]): string {
  const own = basename(program).replace(/\.(?:exe|cmd)$/i, "");
  if (!RUNTIMES.test(own)) return own;
  if (args.some((arg) => CODE.test(arg))) return own;
  const started = args.find((arg) => SCRIPT.test(arg)) ?? args.find(isName);
  if (started === undefined) return own;
  if (!started.startsWith("@")) return basename(started, extname(started)) || own;
  const version = started.indexOf("@", 1);
  return version < 0 ? started : started.slice(0, version);
}

/** An unknown program that reads the usual variables. */
export function anyCommand(program: string, args: readonly string[]): Client {
  const name = nameCommand(program, args);
  return {
    name,
    title: name,
    id: name,
    program,
    install: "is the name right?",
    addresses: ({ env }) => VARIABLES.flatMap(([name, upstream]) => addressesIn(env, upstream, [name])),
    point: ({ mcpUrl, base }) => ({
      env: {
        ...Object.fromEntries(VARIABLES.map(([name, upstream, path]) => [name, base(upstream, path)])),
        ...(mcpUrl !== undefined && { COPPICE_MCP_URL: mcpUrl }),
      },
    }),
  };
}
