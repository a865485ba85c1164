import type { Argument, Command, Option } from "commander";
import { GROUPINGS } from "../../analysis/group-analyses.ts";
import { PRESET_NAMES } from "../../strategies/pass-setting.ts";
import { CLIENTS } from "../clients/clients.ts";
import { USUAL_POLICIES } from "../policies.ts";
import { SETUPS } from "../setup/setups.ts";

/** The words that a shell can complete, for the program or for one command. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly argument?: CompletedValue;
  /** Everything after the first argument belongs to another program, including options. */
  readonly passesRest: boolean;
}

export interface CompletedOption {
  /** `-o`, `--output` */
  readonly names: readonly string[];
  readonly description: string;
  readonly value?: CompletedValue;
  /** Repeatable. */
  readonly isMany: boolean;
}

export interface CompletedValue {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isFile: boolean;
  /** Empty if any value is allowed. */
  readonly choices: readonly string[];
}

export interface CompletedProgram {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

/** Reads the commands and options from commander, and their values from the lists that the commands use. */
export function listCommands(program: Command): CompletedProgram {
  const help = program.createHelp();
  const describe = (command: Command): CompletedCommand => {
    const { registeredArguments: all } = command;
    const argument = all[0] && describeArgument(command, all[0]);
    return {
      name: command.name(),
      description: help.subcommandDescription(command),
      options: help.visibleOptions(command).map((option) => describeOption(command, option)),
      ...(argument && { argument }),
      passesRest: all.length > 1 && all.at(-1)?.name() === "args",
    };
  };
  return {
    options: describe(program).options,
    commands: help.visibleCommands(program).map(describe),
  };
}

/** The values of options and arguments, by command and name. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  "analyze --by": GROUPINGS,
  "config --host": ["opencode", "none"],
  "context agent": CLIENTS.map(({ name }) => name),
  "diff --preset": PRESET_NAMES,
  "explain --preset": PRESET_NAMES,
  "init agents": ["opencode", ...Object.keys(SETUPS)],
  "prune --preset": PRESET_NAMES,
  "prune --shake": ["aggressive"],
  "remove agents": ["opencode", ...Object.keys(SETUPS)],
  "replay --policy": [...new Set([...USUAL_POLICIES, ...PRESET_NAMES, "clear-tool-uses"])],
  "report --preset": PRESET_NAMES,
  "wrap agent": CLIENTS.map(({ name }) => name),
};

function describeArgument(command: Command, argument: Argument): CompletedValue {
  const name = argument.name();
  return {
    name,
    isOptional: !argument.required,
    isFile: /^(?:files?|paths?|pruned)$/.test(name),
    choices: argument.argChoices ?? CHOICES[`${command.name()} ${name}`] ?? [],
  };
}

function describeOption(command: Command, option: Option): CompletedOption {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const [, value] = /[<[]([^<>[\]]+)[>\]]/.exec(option.flags) ?? [];
  return {
    names,
    description: option.description,
    isMany: option.variadic || Array.isArray(option.defaultValue),
    ...(value !== undefined && {
      value: {
        name: value.replace("...", ""),
        isOptional: option.optional,
        isFile: /^(?:file|where)$/.test(value),
        choices: option.argChoices ?? CHOICES[`${command.name()} ${option.long}`] ?? [],
      },
    }),
  };
}
