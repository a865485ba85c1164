import type { InventoryItem } from "../../prefix/inventory.ts";
import type { ClientPlace, Env } from "../clients/client.ts";

/** How to ask a client one question without a person, a key or a login, and how to make its prefix smaller. */
export interface Probe {
  /** The client's arguments: those that point it to the stub, the user's own, and the question. */
  words(pointed: readonly string[], args: readonly string[], prompt: string): readonly string[];
  /** In addition to the user's own. The client requires keys, but none is used. */
  env(env: Env): Env;
  /** The folders of its settings and its state: a path below the home folder, or the value of a variable. */
  readonly state: readonly { readonly path: string; readonly variable?: string }[];
  /** Files that it creates in the project: they are removed again if they did not exist before. */
  readonly leavings?: readonly string[];
  /** Changes the settings in the second home folder, if the client would not use the stub with the user's. */
  prepare?(place: ClientPlace): void;
  /** Names of the MCP servers in its settings. */
  servers(place: ClientPlace): readonly string[];
  /**
   * The client's folders of recorded sessions, below the home folder. Those that `analyze` knows need not be named.
   */
  readonly sessions?: readonly string[];
  /** The client's own setting that leaves this out; `undefined` if it has none. */
  switchOff(item: InventoryItem, place: ClientPlace): string | undefined;
  /** The same for a whole MCP server. */
  switchOffServer?(server: string, place: ClientPlace): string | undefined;
  /** The client's own arguments that leave out tools for one run, for `wrap --lean`; missing if it has none. */
  readonly lean?: Lean;
}

export interface Lean {
  words(tools: readonly string[]): readonly string[];
  /** Tools that others need. */
  readonly needed: RegExp;
  /** The user's arguments that continue a conversation, in the middle of which no tools are left out. */
  readonly resuming: RegExp;
}
