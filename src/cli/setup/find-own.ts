import { existsSync, readFileSync } from "node:fs";
import { isLoopback } from "../../hosts/proxy/is-loopback.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { ServicePlace } from "../service/supervisor.ts";
import { backupOf } from "./apply-changes.ts";
import { DEFAULT_URL, findServiceUrl } from "./here.ts";
import { SETUPS } from "./setups.ts";

/** The address of a proxy in an agent's settings. */
export interface OwnUrl {
  readonly url: string;
  /** The file with the address, if the address may belong to another program. Only the user knows. */
  readonly doubt?: string;
}

/** Returns the proxy's address that `init` wrote into an agent's settings, or else the default. */
export function findOwnUrl(name: string, place: ServicePlace): OwnUrl {
  const usual = findServiceUrl(place) ?? DEFAULT_URL;
  const setup = SETUPS[name];
  const client = CLIENTS.find((each) => each.name === name);
  if (!setup || !client) return { url: usual };
  const files = setup.changes(place, usual).map(({ file }) => file);
  const there = client.addresses(place).find(({ where }) => files.includes(where));
  if (!there || !URL.canParse(there.url) || !there.url.endsWith(setup.path)) return { url: usual };
  const url = there.url.slice(0, there.url.length - setup.path.length);
  const isSure = [usual, DEFAULT_URL].includes(url) || isNewIn(there.where, there.url);
  if (isSure) return { url };
  return isLoopback(new URL(url).hostname) ? { url, doubt: there.where } : { url: usual };
}

/** Returns true if the copy beside the file does not have the address. */
function isNewIn(file: string, url: string): boolean {
  const copy = backupOf(file);
  return existsSync(copy) && !readFileSync(copy, "utf8").includes(url);
}
