import type { Analysis, SessionSum } from "../analysis/sum-analyses.ts";
import type { RecordingSource } from "../recordings/recording.ts";
import type { SessionLabel } from "../recordings/session-label.ts";

/** All that the index of a folder shows. Plain JSON. */
export interface IndexData {
  readonly version: 1;
  /** What was looked through. */
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
  /** The bill and what pruning would have saved of it, in US dollars; where the price of a model is known. */
  readonly dollars?: number;
  readonly saved?: number;
  /** What pruning would have saved, as a share of the bill. */
  readonly share: number;
  /** Do the figures rest on an estimate? */
  readonly estimated: boolean;
  /** The file of its report, beside the index. */
  readonly page?: string;
}

/** A file that gave no session. */
export interface FileData {
  readonly path: string;
  readonly why: string;
  /** There was nothing in it, or it is of another kind; else something is wrong with it. */
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
