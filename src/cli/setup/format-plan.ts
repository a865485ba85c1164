import type { Screen } from "../screen.ts";
import type { ServicePlan } from "../service/plan-service.ts";
import type { Planned } from "./apply-changes.ts";
import type { FileChange } from "./change.ts";
import { type AgentPlan, type LeftOut, shortenPath } from "./plan-agents.ts";

/** Lists the agents on this machine, and what can be done for each. */
export function formatFound(found: readonly (AgentPlan | LeftOut)[], { paint, columns }: Screen): string {
  const width = Math.max(...found.map(({ title }) => title.length)) + 4;
  const lines = found.map((agent) => {
    const title = paint.bold(agent.title) + " ".repeat(width - agent.title.length - 2);
    if ("why" in agent) return `  ${title}${hang(agent.why, width, columns).map(paint.dim).join("\n")}\n`;
    const isDone = agent.planned.every(({ changed }) => !changed);
    return `  ${title}${isDone ? paint.green("is already set up") : paint.green("can be set up")}\n`;
  });
  return `On this machine:\n${lines.join("")}\n`;
}

/** Shows everything that will be written and run. */
export function formatPlan(
  agents: readonly AgentPlan[],
  service: ServicePlan | undefined,
  { paint, columns }: Screen,
): string {
  const list = ({ file, backup, before }: Planned, change: FileChange | undefined): string => {
    const kept =
      backup === undefined ? "" : paint.dim(`\n    copy of the current file: ${shortenPath(backup)}`);
    const state = before === undefined ? paint.dim(" (new)") : "";
    const lines = (change?.what ?? []).map((line) => `    ${paint.green(`+ ${line}`.trimEnd())}\n`).join("");
    return `  ${shortenPath(file)}${state}${kept}\n${lines}`;
  };
  const blocks = agents
    .filter(({ planned }) => planned.some(({ changed }) => changed))
    .map(({ title, planned, changes }) => `${paint.bold(title)}\n${listChanged(planned, changes)}`);
  if (service?.kind === "planned") {
    const commands = service.supervisor.start.map(({ command }) => `    ${command.join(" ")}\n`).join("");
    blocks.push(
      `${paint.bold("A service, so that the proxy runs whenever you are logged in")}\n${listChanged(service.planned, service.changes)}  then it runs\n${commands}`,
    );
  } else if (service?.kind === "none")
    blocks.push(`${paint.bold("No service")}\n  ${hang(service.why, 2, columns).join("\n")}\n`);
  return blocks.join("\n");

  function listChanged(planned: readonly Planned[], changes: readonly FileChange[]): string {
    return planned
      .filter(({ changed }) => changed)
      .map((each) =>
        list(
          each,
          changes.find(({ file }) => file === each.file),
        ),
      )
      .join("");
  }
}

/** Wraps a text for a hanging indent: all lines but the first begin with it. */
export function hang(text: string, indent: number, columns: number): readonly string[] {
  const room = Math.min(columns, 80) - indent;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, i) => (i === 0 ? line : " ".repeat(indent) + line));
}
