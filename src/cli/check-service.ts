import { existsSync } from "node:fs";
import { VERSION } from "../basics/version.ts";
import { askWho } from "./check-proxies.ts";
import { claudeFile } from "./clients/claude.ts";
import type { Finding } from "./finding.ts";
import { findProgram } from "./run-client.ts";
import { runQuietly } from "./service/run-commands.ts";
import { readService } from "./service/service-files.ts";
import { findSupervisor, isEnabled, isServiceThere, type ServicePlace } from "./service/supervisor.ts";
import { readStatusLine } from "./setup/status-line.ts";

const AGAIN = "coppice init writes it again";

/**
 * Checks whether the service runs and starts with the next login. @param isWired whether an agent's settings name a
 * proxy
 */
export async function checkService(place: ServicePlace, isWired: boolean): Promise<readonly Finding[]> {
  const what = "service";
  const supervisor = findSupervisor(place);
  if (!supervisor || !isServiceThere(supervisor))
    return isWired
      ? [
          {
            state: "hint",
            what,
            found: "not set up",
            advice: "coppice init sets one up, so that the proxy always runs",
          },
        ]
      : [];
  const { title, restart, log, script } = supervisor;
  const service = readService(supervisor);
  if (!service)
    return [{ state: "problem", what, found: `${title}: ${script} does not exist`, advice: AGAIN }];
  const gone = [service.node, service.main].find((file) => !existsSync(file));
  if (gone !== undefined)
    return [
      { state: "problem", what, found: `${title} starts ${gone}, which does not exist`, advice: AGAIN },
    ];
  const unknown = runQuietly(supervisor.probe, place.env);
  if (unknown !== undefined)
    return [
      { state: "hint", what, found: `${title} is installed, but its state can't be read here: ${unknown}` },
    ];
  const advice = `${restart}; its log: ${log}`;
  if (runQuietly(supervisor.isActive, place.env) !== undefined)
    return [{ state: "problem", what, found: `${title} does not run`, advice }];
  const url = `http://127.0.0.1:${service.port}`;
  const answer = await askWho(url);
  if (answer.kind !== "coppice")
    return [{ state: "problem", what, found: `${title} runs, but no proxy answers at ${url}`, advice }];
  if (!isEnabled(supervisor))
    return [
      { state: "hint", what, found: `${title} runs, but does not start with your session`, advice: AGAIN },
    ];
  if (answer.version !== VERSION)
    return [{ state: "hint", what, found: `${title} still runs coppice ${answer.version}`, advice: restart }];
  return [{ state: "ok", what, found: `${title} runs at ${url}, and starts with your session` }];
}

/** Checks Claude Code's status line. */
export function checkStatusLine(place: ServicePlace, isWired: boolean): readonly Finding[] {
  const what = "status line of Claude Code";
  const file = claudeFile(place);
  const line = readStatusLine(place);
  if (line.kind === "none")
    return isWired
      ? [{ state: "hint", what, found: "not set", advice: "coppice init claude sets it to Coppice's" }]
      : [];
  if (line.kind === "other")
    return isWired ? [{ state: "ok", what, found: `your own: ${line.command}` }] : [];
  const gone = listPrograms(line.command).find(
    (program) => findProgram(program, place.env.PATH) === undefined && !existsSync(program),
  );
  return gone === undefined
    ? [{ state: "ok", what, found: `${line.command}, in ${file}` }]
    : [
        {
          state: "problem",
          what,
          found: `${file} names ${gone}, which does not exist`,
          advice: "coppice remove claude, then coppice init",
        },
      ];
}

/** The program of a command, and the file that it runs. */
function listPrograms(command: string): readonly string[] {
  const words = [...command.matchAll(/'[^']*'|[^\s']+/g)].map(([word]) => word.replaceAll("'", ""));
  return words.slice(0, words.indexOf("statusline"));
}
