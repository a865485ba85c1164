import type { Analysis, SessionSum } from "../analysis/sum-analyses.ts";
import type { RecordingSource } from "../recordings/recording.ts";
import type { SessionLabel } from "../recordings/session-label.ts";

/** The data of a folder's index page. Plain JSON. */
export interface IndexData {
  readonly version: 1;
  /** The folder that was searched. */
  readonly folder: string;
  readonly rows: readonly SessionRowData[];
  readonly files: readonly FileData[];
  readonly redacted: boolean;
}

/** A session in a table of many. */
export interface SessionRowData extends SessionLabel {
  readonly path: string;
  readonly source: RecordingSource;
  readonly models: readonly string[];
  readonly requests: number;
  /** The bill and the possible savings, in US dollars; present if the model's price is known. */
  readonly dollars?: number;
  readonly saved?: number;
  /** The possible savings, as a share of the bill. */
  readonly share: number;
  /** Are the figures estimates? */
  readonly estimated: boolean;
  /** The file of its report, next to the index. */
  readonly page?: string;
}

/** A file without a session. */
export interface FileData {
  readonly path: string;
  readonly why: string;
  /** The file is empty or of another kind; if not, it has a problem. */
  readonly isOther: boolean;
}

export interface IndexOptions {
  readonly folder: string;
  /** Files of reports, by the path of their session. */
  readonly pages: ReadonlyMap<string, string>;
  readonly files: readonly FileData[];
  readonly redacted: boolean;
}

export function buildIndexData(
  { sessions }: Analysis,
  { folder, pages, files, redacted }: IndexOptions,
): IndexData {
  return {
    version: 1,
    folder,
    rows: sessions.map((session) => toRow(session, pages.get(session.path))),
    files,
    redacted,
  };
}

function toRow(session: SessionSum, page: string | undefined): SessionRowData {
  const { path, source, models, requests, unpriced, dollars, avoidable, estimated } = session;
  const { project, prompt, start, end } = session;
  return {
    path,
    source,
    models,
    requests,
    ...(project !== undefined && { project }),
    ...(prompt !== undefined && { prompt }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(unpriced < requests && { dollars, saved: avoidable }),
    share: dollars > 0 ? avoidable / dollars : 0,
    estimated: estimated > 0,
    ...(page !== undefined && { page }),
  };
}
