import { addressesIn, type Client } from "./client.ts";

/** Variables by which programs are told where a model is. */
const VARIABLES: readonly (readonly [name: string, upstream: string, path: string])[] = [
  ["ANTHROPIC_BASE_URL", "anthropic", ""],
  ["OPENAI_BASE_URL", "openai", "/v1"],
  ["OPENAI_API_BASE", "openai", "/v1"],
  ["GOOGLE_GEMINI_BASE_URL", "gemini", ""],
];

/** A program of which nothing is known but that it heeds the usual variables. */
export function anyCommand(program: string): Client {
  return {
    name: program,
    title: program,
    id: program,
    program,
    install: "is its name right?",
    addresses: ({ env }) => VARIABLES.flatMap(([name, upstream]) => addressesIn(env, upstream, [name])),
    point: ({ mcpUrl, base }) => ({
      env: {
        ...Object.fromEntries(VARIABLES.map(([name, upstream, path]) => [name, base(upstream, path)])),
        ...(mcpUrl !== undefined && { COPPICE_MCP_URL: mcpUrl }),
      },
    }),
  };
}
