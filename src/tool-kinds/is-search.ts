import { silent } from "./built-in/queries.ts";
import { shownBy } from "./shell/find-shown.ts";
import type { CommandWords, ResultContent, ToolUse } from "./tool-use.ts";

/**
 * Is the result a list of findings: matches, files, pages? A part of such a list looks complete.
 *
 *   Grep, Glob, LS, WebSearch               yes
 *   rg total src; find . -name '*.sql'      yes
 *   npm test 2>&1 | grep FAIL || true       yes
 *   rg total src && npm test                no: most of it is other output
 */
export function isSearch({ kind, shows, commands = [] }: ToolUse): boolean {
  if (kind === "search" || kind === "list" || kind === "web-search") return true;
  if (shows !== undefined) return isList(shows);
  const pipelines = splitPipelines(commands).filter((pipeline) => !pipeline.every(isSilent));
  return pipelines.length > 0 && pipelines.every(isSearchPipeline);
}

function isList(shows: ResultContent | undefined): boolean {
  return shows !== undefined && shows !== "file" && shows !== "git-diff";
}

function splitPipelines(commands: readonly CommandWords[]): readonly (readonly CommandWords[])[] {
  const pipelines: CommandWords[][] = [];
  for (const command of commands) {
    if (command.joint === "|") pipelines.at(-1)?.push(command);
    else pipelines.push([command]);
  }
  return pipelines;
}

function isSilent({ words: [program = ""] }: CommandWords): boolean {
  return silent.has(program);
}

/** It lists something, or filters the output of another program. */
function isSearchPipeline([first, ...others]: readonly CommandWords[]): boolean {
  return isList(first && shownBy(first.words)) || others.some(({ words }) => shownBy(words) === "matches");
}
