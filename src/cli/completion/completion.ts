import { Argument, type Command } from "commander";
import { formatExamples } from "../help.ts";
import type { Screen } from "../screen.ts";
import type { Shell } from "./write-script.ts";

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

export function addCompletion(command: Command, screen: Screen): void {
  command
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .addHelpText(
      "after",
      formatExamples([
        ["source <(coppice completion bash)", "in ~/.bashrc"],
        ["source <(coppice completion zsh)", "in ~/.zshrc, after compinit"],
        ["coppice completion fish | source", "in ~/.config/fish/config.fish"],
      ]),
    )
    .action(async (shell: Shell) => {
      // Imported here because only this command needs these modules.
      const [{ listCommands }, { writeScript }] = await Promise.all([
        import("./list-commands.ts"),
        import("./write-script.ts"),
      ]);
      screen.print(writeScript(shell, listCommands(command.parent ?? command)));
    });
}
