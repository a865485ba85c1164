import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

type Line = { readonly type?: string; readonly [field: string]: unknown };

/** A pi that is controlled by lines of JSON, as an editor would. */
export interface Rpc {
  /** Waits for the response. */
  ask(command: Line): Promise<Line>;
  /** Waits until the model has no more calls. */
  prompt(message: string): Promise<void>;
  /** A slash command; waits for its output. */
  command(message: string): Promise<string>;
  /** The texts shown to the person, in order. */
  readonly shown: readonly string[];
  close(): void;
}

const PATIENCE = 120_000;

export function connectRpc(child: ChildProcess): Rpc {
  const lines: Line[] = [];
  const shown: string[] = [];
  const waiting = new Set<() => void>();
  let printed = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    printed += chunk.toString("utf8");
  });
  if (child.stdout)
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.type === "extension_ui_request" && line.method === "notify") shown.push(String(line.message));
      for (const look of waiting) look();
    });

  /** The first line from `start` on that is looked for. */
  function find(start: number, isIt: (line: Line) => boolean): Promise<Line> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`nothing came\n${printed}\n${JSON.stringify(lines.slice(-5)).slice(0, 2_000)}`));
      }, PATIENCE);
      const look = () => {
        const found = lines.slice(start).find(isIt);
        if (!found) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  }

  let serial = 0;
  function ask(command: Line): Promise<Line> {
    const id = `r${++serial}`;
    const start = lines.length;
    child.stdin?.write(`${JSON.stringify({ id, ...command })}\n`);
    return find(start, (line) => line.type === "response" && line.id === id);
  }

  return {
    ask,
    shown,
    async prompt(message) {
      const start = lines.length;
      await ask({ type: "prompt", message });
      await find(start, ({ type }) => type === "agent_end");
      const isBusy = async () => {
        const { data } = await ask({ type: "get_state" });
        return (data as { isStreaming?: boolean }).isStreaming === true;
      };
      while (await isBusy()) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async command(message) {
      const start = lines.length;
      await ask({ type: "prompt", message });
      const line = await find(start, ({ method }) => method === "notify");
      return String(line.message);
    },
    close: () => void child.kill("SIGTERM"),
  };
}
