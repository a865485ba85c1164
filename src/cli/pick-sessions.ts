import type { Issue } from "../basics/issue.ts";
import { Failure } from "./failure.ts";
import { findSessions, listSessionFolders, type SessionFile } from "./find-sessions.ts";
import type { Screen } from "./screen.ts";

/** The sessions at these paths, largest first, so that the threads finish at about the same time. */
export async function findNamed(paths: readonly string[], screen: Screen): Promise<readonly SessionFile[]> {
  const { files, missing, issues } = await findSessions(paths, true);
  for (const path of missing) {
    process.exitCode = 1;
    screen.note(screen.paintNote.red(`${path}: no such file or folder`));
  }
  noteIssues(issues, screen);
  return bySize(files);
}

/** The sessions of the agents on this machine. */
export async function findOwn(screen: Screen): Promise<readonly SessionFile[]> {
  const folders = listSessionFolders();
  const { files, issues } = await findSessions(
    folders.map(({ path }) => path),
    false,
  );
  noteIssues(issues, screen);
  if (files.length > 0) return bySize(files);
  const looked = folders.map(({ agent, path }) => `\n  ${agent}: ${path}`).join("");
  throw new Failure(
    `No sessions were found. Coppice looked in:${looked}\nName files or folders: coppice analyze path/to/sessions`,
  );
}

function bySize(files: readonly SessionFile[]): readonly SessionFile[] {
  return files.toSorted((a, b) => b.bytes - a.bytes);
}

function noteIssues(issues: readonly Issue[], screen: Screen): void {
  for (const { where, message } of issues) {
    process.exitCode = 1;
    screen.note(screen.paintNote.red(`${where}: ${message}`));
  }
}
