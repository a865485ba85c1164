import type { Command } from "commander";
import { anyCommand } from "../clients/any-command.ts";
import { CLIENTS } from "../clients/clients.ts";
import { findClient, isAfterDashes } from "../find-client.ts";
import { shortenHome } from "../format-analysis.ts";
import { formatExamples, printJson } from "../help.ts";
import { parseCount } from "../parse-count.ts";
import type { Screen } from "../screen.ts";
import { readSettings } from "../settings.ts";
import { showPage } from "../show-page.ts";
import { writeContextPage } from "./context-page.ts";
import { formatContext } from "./format-context.ts";
import { lookAtClient } from "./look-at-client.ts";
import { ANY, PROBES } from "./probes.ts";

interface ContextOptions {
  readonly top: number;
  readonly remote?: true;
  readonly html?: string | true;
  readonly open?: true;
  readonly json?: true;
}

export function addContext(command: Command, screen: Screen): void {
  command
    .argument("<agent>", `${CLIENTS.map(({ name }) => name).join(", ")}, or -- and any command`)
    .argument("[args...]", "the agent's own arguments, passed on unchanged")
    .option("--top <n>", "number of rows in each list", parseCount, 15)
    .option(
      "--remote",
      "let the agent connect to MCP servers on other machines; without it, nothing leaves this one",
    )
    .option("--html [file]", "write a page")
    .option("--open", "open the page in the browser")
    .option("--json", "print everything as JSON")
    .passThroughOptions()
    .addHelpText(
      "after",
      formatExamples([
        ["coppice context claude", "Claude Code in this folder, with your settings"],
        ["coppice context claude --model haiku", "with arguments for the agent"],
        ["coppice context --json codex | jq .prefix.tokens", "for a program"],
      ]),
    )
    .action(
      async (
        name: string,
        args: readonly string[],
        options: ContextOptions,
        command: Command,
      ): Promise<void> => {
        const isOther = isAfterDashes(command, 1 + args.length);
        const client = isOther ? anyCommand(name, args) : findClient(name, "context");
        const probe = (isOther ? undefined : PROBES[name]) ?? ANY;
        const { config } = readSettings(screen, undefined);
        screen.status(`Asking ${client.title} …`);
        const isRemote = options.remote === true;
        const report = await lookAtClient(client, probe, { args, isRemote, config, isExplicit: !isOther });
        screen.status("");
        if (report.trouble !== undefined) screen.note(screen.paintNote.yellow(report.trouble));
        if (options.json) screen.print(printJson(report));
        else if (options.html !== undefined || options.open) {
          const file = typeof options.html === "string" ? options.html : "coppice-context.html";
          await writeContextPage(report, file);
          showPage(file, options.open === true, screen);
        } else {
          const shown = { ...report, project: shortenHome(report.project) };
          screen.print(formatContext(shown, options.top, screen));
        }
      },
    );
}
