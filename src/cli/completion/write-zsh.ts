import { quote } from "../quote.ts";
import type { CompletedCommand, CompletedOption, CompletedProgram, CompletedValue } from "./list-commands.ts";

/** The script can be sourced, or saved as `_coppice` in a folder of `fpath`. */
export function writeZsh({ options, commands }: CompletedProgram): string {
  return `#compdef coppice
_coppice() {
  local curcontext="$curcontext" state line
  _arguments -C ${options.flatMap(toSpecs).join(" ")} '1:command:->command' '*::argument:->argument'
  case "$state" in
    command)
      local -a commands
      commands=(
${commands.map(({ name, description }) => `        ${quote(`${name}:${escapeSpec(description)}`)}\n`).join("")}      )
      _describe -t commands command commands
      ;;
    argument)
      case "$line[1]" in
${commands.map(matchCommand).join("")}      esac
      ;;
  esac
}
if [[ $funcstack[1] == _coppice ]]; then
  _coppice "$@"
else
  compdef _coppice coppice
fi
`;
}

function matchCommand({ name, options, argument, passesRest }: CompletedCommand): string {
  const specs = [...options.flatMap(toSpecs), ...(argument ? toArguments(argument, passesRest) : [])];
  return `        ${name})\n          _arguments${specs.map((spec) => ` \\\n            ${spec}`).join("")}\n          ;;\n`;
}

function toSpecs({ names, description, value, isMany }: CompletedOption): readonly string[] {
  const others = isMany ? "*" : `(${names.join(" ")})`;
  const taken = value ? `${value.isOptional ? "::" : ":"}${escapeSpec(value.name)}:${toAction(value)}` : "";
  return names.map((name) => {
    const equals = value && name.startsWith("--") ? "=" : "";
    return quote(`${others}${name}${equals}[${escapeSpec(description)}]${taken}`);
  });
}

/** If the rest belongs to another program, our options are not offered after the first argument. */
function toArguments(argument: CompletedValue, passesRest: boolean): readonly string[] {
  const first = `${escapeSpec(argument.name)}:${toAction(argument)}`;
  if (passesRest) return [quote(`1:${first}`), quote("*::args:_files")];
  return [quote(argument.choices.length > 0 ? `1:${first}` : `*:${first}`)];
}

function toAction({ choices, isFile }: CompletedValue): string {
  if (choices.length > 0) return `(${choices.join(" ")})`;
  return isFile ? "_files" : " ";
}

/** Escapes the characters with a meaning in a zsh specification. */
function escapeSpec(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}
