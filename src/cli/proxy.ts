import type { Command } from "commander";
import { describeError } from "../basics/issue.ts";
import type { PartialConfig } from "../config/config.ts";
import { loadConfig } from "../config/files.ts";
import type { ProxyOptions, RunningProxy } from "../hosts/proxy/proxy.ts";
import { openStore, type StoreSettings } from "../stores/open-store.ts";
import { Failure } from "./failure.ts";
import { formatExamples } from "./help.ts";
import { parsePort } from "./parse-count.ts";
import { addProxyFlags, collect, type ProxyFlags, toProxyOptions } from "./proxy-flags.ts";
import type { Screen } from "./screen.ts";

interface ListenFlags extends ProxyFlags {
  readonly port: number;
  readonly host: string;
  readonly token?: string;
  readonly allowHost: readonly string[];
}

export function addProxy(command: Command, screen: Screen): void {
  command
    .option("--port <number>", "the address to listen on", parsePort, 8787)
    .option("--host <address>", "an address that other machines can reach needs a token", "127.0.0.1")
    .option("--token <text>", "the token that callers must send; better in COPPICE_TOKEN")
    .option(
      "--allow-host <name>",
      "a host name under which callers reach the proxy (repeatable)",
      collect,
      [],
    );
  addProxyFlags(command)
    .addHelpText(
      "after",
      formatExamples([
        ["coppice proxy", "then: ANTHROPIC_BASE_URL=http://127.0.0.1:8787 claude"],
        ["coppice proxy --upstream openrouter=https://openrouter.ai/api", "at /openrouter/v1"],
      ]),
    )
    .action(async (flags: ListenFlags) => {
      const proxy = await openProxy(toOptions(flags), flags.store, screen);
      screen.note(
        `Coppice listens on ${proxy.url}; open the same address in a browser to see the requests. Ctrl-C stops it.`,
      );
      const signal = await waitForSignal();
      await proxy.close(signal === "SIGTERM" ? LONGEST_ANSWER : undefined);
    });
}

/** A supervisor stops a proxy with `SIGTERM`. Open answers may finish for up to ten minutes. */
const LONGEST_ANSWER = 600_000;

/** A second signal ends the process at once. */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    const stop = (signal: NodeJS.Signals): void => {
      for (const each of signals) process.off(each, stop);
      resolve(signal);
    };
    for (const each of signals) process.on(each, stop);
  });
}

/** A proxy with the settings of this folder and the store of the options. Its problems are reported, each once. */
export async function openProxy(
  options: Omit<ProxyOptions, "store" | "settings" | "onIssue">,
  store: string | undefined,
  screen: Screen,
): Promise<RunningProxy> {
  const notices = new Set<string>();
  const complain = (text: string): void => {
    const kind = text.replace(/\d+/g, "#");
    if (!notices.has(kind)) screen.note(`coppice: ${text}`);
    notices.add(kind);
  };
  const { config, issues } = loadConfig({ host: "none", directory: process.cwd() });
  for (const { where, message } of issues) complain(where === undefined ? message : `${where}: ${message}`);
  const opened = await openStore(readStore(store), {
    report: ({ where, message }) => complain(where === undefined ? message : `${where}: ${message}`),
  });
  try {
    const settings: PartialConfig = config;
    // Only these commands need its dependencies.
    const { startProxy } = await import("../hosts/proxy/proxy.ts");
    const proxy = await startProxy({
      ...options,
      settings,
      store: opened,
      onIssue: (_, text) => complain(text),
    });
    return {
      ...proxy,
      async close(patience) {
        await proxy.close(patience);
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw new Failure(`The proxy can't start: ${describeError(error)}`);
  }
}

function toOptions(flags: ListenFlags): Omit<ProxyOptions, "store"> {
  const token = flags.token ?? process.env.COPPICE_TOKEN;
  return {
    ...toProxyOptions(flags),
    port: flags.port,
    host: flags.host,
    ...(token && { token }),
    allowHosts: flags.allowHost,
  };
}

/** An address with a password should not appear in the list of processes. */
export function readStore(text: string | undefined = process.env.COPPICE_STORE): StoreSettings {
  if (!text) return { kind: "sqlite" };
  if (text === "memory") return { kind: "memory" };
  return /^postgres(?:ql)?:/.test(text) ? { kind: "postgres", url: text } : { kind: "sqlite", path: text };
}
