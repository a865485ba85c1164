import { rmSync } from "node:fs";
import type { Command } from "commander";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import type { Screen } from "./screen.ts";
import { isServiceOn, removeService } from "./service/plan-service.ts";
import { findSupervisor, type ServicePlace } from "./service/supervisor.ts";
import { backupOf, type ChangeOutcome, undoChanges } from "./setup/apply-changes.ts";
import type { FileChange } from "./setup/change.ts";
import { findOwnUrl } from "./setup/find-own.ts";
import { hang } from "./setup/format-plan.ts";
import { here, readUrl } from "./setup/here.ts";
import { findOpencodePlugin } from "./setup/opencode-change.ts";
import { listChanges, NAMES, shortenPath } from "./setup/plan-agents.ts";
import { readStatusLine } from "./setup/status-line.ts";

interface RemoveOptions {
  readonly url?: string;
  readonly global?: true;
  readonly json?: true;
}

export function addRemove(command: Command, screen: Screen): void {
  command
    .argument("[agents...]", `only these agents: ${NAMES.join(", ")}; then the service stays`)
    .option("--url <address>", "the proxy's address, if it is not on this machine")
    .option("--global", "OpenCode: for all projects, not just the one in this folder")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice remove", "undoes everything"],
        ["coppice remove opencode", "undoes coppice init opencode"],
      ]),
    )
    .action((names: readonly string[], options: RemoveOptions) => remove(names, options, screen));
}

export async function remove(
  names: readonly string[],
  options: RemoveOptions,
  screen: Screen,
): Promise<void> {
  const place = here();
  const isAll = names.length === 0;
  const notes: string[] = [];
  const outcomes: ChangeOutcome[] = [];
  for (const name of isAll ? NAMES : new Set(names)) {
    const { changes, doubt } = findChanges(name, place, options, isAll);
    if (doubt === undefined) outcomes.push(...(await undoChanges(changes)));
    else
      notes.push(
        `${shortenPath(doubt)} contains the address of a program on this machine, which may be Coppice. If it is: coppice remove ${name}`,
      );
  }
  // If the user has removed our lines by hand, only the backup is left.
  if (isAll && options.url === undefined)
    for (const { file, changed, problem } of outcomes)
      if (!changed && problem === undefined) rmSync(backupOf(file), { force: true });
  const supervisor = findSupervisor(place);
  const hasService = supervisor !== undefined && isServiceOn(supervisor, place);
  if (isAll && supervisor) outcomes.push(...(await removeService(supervisor, place)));
  else if (hasService)
    notes.push("The service is still set up. To remove it too: coppice remove, without a name.");
  const problems = outcomes.flatMap(({ problem }) => problem ?? []);
  if (options.json)
    screen.print(
      printJson({ files: outcomes, service: isAll && hasService ? "removed" : "unchanged", notes }),
    );
  else screen.print(describe(outcomes, isAll && hasService, notes, screen));
  if (problems.length > 0) throw new Failure(problems.join("\n"));
}

/** The changes that `init` may have written for an agent. @param isAll the user has named no agents */
function findChanges(
  name: string,
  place: ServicePlace,
  options: RemoveOptions,
  isAll: boolean,
): { readonly changes: readonly FileChange[]; readonly doubt?: string } {
  if (name === "opencode") {
    const levels = isAll ? [false, true] : [options.global === true];
    return {
      changes: levels.flatMap((global) =>
        listChanges(name, place, { url: "", global, plugin: findOpencodePlugin(global) }),
      ),
    };
  }
  // Ignores the project's files and this shell's variables, because `init` wrote to the home folder.
  const home: ServicePlace = {
    ...place,
    directory: place.home,
    env: { ...place.env, ENABLE_TOOL_SEARCH: undefined },
  };
  const found = findOwnUrl(name, home);
  const url = readUrl(options.url) ?? found.url;
  const line = readStatusLine(home);
  const changes = listChanges(name, home, { url, ...(line.kind === "ours" && { statusLine: line.value }) });
  return { changes, ...(isAll && found.doubt !== undefined && !options.url && { doubt: found.doubt }) };
}

function describe(
  outcomes: readonly ChangeOutcome[],
  isServiceGone: boolean,
  notes: readonly string[],
  { paint, columns }: Screen,
): string {
  const changed = outcomes.filter((outcome) => outcome.changed);
  const lines = notes.map((note) => `${hang(note, 0, columns).join("\n")}\n`).join("");
  if (changed.length === 0 && !isServiceGone)
    return `Nothing to remove: Coppice is not set up here.\n${lines}`;
  const files = changed.map(({ file }) => `  ${shortenPath(file)}\n`).join("");
  const done = paint.green(changed.length > 0 ? "Coppice was removed from" : "Coppice was removed.");
  const ended = isServiceGone ? "The service was stopped.\n" : "";
  return `${done}\n${files}${ended}Start your agents again.\n${lines}`;
}
