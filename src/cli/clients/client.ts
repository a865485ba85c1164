import type { Upstreams } from "../../hosts/proxy/upstreams.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Where a client looks for its settings. */
export interface ClientPlace {
  readonly env: Env;
  readonly home: string;
  readonly directory: string;
}

/** Where a client looks for its model. */
export interface Address {
  /** The proxy's name for the provider. */
  readonly upstream: string;
  readonly url: string;
  /** The file or the variable that says so. */
  readonly where: string;
}

/** What a client is started with, so that it asks the proxy. */
export interface Pointing {
  readonly place: ClientPlace;
  /** The client's own, as the user gave them. */
  readonly args: readonly string[];
  /** The proxy's address. */
  readonly url: string;
  /** That of the agent's tools, where they are wanted. */
  readonly mcpUrl: string | undefined;
  /** Has the user named an address for this provider? */
  isNamed(upstream: string): boolean;
  /** The proxy's address for a provider; `path` is what stands at the end of the provider's usual address. */
  base(upstream: string, path?: string): string;
  /** Puts a file where only this user can read it, until the client ends. Gives its path. */
  keep(name: string, text: string): string;
}

export interface Pointed {
  readonly env?: Env;
  /** Before those of the user. */
  readonly args?: readonly string[];
}

/** An agent program that can be told where its model is. */
export interface Client {
  /** What people type: `coppice wrap claude`. */
  readonly name: string;
  readonly title: string;
  /** What requests are noted under. */
  readonly id: string;
  readonly program: string;
  /** How to get it. */
  readonly install: string;
  /** Addresses that its settings and the environment name: of each upstream the one that counts comes first. */
  addresses(place: ClientPlace): readonly Address[];
  /** Where it asks when nothing names an address, where that is not the usual one of the upstream. */
  readonly defaults?: Upstreams;
  /** Why it would not ask the proxy, whatever address it is given. */
  detours?(place: ClientPlace): readonly string[];
  point(pointing: Pointing): Pointed;
}

/** The addresses that count, by upstream. */
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

/** Where Coppice is also a plugin of the client, one of the two is enough. */
export const PLUGIN_OFF: Env = { COPPICE_ENABLED: "off" };
