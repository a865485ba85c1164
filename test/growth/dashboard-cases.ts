import { findFolder } from "../../src/hosts/proxy/live/find-folder.ts";
import { nameCalls } from "../../src/hosts/proxy/live/name-calls.ts";
import { applyChanges, takeSnapshot } from "../../src/page/app/dashboard/board.ts";
import { filterRows, listRows } from "../../src/page/app/dashboard/list-rows.ts";
import type { LiveSession } from "../../src/page/dashboard-data.ts";
import { fromAddress, toAddress } from "../../src/page/session-address.ts";
import type { PartKey } from "../../src/transcript/part.ts";
import type { Case } from "./measure.ts";
import { COUNT_SIZES, TEXT_SIZES } from "./sizes.ts";
import { hostileTexts } from "./texts.ts";

/** Bodies, ids and names come from clients. */
const FUNCTIONS: readonly (readonly [name: string, run: (text: string) => unknown])[] = [
  ["findFolder", (text) => findFolder(`Working directory: ${text}<cwd>${text}`)],
  ["toAddress", (text) => fromAddress(toAddress(text))],
  ["fromAddress", (text) => [fromAddress(text), fromAddress(`~${text}`)]],
];

export function dashboardCases(): readonly Case[] {
  const texts = FUNCTIONS.flatMap(([name, run]) =>
    hostileTexts.map(
      (text): Case => ({
        name: `${name}, ${text.name}`,
        sizes: TEXT_SIZES,
        prepare: (size) => {
          const made = text.of(size);
          return () => run(made);
        },
      }),
    ),
  );
  return [
    ...texts,
    { name: "the names of calls", sizes: [1_000, 8_000], prepare: prepareNames },
    { name: "a list of sessions, each started by the one before", sizes: COUNT_SIZES, prepare: prepareList },
  ];
}

function prepareNames(size: number): () => unknown {
  const messages = Array.from({ length: size }, (_, i) => ({
    role: "assistant",
    content: [{ type: "tool_use", id: `t${i}`, name: "read", input: { path: `f${i}` } }],
  }));
  const keys = messages.map((_, i) => `result:t${i}#1` as PartKey);
  return () => nameCalls(keys, { format: "anthropic-messages", messages });
}

function prepareList(size: number): () => unknown {
  const sessions = Array.from({ length: size }, (_, i) => ({ ...sessionOf(i), trend: [] }));
  const board = takeSnapshot({ version: "", startedAt: 0, time: 0, sessions, stored: [], days: [] }, 0);
  return () => {
    const changed = sessions.map((session) => ({ ...session, changed: [] }));
    const rows = listRows(applyChanges(board, { time: 0, sessions: changed }, 0), 0);
    return filterRows(rows, { show: "all", query: "5" });
  };
}

function sessionOf(i: number): LiveSession {
  return {
    id: `s${i}`,
    ...(i > 0 && { parent: `s${i - 1}` }),
    startedAt: i,
    lastAt: i,
    requests: 0,
    questions: 0,
    underWay: 1,
    segments: 0,
    cuts: 0,
    raw: 0,
    pruned: 0,
    window: 0,
    waits: 0,
    waiting: [],
    hits: 0,
    misses: 0,
    isHeldOut: false,
    isOpen: false,
  };
}
