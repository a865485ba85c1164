import type { InventoryItem } from "../../prefix/inventory.ts";
import type { ClientPlace, Env } from "../clients/client.ts";

/** How a client is asked one question without a person, a key or a login, and how its prefix is made smaller. */
export interface Probe {
  /** The client's words: what points it to the stub, the user's own, and the question. */
  words(pointed: readonly string[], args: readonly string[], prompt: string): readonly string[];
  /** Beside the user's own. Keys are there for the client's sake: none is used. */
  env(env: Env): Env;
  /** Where it keeps its settings and its state: a path below the home folder, or what a variable names. */
  readonly state: readonly { readonly path: string; readonly variable?: string }[];
  /** Files that it makes in the project: they are removed again where they were not there. */
  readonly leavings?: readonly string[];
  /** Changes the settings in the second home folder, where the client would not ask the stub with the user's. */
  prepare?(place: ClientPlace): void;
  /** Names of the MCP servers that it is set up with. */
  servers(place: ClientPlace): readonly string[];
  /** Where the client keeps recorded sessions, below the home folder. Those that `analyze` knows need not be named. */
  readonly sessions?: readonly string[];
  /** The client's own way to leave this out; `undefined`: it has none. */
  switchOff(item: InventoryItem, place: ClientPlace): string | undefined;
  /** The same for all of an MCP server. */
  switchOffServer?(server: string, place: ClientPlace): string | undefined;
  /** The client's own words to leave tools out for one run, for `wrap --lean`; missing where it has none. */
  readonly lean?: Lean;
}

export interface Lean {
  words(tools: readonly string[]): readonly string[];
  /** Without these, others could not be used. */
  readonly needed: RegExp;
  /** Words of the user's that go on with a conversation: nothing is left out in the middle of one. */
  readonly resuming: RegExp;
}
