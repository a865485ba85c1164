import type { DialectName } from "../provider/dialects.ts";
import type { ScriptedCall } from "../provider/provider.ts";

export type Call = Omit<ScriptedCall, "id">;

/** A model's calls of a client's own tools. Paths are absolute. */
export interface ClientTools {
  read(path: string): Call;
  /** `before` occurs once in the file, on its own line. */
  edit(path: string, before: string, after: string): Call;
  shell(command: string): Call;
  /** A tool of the MCP server `coppice`. Clients without MCP have none. */
  mcp?(name: string, input: object): Call;
}

/** One run of a client: a prompt with its answer. */
export interface Session {
  /**
   * The model's address, `http://127.0.0.1:PORT`: the provider or the proxy. If unset, the caller configures the
   * client.
   */
  readonly baseUrl?: string;
  /** The address of an MCP server that the client shall know as `coppice`. */
  readonly mcpUrl?: string;
  readonly home: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly model?: string;
  /** The id of a session to continue, from an earlier run. */
  readonly resume?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Words before the command: `coppice wrap --`. */
  readonly before?: readonly string[];
}

/** How a client is started. */
export interface Launch {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Files that the client expects in its home folder, by relative path: those that a user would have. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A real agent program, run without a terminal. */
export interface Client {
  readonly name: string;
  readonly dialect: DialectName;
  readonly tools: ClientTools;
  /** Its bodies are zstd. */
  readonly compresses?: boolean;
  /** It prefers a WebSocket to its model. */
  readonly opensSocket?: boolean;
  /** The id of a call in the history, from the `_meta` of its request to an MCP server, if a client sends one. */
  idOfCall?(meta: object): string | undefined;
  launch(session: Session): Launch;
  /** Its own output on standard output. */
  report(stdout: string): { readonly answer: string | undefined; readonly session: string | undefined };
}
