import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";

const bin = resolve(import.meta.dirname, "../../dist/cli/main.js");

interface Shell {
  readonly command: readonly string[];
  /** Typed first; the prompt is `> ` from then on. */
  readonly setup: string;
}

/** Each without the settings of this machine. */
const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    command: ["bash", "--norc", "--noprofile"],
    setup: "bind 'set show-all-if-ambiguous on'; PS1='> '; source <(coppice completion bash); clear",
  },
  zsh: {
    command: ["zsh", "-f"],
    setup:
      "PS1='> '; autoload -U compinit; compinit -u -d $HOME/dump; source <(coppice completion zsh); clear",
  },
  fish: {
    command: ["fish", "--no-config"],
    setup:
      "function fish_prompt; echo -n '> '; end; set -g fish_autosuggestion_enabled 0; coppice completion fish | source; clear",
  },
};

/** What is typed before the Tab key, and what stands there after it. */
const CASES: readonly (readonly [typed: string, completed: string])[] = [
  ["coppice wr", "coppice wrap"],
  ["coppice --ver", "coppice --version"],
  ["coppice completion zs", "coppice completion zsh"],
  ["coppice init cod", "coppice init codex"],
  ["coppice analyze --re", "coppice analyze --redact"],
  ["coppice analyze --by mon", "coppice analyze --by month"],
  ["coppice prune --preset comp", "coppice prune --preset compact"],
  ["coppice prune --preset=comp", "coppice prune --preset=compact"],
  ["coppice prune a-se", "coppice prune a-session.jsonl"],
  ["coppice prune -o a-se", "coppice prune -o a-session.jsonl"],
  ["coppice prune a-session.jsonl --dry", "coppice prune a-session.jsonl --dry-run"],
  ["coppice wrap --quiet cla", "coppice wrap --quiet claude"],
  ["coppice wrap --upstream a=http://b cla", "coppice wrap --upstream a=http://b claude"],
  // What stands behind the agent is its own.
  ["coppice wrap claude --quie", "coppice wrap claude --quie"],
  ["coppice wrap claude a-se", "coppice wrap claude a-session.jsonl"],
];

function openShell(onTestFinished: TestContext["onTestFinished"], { command, setup }: Shell): Terminal {
  const home = mkdtempSync(join(tmpdir(), "coppice-completion-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/coppice"), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(home, "bin/coppice"), 0o755);
  mkdirSync(join(home, "work"));
  writeFileSync(join(home, "work/a-session.jsonl"), "");
  const terminal = openTerminal(onTestFinished, command, {
    columns: 120,
    rows: 50,
    cwd: join(home, "work"),
    env: { PATH: `${join(home, "bin")}:${process.env.PATH}`, HOME: home },
  });
  terminal.type(`${setup}\n`);
  return terminal;
}

describe.each(Object.keys(SHELLS))("%s", (name) => {
  test("completes commands, options, their values and files", async ({ onTestFinished }) => {
    const terminal = openShell(onTestFinished, SHELLS[name] as Shell);
    await expect.poll(terminal.read).toBe(">");
    for (const [typed, completed] of CASES) {
      terminal.type(typed);
      terminal.press("Tab");
      // A letter shows that the shell has handled the key.
      terminal.type("#");
      await expect
        .poll(() => terminal.read().replace(/ #$/, "#"), { message: typed })
        .toBe(`> ${completed}#`);
      terminal.press("C-u");
      await expect.poll(terminal.read).toBe(">");
    }
  });

  test("lists what there is", async ({ onTestFinished }) => {
    const terminal = openShell(onTestFinished, SHELLS[name] as Shell);
    await expect.poll(terminal.read).toBe(">");
    terminal.type("coppice ");
    terminal.press("Tab");
    const commands = ["analyze", "prune", "restore", "wrap", "proxy", "status", "init", "completion"];
    for (const command of commands) await expect.poll(terminal.read).toContain(command);
    expect(terminal.read()).not.toContain("a-session.jsonl");
  });
});
