import type { Command } from "commander";
import type { Screen } from "./screen.ts";

/** A command as `coppice --help` lists it. Its options and its action load when it is called. */
export interface ListedCommand {
  readonly name: string;
  /** Its arguments, for the usage line. `load` describes them. */
  readonly usage: string;
  readonly description: string;
  /** Loads the function that adds options, arguments and the action. */
  load(): Promise<(command: Command, screen: Screen) => void>;
}

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: "analyze",
    usage: "[options] [paths...]",
    description: "what recorded sessions cost, where the money went, and what pruning would have saved",
    load: async () => (await import("./analyze.ts")).addAnalyze,
  },
  {
    name: "context",
    usage: "[options] <agent> [args...]",
    description: "what an agent sends before your first word: its tokens, their price and last use",
    load: async () => (await import("./context/context.ts")).addContext,
  },
  {
    name: "prune",
    usage: "[options] <file>",
    description: "prune a recorded session: any supported format in, the same format out",
    load: async () => (await import("./prune.ts")).addPrune,
  },
  {
    name: "restore",
    usage: "[options] <pruned>",
    description: "restore a pruned session, byte for byte",
    load: async () => (await import("./restore.ts")).addRestore,
  },
  {
    name: "explain",
    usage: "[options] <file> [ref]",
    description: "one cut, its reason and the original text; without a ref, all refs",
    load: async () => (await import("./explain.ts")).addExplain,
  },
  {
    name: "diff",
    usage: "[options] <file>",
    description: "every cut of a session: the text before and after it",
    load: async () => (await import("./diff.ts")).addDiff,
  },
  {
    name: "replay",
    usage: "[options] <files...>",
    description: "the cost and the losses of recorded sessions under other policies",
    load: async () => (await import("./replay.ts")).addReplay,
  },
  {
    name: "report",
    usage: "[options] <path>",
    description: "a page about a session: its requests, its cuts with their reasons, its cost",
    load: async () => (await import("./report.ts")).addReport,
  },
  {
    name: "wrap",
    usage: "[options] <agent> [args...]",
    description: "start an agent with Coppice between it and its model; changes none of your files",
    load: async () => (await import("./wrap.ts")).addWrap,
  },
  {
    name: "proxy",
    usage: "[options]",
    description: "run between agents and model providers, and prune each request to a model",
    load: async () => (await import("./proxy.ts")).addProxy,
  },
  {
    name: "status",
    usage: "[options]",
    description:
      "the savings of today and this month, and the current sessions: from the proxy, or else from its store",
    load: async () => (await import("./status.ts")).addStatus,
  },
  {
    name: "statusline",
    usage: "[options]",
    description: "one line for the status line of Claude Code: context, saved today, cache",
    load: async () => (await import("./statusline.ts")).addStatusline,
  },
  {
    name: "config",
    usage: "[options]",
    description: "the effective settings, and the source of each",
    load: async () => (await import("./config.ts")).addConfig,
  },
  {
    name: "doctor",
    usage: "[options]",
    description: "check the setup: plugin, settings, store, proxies, service, status line, the model's price",
    load: async () => (await import("./doctor.ts")).addDoctor,
  },
  {
    name: "init",
    usage: "[options] [agents...]",
    description: "set up the agents on this machine permanently: shows every change, and asks first",
    load: async () => (await import("./init.ts")).addInit,
  },
  {
    name: "remove",
    usage: "[options] [agents...]",
    description: "undo coppice init: restore the agents' settings and remove the service",
    load: async () => (await import("./remove.ts")).addRemove,
  },
  {
    name: "completion",
    usage: "[options] <shell>",
    description: "print a script that completes commands, options and values in your shell",
    load: async () => (await import("./completion/completion.ts")).addCompletion,
  },
];
