import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The number of files to work on. */
export const FILES = 4;

/** An empty home folder, and a project under version control. */
export interface Workplace {
  readonly home: string;
  readonly cwd: string;
  dispose(): void;
}

export function createWorkplace(): Workplace {
  const root = mkdtempSync(join(tmpdir(), "coppice-client-"));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  mkdirSync(home);
  mkdirSync(join(cwd, "src"), { recursive: true });
  for (let i = 0; i < FILES; i++) writeFileSync(pathOf(cwd, i), textOf(i));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@localhost", ...args], {
      cwd,
      stdio: "ignore",
    });
  git("init");
  git("add", ".");
  git("commit", "-m", "Begin");
  return {
    home,
    cwd,
    dispose: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function pathOf(cwd: string, file: number): string {
  return join(cwd, "src", `module-${file}.ts`);
}

/** The line of a file that is edited. */
export function revisionLine(revision: number): string {
  return `export const revision = ${revision};`;
}

/** Some 600 tokens. */
function textOf(file: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `const total${i} = order.rate * ${i}; // of module ${file}`,
  );
  return `${[revisionLine(0), ...lines].join("\n")}\n`;
}
