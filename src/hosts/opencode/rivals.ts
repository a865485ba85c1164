import type { Issue } from "../../basics/issue.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";

/** Matches other pruning plugins: packages, paths or urls, with or without a version. */
const PRUNERS = /(?:^|[/@-])(?:dcp|acp)(?:[@/.-]|$)|context-prun|dynamic-context/i;

/** Settings and plugins in OpenCode's configuration that cut the same text as Coppice. */
export function findRivals(config: JsonRecord): readonly Issue[] {
  const warnings: string[] = [];
  if (isRecord(config.compaction) && config.compaction.prune === true)
    warnings.push(
      "opencode.json turns on compaction.prune: OpenCode also clears old results, at moments that break the prompt cache. Set it to false.",
    );
  const plugins = Array.isArray(config.plugin) ? config.plugin : [];
  for (const entry of plugins) {
    const name: unknown = Array.isArray(entry) ? entry[0] : entry;
    if (typeof name === "string" && PRUNERS.test(name))
      warnings.push(`the plugin ${name} also prunes: two pruners undo each other's savings. Remove one.`);
  }
  return warnings.map((message) => ({ code: "rival-pruner", message, severity: "warning" }));
}
