import { closeSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { hashText } from "../transcript/hash.ts";
import { statOf } from "./output.ts";
import type { Screen } from "./screen.ts";

/** Identifies a page: the same session with the same options is the same page, only newer. */
export type PageId = string;

export function pageId(path: string, options: { readonly preset?: string; readonly redact?: true }): PageId {
  return hashText(JSON.stringify([realPath(path), options.preset ?? "", options.redact ?? false]));
}

/** The page, with a last line that identifies it. */
export function signPage(html: string, id: PageId): string {
  return `${html.trimEnd()}\n${signature(id)}`;
}

/**
 * The first place that is free or contains an older version of this page, so that no other page is lost.
 *
 *   coppice-report.html   ->  coppice-report.html, coppice-report-2.html, …
 */
export function findPlace(id: PageId, place: (number: string) => string): string {
  for (let i = 1; ; i++) {
    const path = place(i === 1 ? "" : `-${i}`);
    if (isFree(path) || isPage(path, id)) return path;
  }
}

/** If the user has named the place, the file there is replaced, but never silently. */
export function noteReplaced(path: string, id: PageId, screen: Screen): void {
  if (!isFree(path) && !isPage(path, id)) screen.note(`${path} already existed, and is replaced.`);
}

function signature(id: PageId): string {
  return `<!-- coppice report ${id} -->\n`;
}

/** A session in a database has no file of its own. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function isFree(path: string): boolean {
  return statOf(path) === undefined;
}

function isPage(path: string, id: PageId): boolean {
  const expected = Buffer.from(signature(id));
  const found = Buffer.alloc(expected.length);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    readSync(file, found, 0, found.length, Math.max(0, fstatSync(file).size - found.length));
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return found.equals(expected);
}
