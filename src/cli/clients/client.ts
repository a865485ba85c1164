import type { Upstreams } from "../../hosts/proxy/upstreams.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** The folders that a client reads its settings from. */
export interface ClientPlace {
  readonly env: Env;
  readonly home: string;
  readonly directory: string;
}

/** The address of a client's model. */
export interface Address {
  /** The proxy's name for the provider. */
  readonly upstream: string;
  readonly url: string;
  /** The file or the variable with the address. */
  readonly where: string;
}

/** The arguments and variables with which a client uses the proxy. */
export interface Pointing {
  readonly place: ClientPlace;
  /** The client's own arguments, as the user typed them. */
  readonly args: readonly string[];
  /** The proxy's address. */
  readonly url: string;
  /** The address of the agent's tools, if they are wanted. */
  readonly mcpUrl: string | undefined;
  /** Has the user set an address for this provider? */
  isNamed(upstream: string): boolean;
  /** The proxy's address for a provider; `path` is the end of the provider's usual address. */
  base(upstream: string, path?: string): string;
  /** Writes a file that only this user can read, until the client ends. Returns its path. */
  keep(name: string, text: string): string;
}

export interface Pointed {
  readonly env?: Env;
  /** Come before the user's arguments. */
  readonly args?: readonly string[];
}

/** An agent program whose model address can be set. */
export interface Client {
  /** The name for commands: `coppice wrap claude`. */
  readonly name: string;
  readonly title: string;
  /** The id under which its requests are recorded. */
  readonly id: string;
  readonly program: string;
  /** How to install it. */
  readonly install: string;
  /** Addresses in its settings and the environment: for each upstream, the effective one comes first. */
  addresses(place: ClientPlace): readonly Address[];
  /** The address that it uses by default, if that is not the upstream's usual one. */
  readonly defaults?: Upstreams;
  /** Why it would not use the proxy, whatever address it is given. */
  detours?(place: ClientPlace): readonly string[];
  point(pointing: Pointing): Pointed;
}

/** The effective addresses, by upstream. */
export function toUpstreams(addresses: readonly Address[]): Upstreams {
  return Object.fromEntries(addresses.toReversed().map(({ upstream, url }) => [upstream, url]));
}

/** Those of these variables that are set, in this order. */
export function addressesIn(env: Env, upstream: string, names: readonly string[]): readonly Address[] {
  return names.flatMap((name) => {
    const url = env[name];
    return url ? [{ upstream, url, where: name }] : [];
  });
}

/** Turns off Coppice's plugin in the client, because one of the two is enough. */
export const PLUGIN_OFF: Env = { COPPICE_ENABLED: "off" };
