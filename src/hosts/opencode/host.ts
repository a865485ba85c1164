import { isRecord, type JsonRecord } from "../../basics/json.ts";
import type { AgentHost } from "../plugin/agent-host.ts";
import { attempt } from "../plugin/attempt.ts";
import type { OpenCodeClient } from "./client.ts";
import { describeModel } from "./host-models.ts";
import { listSegments } from "./list-segments.ts";
import { findCompaction, readConversation } from "./messages.ts";

export interface OpenCodeHost extends AgentHost {
  /** OpenCode reported a new session, so that Coppice need not look it up. */
  noteCreated(session: JsonRecord): void;
}

export function connectHost(client: OpenCodeClient): OpenCodeHost {
  const subagents = new Map<unknown, boolean>();
  const send = (call: () => Promise<unknown>): void => {
    void attempt(call, undefined);
  };
  return {
    format: "opencode",
    notify(message, severity) {
      if (severity === "info")
        return send(() => client.tui.showToast({ body: { message, variant: severity, duration: 4_000 } }));
      const level = severity === "error" ? "error" : "warn";
      send(() => client.app.log({ body: { service: "coppice", level, message } }));
      const body = { title: "Coppice", message, variant: severity, duration: 8_000 };
      send(() => client.tui.showToast({ body }));
    },
    noteCreated: (session) => subagents.set(session.id, hasParent(session)),
    listModels: () => attempt(async () => readModels((await client.config.providers()).data), []),
    isSubagent: async (id) =>
      subagents.get(id) ??
      attempt(async () => hasParent((await client.session.get({ path: { id } })).data), false),
    listSegments: (id) =>
      attempt(async () => listSegments(readList((await client.session.messages({ path: { id } })).data)), []),
    modelOf: (messages) => readConversation(messages)?.model,
    findCompaction,
  };
}

function readModels(data: unknown): Awaited<ReturnType<AgentHost["listModels"]>> {
  const providers = isRecord(data) ? readList(data.providers) : [];
  return providers
    .flatMap((provider) =>
      isRecord(provider) && isRecord(provider.models) ? Object.values(provider.models) : [],
    )
    .flatMap((model) =>
      isRecord(model) && typeof model.id === "string" ? [[model.id, describeModel(model)] as const] : [],
    );
}

function hasParent(session: unknown): boolean {
  return isRecord(session) && typeof session.parentID === "string";
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
