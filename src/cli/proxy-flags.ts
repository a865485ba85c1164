import { type Command, InvalidArgumentError } from "commander";
import type { ProxyOptions } from "../hosts/proxy/proxy.ts";
import { Failure } from "./failure.ts";

/** What `proxy` and `wrap` both take. */
export interface ProxyFlags {
  readonly upstream: readonly string[];
  readonly store?: string;
  readonly holdout?: number;
  readonly keepWarm?: true;
  readonly keepWarmSubscription?: true;
}

export function addProxyFlags(command: Command): Command {
  return command
    .option("--upstream <name=url>", "another provider, or another address (again for more)", collect, [])
    .option(
      "--store <where>",
      "memory, a file, or postgres://… (better in COPPICE_STORE); else in your data folder",
    )
    .option("--holdout <percent>", "leave so many sessions of a hundred unpruned, to compare", readPercent)
    .option("--keep-warm", "send the last request again in a pause, so that the provider's cache holds")
    .option("--keep-warm-subscription", "with --keep-warm: also where a subscription's login pays");
}

export function toProxyOptions(flags: ProxyFlags): Pick<ProxyOptions, "upstreams" | "holdout" | "keepWarm"> {
  const { holdout, keepWarm = false, keepWarmSubscription = false } = flags;
  if (keepWarmSubscription && !keepWarm)
    throw new Failure("--keep-warm-subscription goes with --keep-warm: it has to be asked for twice.", 2);
  return {
    upstreams: Object.fromEntries(flags.upstream.map(readUpstream)),
    keepWarm: keepWarmSubscription ? "with-subscriptions" : keepWarm,
    ...(holdout !== undefined && { holdout }),
  };
}

export function collect(value: string, all: readonly string[]): readonly string[] {
  return [...all, value];
}

function readUpstream(text: string): readonly [name: string, url: string] {
  const [, name, url] = /^([\w.-]+)=(https?:\/\/.+)$/.exec(text) ?? [];
  if (name === undefined || url === undefined || !URL.canParse(url))
    throw new Failure(`${JSON.stringify(text)} is no upstream: write name=https://address.`, 2);
  return [name, url];
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (!(percent > 0 && percent < 100)) throw new InvalidArgumentError("Give a number between 0 and 100.");
  return percent;
}
