import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { OpenCodeClient, Toast } from "./client.ts";

/** What Coppice asks of OpenCode. Nothing here throws or rejects: a service that fails gives an empty answer. */
export interface Host {
  toast(toast: Toast): void;
  log(level: "info" | "warn" | "error", message: string): void;
  /** All models that the user has, as OpenCode describes them. */
  listModels(): Promise<readonly JsonRecord[]>;
  /** Was the session started by another one? */
  isSubagent(session: string): Promise<boolean>;
  /** All stored messages, also those before a compaction. */
  listMessages(session: string): Promise<readonly unknown[]>;
}

export function connectHost(client: OpenCodeClient): Host {
  const send = (call: () => Promise<unknown>): void => {
    void attempt(call, undefined);
  };
  return {
    toast: (toast) => send(() => client.tui.showToast({ body: toast })),
    log: (level, message) => send(() => client.app.log({ body: { service: "coppice", level, message } })),
    listModels: () => attempt(async () => readModels((await client.config.providers()).data), []),
    isSubagent: (id) =>
      attempt(async () => hasParent((await client.session.get({ path: { id } })).data), false),
    listMessages: (id) =>
      attempt(async () => readList((await client.session.messages({ path: { id } })).data), []),
  };
}

async function attempt<T>(call: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await call();
  } catch {
    return otherwise;
  }
}

function readModels(data: unknown): readonly JsonRecord[] {
  const providers = isRecord(data) ? readList(data.providers) : [];
  return providers.flatMap((provider) =>
    isRecord(provider) && isRecord(provider.models) ? Object.values(provider.models).filter(isRecord) : [],
  );
}

export function hasParent(session: unknown): boolean {
  return isRecord(session) && typeof session.parentID === "string";
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
