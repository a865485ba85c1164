import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../basics/json.ts";
import type { InventoryItem } from "../../prefix/inventory.ts";
import { dataFolder } from "../../stores/data-folder.ts";
import { makeFolder } from "../../stores/make-folder.ts";

/** The text that a client sent in a project at some time: names and sizes, no text. */
export interface StoredInventory {
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly model?: string;
  /** The provider's price of one of the tokens. */
  readonly billed: number;
  readonly items: readonly InventoryItem[];
}

/** The most results to keep. */
const KEPT = 20;

/** The newest stored result, if there is one. */
export function readLastLook(client: string, project: string): StoredInventory | undefined {
  return readLooks(fileOf(client, project)).at(-1);
}

/** The last known inventory of a client in a project. */
export interface KnownLook {
  readonly client: string;
  readonly project: string;
  readonly look: StoredInventory;
}

/** The newest inventory of each client in each project, in the order of their files. */
export function listLooks(): readonly KnownLook[] {
  const folder = lookFolder();
  return listFiles(folder).flatMap((name): readonly KnownLook[] => {
    const value = readKept(join(folder, name));
    const look = looksIn(value).at(-1);
    if (!look || !isRecord(value)) return [];
    const { client, project } = value;
    return typeof client === "string" && typeof project === "string" ? [{ client, project, look }] : [];
  });
}

/** @throws if it can't be written */
export function keepLook(client: string, project: string, look: StoredInventory): void {
  const file = fileOf(client, project);
  const looks = [...readLooks(file), look].slice(-KEPT);
  makeFolder(join(file, ".."), 0o700);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ version: 1, client, project, looks })}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

function fileOf(client: string, project: string): string {
  const name = createHash("sha256")
    .update(JSON.stringify([client, project]))
    .digest("hex")
    .slice(0, 16);
  return join(lookFolder(), `${name}.json`);
}

function lookFolder(): string {
  return join(dataFolder(), "coppice/context");
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

function readLooks(file: string): readonly StoredInventory[] {
  return looksIn(readKept(file));
}

function readKept(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function looksIn(value: unknown): readonly StoredInventory[] {
  return isRecord(value) && Array.isArray(value.looks) ? value.looks.filter(isLook) : [];
}

function isLook(value: unknown): value is StoredInventory {
  return (
    isRecord(value) &&
    typeof value.time === "number" &&
    typeof value.billed === "number" &&
    Array.isArray(value.items)
  );
}
