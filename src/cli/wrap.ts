import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { type Command, Option } from "commander";
import { describeError } from "../basics/issue.ts";
import type { Upstreams } from "../hosts/proxy/upstreams.ts";
import { anyCommand } from "./clients/any-command.ts";
import { type Client, type ClientPlace, type Env, type Pointing, toUpstreams } from "./clients/client.ts";
import { CLIENTS } from "./clients/clients.ts";
import { Failure } from "./failure.ts";
import { findClient, isAfterDashes } from "./find-client.ts";
import { formatSaved } from "./format-saved.ts";
import { formatExamples } from "./help.ts";
import type { LeanPlan } from "./plan-lean.ts";
import { openPrivateFolder } from "./private-folder.ts";
import { openProxy } from "./proxy.ts";
import { addProxyFlags, type ProxyFlags, toProxyOptions } from "./proxy-flags.ts";
import { findProgram, runClient } from "./run-client.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";
import { startStandIn } from "./stand-in.ts";

interface WrapFlags extends ProxyFlags {
  readonly tools: boolean;
  readonly lean?: true;
  readonly leanKeep?: string;
  readonly quiet?: true;
}

const NAMES = CLIENTS.map(({ name }) => name);

export function addWrap(command: Command, screen: Screen): void {
  command
    .argument("<agent>", `${NAMES.join(", ")}, or -- and any command`)
    .argument("[args...]", "the agent's own arguments, passed on unchanged")
    .option(
      "--no-tools",
      "don't give the agent Coppice's tools (context_prune, context_recall, context_info)",
    )
    .option(
      "--lean",
      "leave out tools that your sessions of this project never called (--lean=keep:A,B keeps some)",
    )
    .addOption(new Option("--lean-keep <tools>").hideHelp())
    .option("--quiet", "print nothing at the start and at the end");
  addProxyFlags(command)
    .passThroughOptions()
    .addHelpText(
      "after",
      formatExamples([
        ["coppice wrap claude", "Claude Code, as you know it"],
        ["coppice wrap --lean claude", "without tools that you never use here"],
        ["coppice wrap codex exec 'fix the tests'", "with arguments for the agent"],
        [
          "coppice wrap --no-tools -- aider --model sonnet",
          "any program that reads ANTHROPIC_BASE_URL or a similar variable",
        ],
      ]),
    )
    .action(async (name: string, args: readonly string[], flags: WrapFlags, command: Command) => {
      const isOther = isAfterDashes(command, 1 + args.length);
      const client = isOther ? anyCommand(name, args) : findClient(name, "wrap");
      process.exitCode = await wrap(client, args, flags, screen);
    });
}

/** Starts the proxy and the client, and ends with the client. Returns the client's exit code. */
async function wrap(
  client: Client,
  args: readonly string[],
  flags: WrapFlags,
  screen: Screen,
): Promise<number> {
  const place: ClientPlace = { env: process.env, home: homedir(), directory: process.cwd() };
  const file = findProgram(client.program, place.env.PATH);
  if (file === undefined)
    throw new Failure(`${client.program} was not found in your PATH: ${client.install}`);
  const options = toProxyOptions(flags);
  const upstreams = readUpstreams(client, place, options.upstreams ?? {});
  const lean = flags.lean ? await lookForLean(client, args, flags, screen) : undefined;
  if (lean && !flags.quiet) screen.note(`coppice: lean: ${lean.line}`);
  // The terminal belongs to the client while it runs.
  const held: string[] = [];
  const quiet: Screen = { ...screen, note: (text) => held.push(text) };
  const { runSums } = await import("../hosts/proxy/run-sums.ts");
  const sums = runSums();
  // Other users on this machine could open the pages, which show text of sessions.
  const pageToken = randomBytes(16).toString("hex");
  const proxy = await openProxy(
    { ...options, client: client.id, pageToken, upstreams: upstreams.all, services: [sums.service] },
    flags.store,
    quiet,
  );
  const pages = `${proxy.url}/~${pageToken}`;
  // For people, not for programs that read a pipe.
  if (!flags.quiet && process.stderr.isTTY)
    screen.note(`coppice: ${pages}/ shows its requests while it runs.`);
  const folder = openPrivateFolder();
  let dismiss = () => {};
  try {
    const isNamed = (upstream: string) => Object.hasOwn(upstreams.all, upstream);
    const pointed = client.point({
      place,
      args,
      url: proxy.url,
      mcpUrl: flags.tools ? `${pages}/mcp` : undefined,
      isNamed,
      base: (upstream, path = "") =>
        `${proxy.url}/${upstream}${Object.hasOwn(upstreams.found, upstream) ? "" : path}`,
      keep: folder.keep,
    } satisfies Pointing);
    const env = { ...process.env, COPPICE_URL: pages, ...pointed.env, ...passAround(process.env) };
    const command = `coppice wrap ${CLIENTS.includes(client) ? client.name : `-- ${client.name}`}`;
    const all = [...(pointed.args ?? []), ...(lean?.args ?? []), ...args];
    return await runClient(file, all, env, (pid) => {
      dismiss = startStandIn({ url: proxy.url, pid, command });
    });
  } catch (error) {
    throw new Failure(`${file} can't be started: ${describeError(error)}`);
  } finally {
    dismiss();
    folder.dispose();
    await proxy.close();
    for (const text of held) screen.note(text);
    if (!flags.quiet) screen.note(`coppice: ${describeRun(client, place)}`);
  }

  function describeRun({ detours, title }: Client, where: ClientPlace): string {
    const line = formatSaved(sums.read());
    if (sums.read().requests > 0) return line;
    const why = detours?.(where) ?? [];
    const known =
      why.length === 0 ? `${title} sent no request, or its settings name another address` : why.join("; ");
    return `${line.slice(0, -1)}: ${known}.`;
  }
}

async function lookForLean(
  client: Client,
  args: readonly string[],
  { leanKeep = "" }: WrapFlags,
  screen: Screen,
): Promise<LeanPlan> {
  const keep = leanKeep.split(",").filter((name) => name !== "");
  const { planLean } = await import("./plan-lean.ts");
  return planLean(client, args, keep, readSettings(screen, undefined).config);
}

/**
 * `found`: complete addresses from the user's settings, or the client's defaults. `all`: those, and the command's
 * own.
 */
function readUpstreams(
  client: Client,
  place: ClientPlace,
  flags: Upstreams,
): { readonly found: Upstreams; readonly all: Upstreams } {
  const addresses = client.addresses(place).filter(({ upstream }) => !Object.hasOwn(flags, upstream));
  const wrong = addresses.find(({ url }) => !/^https?:/.test(url) || !URL.canParse(url));
  if (wrong)
    throw new Failure(`${JSON.stringify(wrong.url)} (${wrong.where}) is not the address of a model.`);
  const found = { ...leaveOut(client.defaults ?? {}, flags), ...toUpstreams(addresses) };
  return { found, all: { ...found, ...flags } };
}

function leaveOut(defaults: Upstreams, flags: Upstreams): Upstreams {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !Object.hasOwn(flags, name)));
}

/** If requests go through another proxy, those to this one must not. */
function passAround(env: Env): Env {
  const isProxied = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].some(
    (name) => env[name],
  );
  if (!isProxied) return {};
  const noProxy = env.no_proxy || env.NO_PROXY;
  const all = [...(noProxy ? [noProxy] : []), "127.0.0.1", "localhost"].join(",");
  return { NO_PROXY: all, no_proxy: all };
}
