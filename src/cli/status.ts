import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { compareArms } from "../analysis/compare-arms.ts";
import { compareWork } from "../analysis/compare-work.ts";
import { describeError } from "../basics/issue.ts";
import { isRecord } from "../basics/json.ts";
import type { ProxyStatus } from "../page/dashboard-data.ts";
import { journalPath } from "../stores/data-folder.ts";
import { openStore, type StoreSettings } from "../stores/open-store.ts";
import { Failure } from "./failure.ts";
import { formatStatus } from "./format-status.ts";
import { formatExamples, printJson } from "./help.ts";
import { readStore } from "./proxy.ts";
import type { Screen } from "./screen.ts";
import { drawEverySecond, printEverySecond } from "./watch-status.ts";

interface StatusFlags {
  readonly url: string;
  readonly store?: string;
  readonly json?: true;
  readonly watch?: true;
}

/** What was found at one time. */
export interface StatusLook {
  readonly status: ProxyStatus | StoredStatus;
  /** Of the proxy; missing where the store gave it. */
  readonly url?: string;
  /** What else to say about it. */
  readonly note?: string;
}

/** The data that the store alone has. */
export type StoredStatus = Pick<ProxyStatus, "time" | "stored" | "days" | "comparison" | "work">;

const PATIENCE = 3_000;
const SESSIONS_LISTED = 100;
/** The newest sessions are compared. */
const SESSIONS_READ = 5_000;

export function addStatus(command: Command, screen: Screen): void {
  command
    .addOption(
      new Option("--url <address>", "the proxy's address; if it requires a token, set COPPICE_TOKEN")
        .env("COPPICE_URL")
        .default("http://127.0.0.1:8787"),
    )
    .option("--store <where>", "where to look if no proxy answers: a file, or postgres://…")
    .option("--watch", "a live view in the terminal, until Ctrl-C; with --json, a line every second")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice status", "a table"],
        ["coppice status --watch", "the same, as it changes"],
        ["coppice status --json | jq .days", "the sums of this month, day by day"],
      ]),
    )
    .action((flags: StatusFlags) => status(flags, screen));
}

async function status({ url, store, json, watch }: StatusFlags, screen: Screen): Promise<void> {
  if (!URL.canParse(url))
    throw new Failure(`${JSON.stringify(url)} is not an address: use http://127.0.0.1:8787, for example.`, 2);
  const look = async (signal?: AbortSignal): Promise<StatusLook> => {
    const found = await askProxy(url, signal);
    return found ? { status: found, url } : askStore(readStore(store), url);
  };
  if (watch && json) return printEverySecond(look, screen);
  // What reads a pipe could do nothing with a picture that is drawn again and again.
  if (watch && screen.isTerminal) return drawEverySecond(look, screen);
  const found = await look();
  if (found.note !== undefined) screen.note(found.note);
  screen.print(json ? printJson(found.status) : formatStatus(found.status, found.url, screen));
}

/** `undefined` where nobody answers. */
async function askProxy(url: string, signal?: AbortSignal): Promise<ProxyStatus | undefined> {
  const token = process.env.COPPICE_TOKEN;
  const address = `${url.replace(/\/$/, "")}/coppice/status`;
  const response = await fetch(address, {
    headers: token ? { "x-coppice-token": token } : {},
    signal: AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(signal ? [signal] : [])]),
  }).catch(() => undefined);
  if (!response) return undefined;
  if (response.status === 401)
    throw new Failure(`The proxy at ${url} requires its token: set COPPICE_TOKEN.`);
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isRecord(body) || !Array.isArray(body.sessions))
    throw new Failure(
      `The server at ${url} is not a Coppice proxy (HTTP ${response.status}): set another address with --url.`,
    );
  // Of the same version, or one with at least these fields.
  return body as unknown as ProxyStatus;
}

async function askStore(settings: StoreSettings, url: string): Promise<StatusLook> {
  const path = settings.kind === "sqlite" ? (settings.path ?? journalPath()) : undefined;
  if (path !== undefined && !existsSync(path))
    throw new Failure(
      `No proxy answers at ${url}, and there is no store at ${path}: \`coppice proxy\` starts one.`,
    );
  const troubles: string[] = [];
  const store = await openStore(settings, { report: ({ message }) => troubles.push(message) });
  try {
    const time = Date.now();
    const sessions = await store.listSessions({ limit: SESSIONS_READ });
    const days = await store.listDays({
      from: `${new Date(time).toISOString().slice(0, "2026-11".length)}-01`,
    });
    if (troubles.length > 0) throw new Failure(`No proxy answers at ${url}, and ${troubles[0]}`);
    const isRun = sessions.some(({ arms }) => arms.heldOut > 0);
    return {
      status: {
        time,
        stored: sessions.slice(0, SESSIONS_LISTED),
        days,
        work: compareWork(sessions),
        ...(isRun && { comparison: compareArms(sessions) }),
      },
      note: `No proxy answers at ${url}; this is from its store${path === undefined ? "" : `, ${path}`}.`,
    };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`The store can't be read: ${describeError(error)}`);
  } finally {
    await store.close();
  }
}
