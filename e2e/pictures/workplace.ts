import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const CLAUDE = "e2e/clients/claude-code/node_modules/@anthropic-ai/claude-code-linux-x64/claude";
const FONTS = "node_modules/dejavu-fonts-ttf/ttf";

/**
 * A separate home folder with `coppice`, the real Claude Code and the sample session; programs there see nothing
 * else of this machine.
 */
export class Workplace {
  readonly folder: string = mkdtempSync(join(tmpdir(), "coppice-pictures-"));
  readonly project: string = join(this.folder, "discount-service");
  readonly #env: Readonly<Record<string, string>>;

  constructor(sample: string) {
    const bin = join(this.folder, "bin");
    mkdirSync(bin);
    writeScript(join(bin, "coppice"), `'${process.execPath}' '${resolve("dist/cli/main.js")}'`);
    writeScript(join(bin, "claude"), `'${resolve(CLAUDE)}'`);
    this.#env = {
      ...{ HOME: this.folder, PATH: `${bin}:${process.env.PATH}`, TZ: "UTC", TERM: "xterm" },
      ...{ npm_config_update_notifier: "false", npm_config_progress: "false" },
    };
    cpSync("samples/discount-service", this.project, { recursive: true });
    // As if recorded yesterday in this folder: `coppice context` asks what the last month's sessions used.
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const session = readFileSync(sample, "utf8")
      .replaceAll("2026-01-20", yesterday)
      .replaceAll("/home/dev/discount-service", this.project);
    mkdirSync(join(this.folder, ".claude/projects/shop"), { recursive: true });
    writeFileSync(join(this.folder, ".claude/projects/shop/sample.jsonl"), session);
  }

  /** Fonts from the packages, so that pages have the same layout on every machine. */
  writeFontConfig(): string {
    const append = (name: string, value: string): string =>
      `<edit name="${name}" mode="append_last">${value}</edit>`;
    const file = join(this.folder, "fonts.conf");
    writeFileSync(
      file,
      `<fontconfig><dir>${resolve(FONTS)}</dir><cachedir>${join(this.folder, "fonts")}</cachedir>
      <match><test name="family"><string>monospace</string></test>
        ${append("family", "<string>DejaVu Sans Mono</string>")}</match>
      <match>${append("family", "<string>DejaVu Sans</string>")}
        ${append("hintstyle", "<const>hintslight</const>")}</match></fontconfig>`,
    );
    return file;
  }

  run(command: string, args: readonly string[], cwd = "."): string {
    return execFileSync(command, args, {
      cwd,
      env: this.#env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** The output of a command in a terminal of 100 columns. */
  runInTerminal(command: string): string {
    return this.run("script", ["-qec", `stty cols 100; ${command}`, "/dev/null"]);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function writeScript(file: string, program: string): void {
  writeFileSync(file, `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(file, 0o755);
}
