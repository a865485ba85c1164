import type { CompletedCommand, CompletedOption, CompletedProgram } from "./list-commands.ts";

/** For bash 3.2 and later. Needs no helpers of the bash-completion package. */
export function writeBash({ options, commands }: CompletedProgram): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# bash completion for coppice: source <(coppice completion bash)
_coppice() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command="\${COMP_WORDS[1]}" argument= words= i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    case "$cur" in
      -*) words='${listNames(options)}' ;;
      *) words='${names}' ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  # bash splits words at = and :
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
${commands.flatMap(matchTaking).join("")}      *' --') argument=-- ;;
      *' -'*) ;;
      *) argument="\${argument:-\${COMP_WORDS[i]}}" ;;
    esac
    while [[ \${COMP_WORDS[i + 1]} == [=:] ]] && ((i + 1 < COMP_CWORD)); do ((i += 2)); done
  done
  case "$command:$argument" in
${commands.flatMap(matchRest).join("")}  esac
  case "$command $prev" in
${commands.flatMap(({ name, options: own }) => own.flatMap((option) => matchValue(name, option))).join("")}  esac
  case "$command $cur" in
${commands.map((each) => `    '${each.name} -'*) words='${listNames(each.options)}' ;;\n`).join("")}${commands.flatMap(matchArgument).join("")}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _coppice coppice
`;
}

function listNames(options: readonly CompletedOption[]): string {
  return options.flatMap(({ names }) => names).join(" ");
}

/** The next word is an option's value. */
function matchTaking({ name, options }: CompletedCommand): readonly string[] {
  const taking = options.filter(({ value }) => value && !value.isOptional);
  if (taking.length === 0) return [];
  return [`      ${orOf(name, taking)}) [[ \${COMP_WORDS[i + 1]} == = ]] || ((i++)) ;;\n`];
}

/** After the agent's name, completes files. */
function matchRest({ name, passesRest }: CompletedCommand): readonly string[] {
  return passesRest ? [`    ${name}:?*) return ;;\n`] : [];
}

function matchValue(command: string, option: CompletedOption): readonly string[] {
  const { value } = option;
  if (!value || (value.isOptional && value.choices.length === 0)) return [];
  const words = value.choices.join(" ");
  const reply = words === "" ? "" : ` COMPREPLY=($(compgen -W '${words}' -- "$cur"));`;
  return [`    ${orOf(command, [option])})${reply} return ;;\n`];
}

function matchArgument({ name, argument }: CompletedCommand): readonly string[] {
  if (!argument || argument.choices.length === 0) return [];
  return [`    '${name} '*) [[ $argument ]] || words='${argument.choices.join(" ")}' ;;\n`];
}

/** `'prune -o'|'prune --output'` */
function orOf(command: string, options: readonly CompletedOption[]): string {
  return options
    .flatMap(({ names }) => names)
    .map((name) => `'${command} ${name}'`)
    .join("|");
}
