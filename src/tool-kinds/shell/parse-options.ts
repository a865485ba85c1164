import type { ShellWord } from "./shell-command.ts";

/** `name` without dashes; `#` for a bare number as in `head -50`. */
export interface ShellOption {
  readonly name: string;
  readonly value?: string;
}

export interface OptionRules {
  /** Short (as letters) and long options that take the next word as their value. */
  readonly withValue?: readonly string[];
  /** Short options that swallow the rest of their word: `sed -i.bak`. */
  readonly withRest?: readonly string[];
}

/**
 * Parses a command's arguments as getopt does.
 *
 *   -la --color=auto -n 5 a.ts -- -b   ->   l, a, color=auto, n=5   and   a.ts, -b
 */
export function parseOptions(
  words: readonly ShellWord[],
  { withValue = [], withRest = [] }: OptionRules = {},
): { readonly options: readonly ShellOption[]; readonly operands: readonly ShellWord[] } {
  const options: ShellOption[] = [];
  let operands: ShellWord[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    const { text } = word;
    if (text === "--") {
      operands = operands.concat(words.slice(i + 1));
      break;
    }
    if (!text.startsWith("-") || text === "-") operands.push(word);
    else if (/^-\d+$/.test(text)) options.push({ name: "#", value: text.slice(1) });
    else if (text.startsWith("--")) {
      const [, name = "", value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
      const taken = value ?? (withValue.includes(name) ? words[++i]?.text : undefined);
      options.push(taken === undefined ? { name } : { name, value: taken });
    } else {
      for (let j = 1; j < text.length; j++) {
        const name = text.charAt(j);
        const rest = text.slice(j + 1);
        if (withRest.includes(name)) options.push({ name, value: rest });
        else if (withValue.includes(name))
          options.push({ name, value: rest === "" ? (words[++i]?.text ?? "") : rest });
        else {
          options.push({ name });
          continue;
        }
        break;
      }
    }
  }
  return { options, operands };
}
