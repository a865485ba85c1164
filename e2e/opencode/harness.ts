import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(new URL("../node_modules/opencode-linux-x64/bin/opencode", import.meta.url));

export type HostOptions = {
  /** The scripted model's address. */
  readonly baseURL: string;
  /** Plugin entries of opencode.json: paths, or [path, options]. */
  readonly plugins?: readonly (string | readonly [string, object])[];
  /** The model's limits, in tokens. */
  readonly limit?: { readonly context: number; readonly output: number };
  /** Further keys of opencode.json. */
  readonly config?: object;
  /** Files of the project, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The same of the home folder. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  /** Further variables; `~/` at the start of a value is the temporary home. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

export type RunOptions = {
  readonly continue?: boolean;
  readonly fork?: boolean;
  readonly session?: string;
  readonly agent?: string;
  readonly command?: string;
  readonly timeoutMs?: number;
};

export type StoredMessage = {
  readonly info: {
    readonly id: string;
    readonly role: "user" | "assistant";
    readonly [field: string]: unknown;
  };
  readonly parts: readonly {
    readonly id: string;
    readonly type: string;
    readonly [field: string]: unknown;
  }[];
};

export type OpenCode = {
  readonly home: string;
  readonly project: string;
  /** Another project next to it, with the same opencode.json except these keys. */
  addProject(name: string, files: Readonly<Record<string, string>>, config?: object): string;
  /** One `opencode run` in its own process; resolves with its output. */
  run(prompt: string, options?: RunOptions): Promise<string>;
  /** A long-lived `opencode serve`. Stop it before `run` or another `serve` to have a real restart. */
  serve(): Promise<Server>;
  /** The output of `opencode export`: the stored session. (The server's answers have other key orders.) */
  exportSession(
    session: string,
  ): Promise<{ readonly info: object; readonly messages: readonly StoredMessage[] }>;
  logTail(lines?: number): string;
  /** Ends what is still running and deletes the temporary folder. */
  dispose(): Promise<void>;
};

type Started = ChildProcess & { readonly printed: () => string };

export type PromptOptions = {
  readonly agent?: string;
  /** A model of the provider `scripted`, or `provider/model`. */
  readonly model?: string;
  readonly noReply?: boolean;
  readonly files?: readonly { readonly mime: string; readonly url: string; readonly filename?: string }[];
};

export type Server = {
  readonly url: string;
  /** In another project's folder, if one is given: one server serves them all. */
  createSession(directory?: string): Promise<string>;
  /** Waits until the turn is over. */
  prompt(session: string, text: string, options?: PromptOptions): Promise<StoredMessage>;
  /** Returns at once: the message is queued, or starts a turn. */
  promptAsync(session: string, text: string, options?: PromptOptions): Promise<void>;
  shell(session: string, command: string): Promise<void>;
  /** A slash command; waits until the turn is over. `model` as in a prompt. */
  command(session: string, command: string, args: string, model?: string): Promise<StoredMessage>;
  /** The copy ends before `before`; without it, it is whole. */
  fork(session: string, before?: string): Promise<string>;
  /** Undo: hides `message` and later ones; the next prompt deletes them. */
  revert(session: string, message: string): Promise<void>;
  unrevert(session: string): Promise<void>;
  /** The host's own compaction, as by `/compact`. */
  summarize(session: string, model?: string): Promise<void>;
  abort(session: string): Promise<void>;
  messages(session: string): Promise<readonly StoredMessage[]>;
  idle(session: string): Promise<void>;
  /** `folder`: of another project. */
  request(method: string, path: string, body?: object, folder?: string): Promise<unknown>;
  stop(): Promise<void>;
};

/** A real OpenCode in a temporary home and project, with a clean environment and no network but the model. */
export function createOpenCode(options: HostOptions): OpenCode {
  const root = mkdtempSync(join(tmpdir(), "coppice-opencode-"));
  const home = join(root, "home");
  const project = join(root, "project");
  const timeoutMs = options.timeoutMs ?? 60_000;
  const running = new Set<ChildProcess>();

  skipDependencyInstall(join(home, ".config/opencode"));
  const addProject: OpenCode["addProject"] = (name, files, config) => {
    const folder = join(root, name);
    const settings = JSON.stringify({ ...configOf(options), ...config }, null, 2);
    writeFiles(folder, { ...files, "opencode.json": settings });
    skipDependencyInstall(join(folder, ".opencode"));
    return folder;
  };
  addProject("project", options.files ?? {});
  writeFiles(home, options.homeFiles ?? {});

  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_SHARE: "1",
    OPENCODE_DISABLE_CLAUDE_CODE: "1",
    OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
    OPENCODE_DISABLE_EMBEDDED_WEB_UI: "1",
    OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: "1",
    ...Object.fromEntries(
      Object.entries(options.env ?? {}).map(([name, value]) => [name, value.replace(/^~/, home)]),
    ),
  };
  if (options.env?.OPENCODE_CONFIG_DIR) skipDependencyInstall(env.OPENCODE_CONFIG_DIR ?? "");

  function start(args: readonly string[]): Started {
    const child = spawn(binary, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    child.on("exit", () => running.delete(child));
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString("utf8");
      });
    }
    return Object.assign(child, { printed: () => printed });
  }

  async function run(prompt: string, flags: RunOptions = {}): Promise<string> {
    const args = ["run"];
    if (flags.continue) args.push("--continue");
    if (flags.session) args.push("--session", flags.session);
    if (flags.fork) args.push("--fork");
    if (flags.agent) args.push("--agent", flags.agent);
    if (flags.command) args.push("--command", flags.command);
    return finished(start([...args, prompt]), "run", flags.timeoutMs ?? timeoutMs);
  }

  async function finished(child: Started, command: string, limitMs: number): Promise<string> {
    const code = await exitOf(child, limitMs);
    if (code === 0) return child.printed();
    await stop(child);
    const message = code === undefined ? "timed out" : `ended with ${code}`;
    throw new Error(trouble(`opencode ${command} ${message}`, child.printed()));
  }

  async function serve(): Promise<Server> {
    const child = start(["serve", "--port", "0"]);
    const deadline = Date.now() + timeoutMs;
    while (true) {
      const url = /listening on (http:\/\/[^\s]+)/.exec(child.printed())?.[1];
      if (url)
        return connect(
          url,
          timeoutMs,
          (message) => trouble(message, child.printed()),
          () => stop(child),
        );
      if (child.exitCode !== null || Date.now() > deadline) {
        await stop(child);
        throw new Error(trouble("opencode serve did not start", child.printed()));
      }
      await sleep(20);
    }
  }

  function logTail(lines = 40): string {
    const folder = join(home, ".local/share/opencode/log");
    const newest = safely(() => readdirSync(folder).sort().at(-1));
    if (!newest) return "(no log)";
    return readFileSync(join(folder, newest), "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  }

  const trouble = (message: string, printed: string): string =>
    `${message}\n--- printed ---\n${printed.slice(-3000)}\n--- log ---\n${logTail()}`;

  return {
    home,
    project,
    addProject,
    run,
    serve,
    async exportSession(session) {
      const printed = await finished(start(["export", session]), "export", timeoutMs);
      return JSON.parse(printed.slice(printed.indexOf("{")));
    },
    logTail,
    async dispose() {
      await Promise.all([...running].map(stop));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * With any plugin configured, OpenCode waits for an npm install of `@opencode-ai/plugin` into its config folder.
 * It is skipped when node_modules exists and the lock file names the package.
 */
function skipDependencyInstall(folder: string): void {
  const dependencies = { "@opencode-ai/plugin": "1.18.33" };
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "": { dependencies } } }));
}

function configOf(options: HostOptions): object {
  return {
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    lsp: false,
    formatter: false,
    model: "scripted/m",
    small_model: "scripted/m",
    permission: { "*": "allow" },
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: options.baseURL, apiKey: "none" },
        models: {
          m: modelEntry("Scripted", options),
          other: modelEntry("Other", options),
          plain: { ...modelEntry("Plain", options), reasoning: false, interleaved: false },
        },
      },
      claude: {
        npm: "@ai-sdk/anthropic",
        name: "Claude",
        options: { baseURL: options.baseURL, apiKey: "none" },
        models: Object.fromEntries(
          ["claude-sonnet-4-5", "claude-opus-4-7"].map((id) => [id, claudeEntry(id, options)]),
        ),
      },
    },
    plugin: options.plugins ?? [],
    ...options.config,
  };
}

function modelEntry(name: string, options: HostOptions): object {
  return {
    name,
    limit: options.limit ?? { context: 200_000, output: 8_000 },
    reasoning: true,
    interleaved: { field: "reasoning_content" },
    tool_call: true,
    attachment: true,
    modalities: { input: ["text", "image"], output: ["text"] },
  };
}

function claudeEntry(name: string, options: HostOptions): object {
  const { interleaved: _, ...entry } = modelEntry(name, options) as { interleaved: unknown };
  return entry;
}

function connect(
  url: string,
  timeoutMs: number,
  trouble: (message: string) => string,
  stop: () => Promise<void>,
): Server {
  const directories = new Map<string, string>();

  async function request(method: string, path: string, body?: object, folder?: string): Promise<unknown> {
    const directory = folder ?? directories.get(/^\/session\/(\w+)/.exec(path)?.[1] ?? "");
    const response = await fetch(url + path, {
      method,
      headers: {
        "content-type": "application/json",
        ...(directory && { "x-opencode-directory": directory }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new Error(trouble(`${method} ${path}: ${String(error)}`));
    });
    const text = await response.text();
    if (!response.ok) throw new Error(trouble(`${method} ${path}: ${response.status} ${text}`));
    return text === "" ? undefined : JSON.parse(text);
  }

  const modelOf = (name = "m") => {
    const [modelID = "", providerID = "scripted"] = name.split("/").reverse();
    return { providerID, modelID };
  };
  const promptBody = (text: string, options: PromptOptions = {}): object => ({
    model: modelOf(options.model),
    agent: options.agent ?? "build",
    ...(options.noReply ? { noReply: true } : {}),
    parts: [{ type: "text", text }, ...(options.files ?? []).map((file) => ({ type: "file", ...file }))],
  });

  const server: Server = {
    url,
    async createSession(directory) {
      const { id } = (await request("POST", "/session", {}, directory)) as { id: string };
      if (directory) directories.set(id, directory);
      return id;
    },
    async prompt(session, text, options) {
      return (await request(
        "POST",
        `/session/${session}/message`,
        promptBody(text, options),
      )) as StoredMessage;
    },
    async promptAsync(session, text, options) {
      await request("POST", `/session/${session}/prompt_async`, promptBody(text, options));
    },
    async shell(session, command) {
      await request("POST", `/session/${session}/shell`, { agent: "build", command });
    },
    async command(session, command, args, model) {
      const { providerID, modelID } = modelOf(model);
      const body = { command, arguments: args, agent: "build", model: `${providerID}/${modelID}` };
      return (await request("POST", `/session/${session}/command`, body)) as StoredMessage;
    },
    async fork(session, before) {
      const body = before ? { messageID: before } : {};
      const { id } = (await request("POST", `/session/${session}/fork`, body)) as { id: string };
      const directory = directories.get(session);
      if (directory) directories.set(id, directory);
      return id;
    },
    async revert(session, message) {
      await request("POST", `/session/${session}/revert`, { messageID: message });
    },
    async unrevert(session) {
      await request("POST", `/session/${session}/unrevert`, {});
    },
    async summarize(session, model) {
      await request("POST", `/session/${session}/summarize`, modelOf(model));
    },
    async abort(session) {
      await request("POST", `/session/${session}/abort`, {});
    },
    async messages(session) {
      return (await request("GET", `/session/${session}/message`)) as readonly StoredMessage[];
    },
    async idle(session) {
      const deadline = Date.now() + timeoutMs;
      const folder = directories.get(session);
      while (session in ((await request("GET", "/session/status", undefined, folder)) as object)) {
        if (Date.now() > deadline) throw new Error(trouble(`${session} did not become idle`));
        await sleep(50);
      }
    },
    request,
    stop,
  };
  return server;
}

/** Ends a process by its id: gently first, then not. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  if ((await exitOf(child, 5_000)) !== undefined) return;
  child.kill("SIGKILL");
  await exitOf(child, 5_000);
}

/** The exit code (−1 for a signal), or undefined when it is still running after the time. */
function exitOf(child: ChildProcess, timeoutMs: number): Promise<number | undefined> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  if (child.signalCode !== null) return Promise.resolve(-1);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve(code ?? -1);
    });
  });
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
