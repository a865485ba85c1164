import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Program } from "./programs.ts";

export interface PiOptions {
  readonly program: Program;
  /** Of the provider, without a path. */
  readonly url: string;
  readonly api?: "openai-completions" | "anthropic-messages";
  readonly contextWindow?: number;
  /** Further data on the model for pi. */
  readonly compat?: object;
  /** Extensions to load, in addition to installed ones. */
  readonly extensions?: readonly string[];
  /** The text of Coppice's settings file. */
  readonly settings?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In the project's folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** An entry of a session file. */
export type Entry = { readonly type: string; readonly [field: string]: unknown };

export interface Pi {
  readonly project: string;
  /** One process: it answers the prompts one after the other, and ends. Returns its output. */
  run(prompts: readonly string[], ...flags: readonly string[]): Promise<string>;
  /** Arguments other than prompts: `install ./folder`. */
  call(...words: readonly string[]): Promise<string>;
  /** A process that takes commands as lines of JSON, until it is ended. */
  serve(...flags: readonly string[]): ChildProcess;
  /** The newest session file. */
  readSession(): { readonly text: string; readonly entries: readonly Entry[] };
  dispose(): void;
}

/** A real agent in a temporary home and project, with a clean environment and no network but the model. */
export function createPi(options: PiOptions): Pi {
  const { program, url, api = "openai-completions", contextWindow = 200_000 } = options;
  const root = mkdtempSync(join(tmpdir(), "coppice-pi-"));
  const home = join(root, "home");
  const project = join(root, "project");
  const agent = join(home, program.folder, "agent");
  const model = { id: "m", contextWindow, maxTokens: 4_096, compat: options.compat };
  const baseUrl = api === "anthropic-messages" ? url : `${url}/v1`;
  const models = { providers: { scripted: { baseUrl, api, apiKey: "none", models: [model] } } };
  write(agent, {
    "models.json": JSON.stringify(models),
    // The second is oh-my-pi's, and YAML. It would clear older reads of a file itself.
    "settings.json": JSON.stringify({ compaction: { enabled: false, keepRecentTokens: 2_000 } }),
    "config.yml": JSON.stringify({ compaction: { enabled: false, supersedeReads: false } }),
    ...(options.settings !== undefined && { "coppice.jsonc": options.settings }),
  });
  write(project, options.files ?? {});
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: home, PI_OFFLINE: "1", ...options.env };
  const running = new Set<ChildProcess>();

  function start(words: readonly string[], stdin: "ignore" | "pipe"): ChildProcess {
    const [file, ...first] = program.command;
    const child = spawn(file, [...first, ...words], { cwd: project, env, stdio: [stdin, "pipe", "pipe"] });
    running.add(child);
    child.once("close", () => running.delete(child));
    return child;
  }

  function call(...words: readonly string[]): Promise<string> {
    const child = start(words, "ignore");
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        printed += chunk.toString("utf8");
      });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), 240_000);
      child.once("error", reject);
      child.once("close", (code) => {
        clearTimeout(timer);
        if (code === 0) resolve(printed);
        else reject(new Error(`${program.name} ${words.join(" ")} ended with ${code}\n${printed}`));
      });
    });
  }

  const known = [
    ...["--provider", "scripted", "--model", "m"],
    ...(options.extensions ?? []).flatMap((path) => ["-e", path]),
  ];
  return {
    project,
    run: (prompts, ...flags) => call("-p", ...known, ...flags, ...prompts),
    call,
    serve: (...flags) => start(["--mode", "rpc", ...known, ...flags], "pipe"),
    readSession() {
      const folder = join(agent, "sessions");
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      const newest = files
        .filter((file) => file.endsWith(".jsonl"))
        .sort()
        .at(-1);
      const text = readFileSync(join(folder, newest ?? "none"), "utf8");
      return {
        text,
        entries: text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Entry),
      };
    },
    dispose() {
      for (const child of running) child.kill("SIGKILL");
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The package as it would be installed: its `package.json`, and the extension. */
export function buildPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-package-"));
  const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  execFileSync(process.execPath, [inRepository("scripts/bundle-plugins.mjs"), join(folder, "dist")]);
  writeFileSync(join(folder, "package.json"), readFileSync(inRepository("package.json")));
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
