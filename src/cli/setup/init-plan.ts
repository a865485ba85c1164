import { printJson } from "../help.ts";
import type { Screen } from "../screen.ts";
import type { ServicePlan } from "../service/plan-service.ts";
import type { Planned } from "./apply-changes.ts";
import { formatPlan, hang } from "./format-plan.ts";
import type { AgentPlan, LeftOut } from "./plan-agents.ts";
import { SETUPS } from "./setups.ts";

/** The changes that `init` plans, and the agents that it leaves out. */
export interface InitPlan {
  readonly url: string;
  readonly agents: readonly AgentPlan[];
  readonly leftOut: readonly LeftOut[];
  readonly service: ServicePlan | undefined;
  /** Further notes for the user. */
  readonly notes: readonly string[];
}

export function listFiles({ agents, service }: InitPlan): readonly Planned[] {
  return [
    ...agents.flatMap(({ planned }) => planned),
    ...(service?.kind === "planned" ? service.planned : []),
  ];
}

/** Describes everything that `init` will do, or says that there is nothing to do. */
export function describePlan(plan: InitPlan, isChange: boolean, screen: Screen): string {
  const notes = plan.notes.map((note) => `${hang(note, 0, screen.columns).join("\n")}\n`).join("");
  if (!isChange && plan.agents.length === 0) return `${notes}There is nothing that Coppice can set up.\n`;
  if (!isChange)
    return `${notes}${plan.agents.map(({ title }) => title).join(", ")}: already set up, nothing to change.\n`;
  return `${formatPlan(plan.agents, plan.service, screen)}${notes === "" ? "" : `\n${notes}`}\n`;
}

/** Describes the result, and the steps that the user must do. */
export function describeDone({ agents, service, url }: InitPlan, { paint, columns }: Screen): string {
  const asking = agents.filter(({ name }) => name !== "opencode").map(({ title }) => title);
  const hints = agents.flatMap(({ name }) => SETUPS[name]?.hint?.(url) ?? []);
  const runs =
    service?.kind === "planned" || service?.kind === "there"
      ? `The proxy now runs as a service (${service.supervisor.title}), and starts with each login.`
      : "Keep coppice proxy running: without it, these agents can't reach their models.";
  const lines = [
    "Done.",
    ...(asking.length === 0 ? [] : [`Requests of ${asking.join(", ")} now go through ${url}.`, runs]),
    ...(agents.some(({ name }) => name === "opencode") ? ["OpenCode now loads Coppice."] : []),
    ...hints,
    "Start your agents again. `coppice doctor` checks the setup, `coppice remove` undoes it.",
  ];
  const text = lines
    .map((line) => (line.includes("\n") ? line : hang(line, 0, columns).join("\n")))
    .join("\n");
  return `${text.replace("Done.", paint.green("Done."))}\n`;
}

export function describeJson(plan: InitPlan): string {
  const { agents, leftOut, service, notes, url } = plan;
  const changes = [
    ...agents.flatMap((agent) => agent.changes),
    ...(service?.kind === "planned" ? service.changes : []),
  ];
  const files = listFiles(plan);
  const due = changes.filter(({ file }) => files.some((each) => each.file === file && each.changed));
  return printJson({
    url,
    agents: agents.map(({ name }) => name),
    leftOut,
    service:
      service === undefined || service.kind === "none"
        ? { state: "none", ...(service && { why: service.why }) }
        : {
            state: service.kind,
            title: service.supervisor.title,
            ...(service.kind === "planned" && {
              run: service.supervisor.start.map(({ command }) => command.join(" ")),
            }),
          },
    files: files.map(({ file, changed, backup }) => ({ file, changed, ...(backup && { backup }) })),
    what: due.flatMap(({ what }) => what),
    notes,
  });
}
