import type { FileTouch } from "./tool-use.ts";

/**
 * The files that a patch touches, in order: from an `apply_patch` envelope or a unified diff.
 *
 *   *** Update File: a.ts   ->  edit a.ts        --- a/a.ts   +++ b/a.ts     ->  edit a.ts
 *   *** Add File: b.ts      ->  write b.ts       --- /dev/null   +++ b/b.ts  ->  write b.ts
 *   *** Move to: c.ts       ->  delete a.ts, edit c.ts
 */
export function findPatchedFiles(patch: string): readonly FileTouch[] {
  const touches = new Map<string, FileTouch>();
  for (const touch of ENVELOPE.test(patch) ? readEnvelope(patch) : readDiff(patch)) {
    touches.set(`${touch.operation} ${touch.path}`, touch);
  }
  return [...touches.values()];
}

const ENVELOPE = /^\*\*\* (?:Add|Update|Delete) File: /m;
const ENVELOPE_HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm;

function* readEnvelope(patch: string): Generator<FileTouch> {
  let updated: string | undefined;
  for (const [, header, named = ""] of patch.matchAll(ENVELOPE_HEADER)) {
    const path = named.trimEnd();
    if (path === "") continue;
    if (updated !== undefined) yield { path: updated, operation: header === "Move to" ? "delete" : "edit" };
    updated = undefined;
    if (header === "Add File") yield { path, operation: "write" };
    else if (header === "Delete File") yield { path, operation: "delete" };
    else updated = path;
  }
  if (updated !== undefined) yield { path: updated, operation: "edit" };
}

function* readDiff(patch: string): Generator<FileTouch> {
  const lines = patch.split(/\r?\n/);
  for (let i = 0; i + 1 < lines.length; i++) {
    const old = readValue("--- ", lines[i]);
    const now = readValue("+++ ", lines[i + 1]);
    const from = readValue("rename from ", lines[i]);
    const to = readValue("rename to ", lines[i + 1]);
    if (old !== undefined && now !== undefined && lines[i + 2]?.startsWith("@@")) {
      yield readHeader(withoutTime(old), withoutTime(now));
    } else if (from !== undefined && to !== undefined) {
      yield { path: from.trimEnd(), operation: "delete" };
      yield { path: to.trimEnd(), operation: "edit" };
    }
  }
}

/** The text after a key at the start of a line; `undefined` if there is none. */
function readValue(key: string, line = ""): string | undefined {
  return line.startsWith(key) && line.length > key.length ? line.slice(key.length) : undefined;
}

function readHeader(old: string, now: string): FileTouch {
  if (old === "/dev/null") return { path: now.replace(/^b\//, ""), operation: "write" };
  if (now === "/dev/null") return { path: old.replace(/^a\//, ""), operation: "delete" };
  const prefixed = old.startsWith("a/") && now.startsWith("b/");
  return { path: prefixed ? now.slice(2) : now, operation: "edit" };
}

/** `diff -u` writes a tab and a time after the path. */
function withoutTime(path: string): string {
  return path.split("\t", 1)[0]?.trimEnd() ?? path;
}
