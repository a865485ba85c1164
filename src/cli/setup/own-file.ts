import { createHash } from "node:crypto";
import { type FileChange, refuse } from "./change.ts";

/**
 * The mark of a file that Coppice wrote. A hash of the rest replaces the zeros, which shows whether somebody has
 * changed the file.
 */
export const SEAL = "coppice-seal:0000000000000000";

/**
 * A file that only Coppice writes. Its text contains `SEAL` once. @param what a description to show instead of its
 * lines
 */
export function ownFile(file: string, text: string, what?: string): FileChange {
  const sealed = seal(text);
  return {
    file,
    what: what === undefined ? hidePasswords(sealed).trimEnd().split("\n") : [what],
    isOwn: true,
    add: (there) =>
      there === undefined || there === sealed || isSealed(there)
        ? { ok: true, value: sealed }
        : refuse("Coppice did not write its current content; move it away first"),
    remove: (there) =>
      isSealed(there)
        ? { ok: true, value: undefined }
        : refuse(
            "Coppice did not write its current content, so it stays; delete it yourself if you don't need it",
          ),
  };
}

function seal(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return text.replace(SEAL, `coppice-seal:${hash}`);
}

function isSealed(text: string): boolean {
  const open = text.replace(/coppice-seal:[0-9a-f]{16}/, SEAL);
  return open.includes(SEAL) && seal(open) === text;
}

/** `http://ada:secret@proxy:3128` -> `http://…@proxy:3128` */
function hidePasswords(text: string): string {
  return text.replace(/:\/\/[^\s/@"<]*@/g, "://…@");
}
