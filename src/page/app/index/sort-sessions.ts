import type { SessionRowData } from "../../index-data.ts";
import { nameFolder } from "../../name-folder.ts";
import { SOURCE_NAMES } from "../words.ts";

export type SortKey = "session" | "date" | "agent" | "model" | "requests" | "bill" | "saved";

export interface Sorting {
  readonly by: SortKey;
  readonly isDown: boolean;
}

/** The values that a column sorts by; `undefined` is last in either direction. */
const VALUES: Readonly<Record<SortKey, (row: SessionRowData) => number | string | undefined>> = {
  session: (row) => nameSession(row).toLowerCase(),
  date: ({ start }) => start,
  agent: ({ source }) => SOURCE_NAMES[source],
  model: ({ models }) => models[0],
  requests: ({ requests }) => requests,
  bill: ({ dollars }) => dollars,
  saved: ({ saved }) => saved,
};

/** Equal rows keep their order. */
export function sortSessions(
  rows: readonly SessionRowData[],
  { by, isDown }: Sorting,
): readonly SessionRowData[] {
  const keyOf = VALUES[by];
  const [known, unknown] = [
    rows.filter((row) => keyOf(row) !== undefined),
    rows.filter((row) => keyOf(row) === undefined),
  ];
  const sorted = known.toSorted((a, b) => {
    const [left = 0, right = 0] = [keyOf(a), keyOf(b)];
    const order = left < right ? -1 : left > right ? 1 : 0;
    return isDown ? -order : order;
  });
  return [...sorted, ...unknown];
}

/** The rows that contain all words of a query. */
export function findSessions(rows: readonly SessionRowData[], query: string): readonly SessionRowData[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = [nameSession(row), row.project ?? "", row.path, SOURCE_NAMES[row.source], ...row.models]
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** `shop: Fix the login`; unknown parts are left out. */
export function nameSession({ project, prompt, path }: SessionRowData): string {
  const folder = project === undefined ? undefined : nameFolder(project);
  return [folder, prompt].filter((name) => name !== undefined).join(": ") || nameFolder(path);
}
