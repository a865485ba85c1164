import { type Command, InvalidArgumentError } from "commander";
import type { ProxyOptions } from "../hosts/proxy/proxy.ts";
import { Failure } from "./failure.ts";

/** The options of both `proxy` and `wrap`. */
export interface ProxyFlags {
  readonly upstream: readonly string[];
  readonly store?: string;
  readonly holdout?: number;
  readonly keepWarm?: true;
  readonly keepWarmSubscription?: true;
}

export function addProxyFlags(command: Command): Command {
  return command
    .option("--upstream <name=url>", "another provider, or another address (repeatable)", collect, [])
    .option(
      "--store <where>",
      "memory, a file, or postgres://… (better in COPPICE_STORE); default: a file in your data folder",
    )
    .option("--holdout <percent>", "leave this percentage of sessions unpruned, to compare", readPercent)
    .option("--keep-warm", "send the last request again during pauses, so that the provider keeps its cache")
    .option("--keep-warm-subscription", "with --keep-warm: also for requests paid by a subscription");
}

export function toProxyOptions(flags: ProxyFlags): Pick<ProxyOptions, "upstreams" | "holdout" | "keepWarm"> {
  const { holdout, keepWarm = false, keepWarmSubscription = false } = flags;
  if (keepWarmSubscription && !keepWarm)
    throw new Failure(
      "--keep-warm-subscription needs --keep-warm too, so that nobody turns it on by mistake.",
      2,
    );
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
    throw new Failure(`${JSON.stringify(text)} is not an upstream: use name=https://address.`, 2);
  return [name, url];
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (!(percent > 0 && percent < 100)) throw new InvalidArgumentError("Give a number between 0 and 100.");
  return percent;
}
