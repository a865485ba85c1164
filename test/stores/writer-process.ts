import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

export interface WriterEnd {
  readonly lines: readonly string[];
  readonly code: number | null;
  readonly errors: string;
}

export interface Writers {
  /** Starts `writer.ts` with these arguments. */
  start(...args: readonly string[]): { readonly process: ChildProcess; readonly ended: Promise<WriterEnd> };
  dispose(): void;
}

/**
 * Node 20 runs no TypeScript: the writer is bundled once. Inside node_modules, so that the drivers are found from
 * there; for programs other than this Node somewhere else, so that they use only their own.
 */
export async function prepareWriters(program?: string): Promise<Writers> {
  const packages = resolve(import.meta.dirname, "../../node_modules");
  const folder = mkdtempSync(join(program === undefined ? packages : tmpdir(), ".writer-"));
  const outfile = join(folder, "writer.mjs");
  const entry = join(import.meta.dirname, "writer.ts");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  return {
    start(...args) {
      const child = spawn(program ?? process.execPath, [outfile, ...args], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      let errors = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        errors += chunk;
      });
      const ended = new Promise<WriterEnd>((done) =>
        // The text after the last line break was cut off.
        child.on("close", (code) => done({ lines: output.split("\n").slice(0, -1), code, errors })),
      );
      return { process: child, ended };
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
