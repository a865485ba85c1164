import { quote } from "../quote.ts";
import type { CompletedCommand, CompletedOption, CompletedProgram } from "./list-commands.ts";

export function writeFish({ options, commands }: CompletedProgram): string {
  const first = "-n __coppice_at_command";
  return `# fish completion for coppice: coppice completion fish | source
function __coppice_at_command
  test (count (commandline -opc)) -eq 1
end

# Is this the command? (its name)
function __coppice_in
  set -l words (commandline -opc)
  test "$words[2]" = $argv[1]
end

# Is this the command, without its first argument yet? (its name, its options that take the next word)
function __coppice_before_argument
  __coppice_in $argv[1]; or return 1
  set -l words (commandline -opc)
  set -l is_value 0
  for word in $words[3..-1]
    if test $is_value = 1
      set is_value 0
    else if contains -- $word $argv[2..-1]
      set is_value 1
    else if not string match -q -- '-*' $word; or test $word = --
      return 1
    end
  end
end

complete -c coppice ${first} -f
${options.map((option) => complete(first, option)).join("")}${commands
  .map(({ name, description }) => `complete -c coppice ${first} -a ${name} -d ${quote(description)}\n`)
  .join("")}${commands.map(describe).join("")}`;
}

function describe(command: CompletedCommand): string {
  const { name, options, argument, passesRest } = command;
  const taking = options.filter(({ value }) => value && !value.isOptional).flatMap(({ names }) => names);
  const before = `-n ${quote(["__coppice_before_argument", name, ...taking].join(" "))}`;
  const within = passesRest ? before : `-n ${quote(`__coppice_in ${name}`)}`;
  const choices = argument?.choices ?? [];
  return [
    argument?.isFile ? "" : `complete -c coppice ${within} -f\n`,
    choices.length > 0 ? `complete -c coppice ${before} -f -a ${quote(choices.join(" "))}\n` : "",
    ...options.map((option) => complete(within, option)),
  ].join("");
}

function complete(condition: string, { names, description, value }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const choices = value?.choices ?? [];
  const taken = !value || (value.isOptional && choices.length === 0) ? "" : value.isFile ? " -r -F" : " -x";
  const words = choices.length > 0 ? ` -a ${quote(choices.join(" "))}` : "";
  return `complete -c coppice ${condition} ${flags.join(" ")}${taken}${words} -d ${quote(description)}\n`;
}
