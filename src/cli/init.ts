import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { packageFile } from "../basics/package-file.ts";
import { Failure } from "./failure.ts";
import { formatExamples } from "./help.ts";
import { collect, toProxyOptions } from "./proxy-flags.ts";
import { remove } from "./remove.ts";
import type { Screen } from "./screen.ts";
import { findCoppiceProgram } from "./service/coppice-program.ts";
import { planService, removeService, startService } from "./service/plan-service.ts";
import type { ServicePlace } from "./service/supervisor.ts";
import { applyChanges } from "./setup/apply-changes.ts";
import { formatFound } from "./setup/format-plan.ts";
import { DEFAULT_URL, findServiceUrl, here, readUrl } from "./setup/here.ts";
import { describeDone, describeJson, describePlan, type InitPlan, listFiles } from "./setup/init-plan.ts";
import {
  type AgentOptions,
  type AgentPlan,
  type LeftOut,
  NAMES,
  planAgent,
  planFound,
} from "./setup/plan-agents.ts";
import { openQuestions, type Questions } from "./setup/questions.ts";
import { ownStatusLine, readStatusLine } from "./setup/status-line.ts";

interface InitOptions {
  readonly url?: string;
  readonly upstream: readonly string[];
  readonly service: boolean;
  readonly statusLine: boolean;
  readonly global?: true;
  readonly plugin?: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly remove?: true;
  readonly json?: true;
}

export function addInit(command: Command, screen: Screen): void {
  command
    .argument("[agents...]", `${NAMES.join(", ")}; default: all on this machine`)
    .option("--yes", "ask nothing: set up all agents, the service and the status line")
    .option("--dry-run", "only show what would change")
    .option("--no-service", "set up no service: you keep coppice proxy running yourself")
    .option("--no-status-line", "leave Claude Code's status line alone")
    .option("--url <address>", "the proxy's address, if it is not port 8787 of this machine")
    .option(
      "--upstream <name=url>",
      "for the service: the same as in coppice proxy (repeatable)",
      collect,
      [],
    )
    .option("--remove", "undo the setup: the same as coppice remove")
    .option("--global", "OpenCode: for all projects, not just the one in this folder")
    .option(
      "--plugin <entry>",
      "OpenCode: the plugin to load, such as file:///path/to/coppice; default: this version from npm",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice init", "finds your agents, and asks at most three questions"],
        ["coppice init claude --dry-run", "shows the changes for Claude Code"],
        ["coppice init codex --yes", "sets up Codex and the service without questions"],
        ["coppice init opencode", "adds Coppice to this project's opencode.json"],
      ]),
    )
    .action((names: readonly string[], options: InitOptions) =>
      options.remove ? remove(names, options, screen) : init(names, options, screen),
    );
}

async function init(names: readonly string[], options: InitOptions, screen: Screen): Promise<void> {
  const mayAsk = !options.yes && !options.dryRun && !options.json && process.stdin.isTTY;
  const questions = mayAsk ? openQuestions() : undefined;
  try {
    const plan = await makePlan(names, options, screen, questions);
    const isChange = plan.service?.kind === "planned" || listFiles(plan).some(({ changed }) => changed);
    if (!options.json) screen.print(describePlan(plan, isChange, screen));
    if (isChange && !options.dryRun) {
      if (questions && !(await questions.confirm("Write this?"))) throw new Failure("Nothing was changed.");
      if (!questions && !options.yes) {
        if (options.json) screen.print(describeJson(plan));
        throw new Failure(
          "Nothing was changed: there is no terminal for questions. Add --yes to write this. Name agents to set up only those. See also --no-service and --no-status-line.",
          2,
        );
      }
      await write(plan);
      if (!options.json) screen.print(describeDone(plan, screen));
    }
    if (options.json) screen.print(describeJson(plan));
  } finally {
    questions?.close();
  }
}

async function makePlan(
  names: readonly string[],
  options: InitOptions,
  screen: Screen,
  questions: Questions | undefined,
): Promise<InitPlan> {
  const place = here();
  const program = findCoppiceProgram(place.env, fileURLToPath(packageFile("cli/main.js")));
  const serviceUrl = findServiceUrl(place);
  const url = readUrl(options.url) ?? serviceUrl ?? DEFAULT_URL;
  if (serviceUrl !== undefined && serviceUrl !== url && options.service)
    throw new Failure(
      `Nothing was changed: the service already listens at ${serviceUrl}. To change its address: coppice remove, then coppice init.`,
    );
  const { plugin, global } = options;
  const line = readStatusLine(place);
  // Coppice's own status line stays as it is.
  const agentOptions: AgentOptions = {
    url,
    plugin,
    global,
    ...(line.kind === "ours" && { statusLine: line.value }),
  };
  const found = names.length === 0 ? await planFound(place, agentOptions) : undefined;
  if (found && found.length === 0)
    throw new Failure(
      `No agent was found on this machine. Name one, for example: coppice init claude. Coppice knows ${NAMES.join(", ")}.`,
    );
  if (found && !options.json) screen.print(formatFound(found, screen));
  const leftOut = (found ?? []).filter((agent): agent is LeftOut => "why" in agent);
  const known = found?.filter((agent): agent is AgentPlan => !("why" in agent));
  const chosen = known ? await chooseAgents(known, questions) : await planNamed(names, place, agentOptions);
  const notes: string[] = [];
  const agents = await addStatusLine(chosen);
  const needsProxy = agents.some(({ name }) => name !== "opencode");
  const proxyOptions = readProxyOptions(options);
  const service =
    needsProxy && options.service ? await planService({ place, program, url, proxyOptions }) : undefined;
  if (proxyOptions && service?.kind !== "planned" && service?.kind !== "there")
    throw new Failure(
      "--upstream is an option for the service, but no service is set up. Pass it to coppice proxy instead.",
      2,
    );
  return { url, agents, leftOut, service, notes };

  async function addStatusLine(plans: readonly AgentPlan[]): Promise<readonly AgentPlan[]> {
    if (!options.statusLine || !plans.some(({ name }) => name === "claude") || line.kind === "ours")
      return plans;
    if (line.kind === "other") {
      notes.push(`Claude Code's status line stays as it is: ${line.command}`);
      return plans;
    }
    if (program.runner !== undefined) {
      notes.push(`No status line: this Coppice is in the cache of ${program.runner}, which may be emptied.`);
      return plans;
    }
    if (questions && !(await questions.confirm("Show what Coppice does in Claude Code's status line?")))
      return plans;
    const statusLine = ownStatusLine(program);
    return Promise.all(
      plans.map((plan) =>
        plan.name === "claude" ? planAgent("claude", place, { ...agentOptions, statusLine }) : plan,
      ),
    );
  }
}

/** Returns the agents that the user chooses, out of those that can be set up. */
async function chooseAgents(
  known: readonly AgentPlan[],
  questions: Questions | undefined,
): Promise<readonly AgentPlan[]> {
  if (!questions || known.length < 2) return known;
  const all = known.map(({ name }) => name);
  for (;;) {
    const words = (await questions.ask(`Which agents? Press Enter for all: ${all.join(" ")}\n> `))
      .split(/[\s,]+/)
      .filter((word) => word !== "");
    if (words.length === 0) return known;
    if (words.every((word) => all.includes(word))) return known.filter(({ name }) => words.includes(name));
  }
}

function planNamed(
  names: readonly string[],
  place: ServicePlace,
  options: AgentOptions,
): Promise<readonly AgentPlan[]> {
  return Promise.all([...new Set(names)].map((name) => planAgent(name, place, options)));
}

/** Writes everything or nothing. The service comes first, so that no agent ever uses a proxy that does not run. */
async function write({ agents, service, url }: InitPlan): Promise<void> {
  const place = here();
  const isNew = service?.kind === "planned" && !service.isOld;
  if (service?.kind === "planned") await startService(service, url, place);
  try {
    await applyChanges(agents.flatMap(({ planned }) => planned));
  } catch (error) {
    if (isNew) await removeService(service.supervisor, place);
    throw error;
  }
}

function readProxyOptions({ upstream }: InitOptions): readonly string[] | undefined {
  toProxyOptions({ upstream });
  return upstream.length === 0 ? undefined : upstream.flatMap((each) => ["--upstream", each]);
}
