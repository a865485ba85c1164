/**
 * One spelling per file: `./a.ts`, `src/../a.ts` and, if the directory is known, `<directory>/a.ts` are the same.
 * Without a directory, a relative path stays relative. `~` stays, because its user is unknown, and so does an
 * address that only the host can resolve.
 *
 *   normalizePath("./src//a.ts")             ->  src/a.ts
 *   normalizePath("src/a.ts", "/repo")       ->  /repo/src/a.ts
 *   normalizePath("file:///c:/repo/a%20b")   ->  C:/repo/a b
 *   normalizePath("skill://pdf", "/repo")    ->  skill://pdf
 */
export function normalizePath(path: string, directory?: string): string {
  if (path.startsWith(SKILL)) return path;
  const plain = withSlashes(path);
  return collapse(
    directory === undefined || isAbsolute(plain) ? plain : `${withSlashes(directory)}/${plain}`,
  );
}

/** The names that oh-my-pi's `read` uses for a skill and the files of its folder: `skill://pdf/forms.md`. */
const SKILL = "skill://";

/** The path of a server's own file, in a spelling that no workspace path has. */
export function atServer(server: string, path: string): string {
  return `${server}://${path}`;
}

/** The path as the server has it. */
export function withoutServer(path: string): string {
  const end = path.indexOf("://");
  return end < 0 ? path : path.slice(end + "://".length);
}

const DRIVE = /^\/?([A-Za-z]):(?=\/|$)/;

function withSlashes(path: string): string {
  const local = path.startsWith("file://") ? decode(path.slice("file://".length)) : path;
  return local.replaceAll("\\", "/").replace(DRIVE, (_, letter: string) => `${letter.toUpperCase()}:`);
}

/** `path` has forward slashes. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith("~") || DRIVE.test(path);
}

function collapse(path: string): string {
  const rooted = isAbsolute(path);
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (canLeave(kept, rooted)) kept.pop();
    else if (!rooted || kept[0]?.startsWith("~")) kept.push(segment);
  }
  const joined = kept.join("/");
  if (path.startsWith("/")) return `/${joined}`;
  if (rooted && kept.length === 1 && joined.endsWith(":")) return `${joined}/`;
  return joined === "" ? "." : joined;
}

/**
 * May a `..` remove the last segment? Not if that is a `..` itself, or the drive or home at the start of the path.
 */
function canLeave(kept: readonly string[], rooted: boolean): boolean {
  const last = kept.at(-1);
  if (last === undefined || last === "..") return false;
  return !(rooted && kept.length === 1 && (last.startsWith("~") || last.endsWith(":")));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
