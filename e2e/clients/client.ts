import type { DialectName } from "../provider/dialects.ts";
import type { ScriptedCall } from "../provider/provider.ts";

export type Call = Omit<ScriptedCall, "id">;

/** Calls that a model makes of a client's own tools. Paths are absolute. */
export interface ClientTools {
  read(path: string): Call;
  /** `before` stands once in the file, on a line of its own. */
  edit(path: string, before: string, after: string): Call;
  shell(command: string): Call;
  /** A tool of the MCP server `coppice`. Clients without MCP have none. */
  mcp?(name: string, input: object): Call;
}

/** One run of a client: a prompt, answered. */
export interface Session {
  /** Where the model is, `http://127.0.0.1:PORT`: the provider or the proxy. Without, whoever starts the client points it. */
  readonly baseUrl?: string;
  /** The address of an MCP server that the client shall know as `coppice`. */
  readonly mcpUrl?: string;
  readonly home: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly model?: string;
  /** The id of a session to go on with, as an earlier run gave it. */
  readonly resume?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Words in front of the command: `coppice wrap --`. */
  readonly before?: readonly string[];
}

/** How a client is started. */
export interface Launch {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Files that the client wants to find in its home folder, by path from there: what a user would have. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A real agent program, run without a terminal. */
export interface Client {
  readonly name: string;
  readonly dialect: DialectName;
  readonly tools: ClientTools;
  /** Its bodies are zstd. */
  readonly compresses?: boolean;
  /** It would rather speak to its model over a WebSocket. */
  readonly opensSocket?: boolean;
  /** The id of a call in the history, from the `_meta` of its request to an MCP server, where a client sends one. */
  idOfCall?(meta: object): string | undefined;
  launch(session: Session): Launch;
  /** What it says of itself on standard output. */
  report(stdout: string): { readonly answer: string | undefined; readonly session: string | undefined };
}
