import type { PartialConfig } from "../../../config/config.ts";
import { mergeLevels } from "../../../config/merge.ts";
import type { FormatName } from "../../../formats/format.ts";
import { profileFor } from "../../../models/profile-for.ts";
import type { ReportDataOptions } from "../../../page/report-data.ts";
import {
  makeRecording,
  type Recording,
  type RecordingSource,
  type Segment,
} from "../../../recordings/recording.ts";
import type { MessageMeta } from "../../../transcript/message.ts";
import type { KeptRequest } from "./live-request.ts";
import type { SessionState } from "./live-session.ts";
import type { OpenableSession } from "./live-sessions.ts";
import type { HeldText } from "./session-texts.ts";

const SOURCES: Readonly<Record<string, RecordingSource>> = {
  "claude-code": "claude-code",
  codex: "codex",
  copilot: "copilot-cli",
  "gemini-cli": "gemini-cli",
  opencode: "opencode",
  pi: "pi",
};

/** Used if the client did not send its own, in tokens. */
const USUAL_PREFIX = 8_000;

/** The terms for the report of a session in memory: those of its newest request, for all requests. */
export function findTerms(
  { requests, cuts }: SessionState,
  settings: PartialConfig,
): Pick<ReportDataOptions, "config" | "prefixTokens" | "agentTools" | "showsRefs" | "isPruned"> {
  const { prefixTokens, overheadTokens = 0, ttl, model } = requests.at(-1)?.terms ?? {};
  const { prices } = mergeLevels([{ name: "options", config: settings }]).config.schedule;
  const { cache, longCache } = profileFor(model, prices);
  // A client that asks for it gets a cache that lasts longer and costs more: other prices for the replay.
  const isLong = longCache !== undefined && ttl !== undefined && ttl > cache.ttl && model !== undefined;
  const long = isLong ? { [model]: { ...prices[model], ...longCache } } : {};
  return {
    config: { ...settings, schedule: { ...settings.schedule, prices: { ...prices, ...long } } },
    // The usage of a live session belongs to pruned requests: it does not show their size without pruning.
    prefixTokens: prefixTokens ?? USUAL_PREFIX,
    ...(overheadTokens > 0 && { agentTools: { overheadTokens } }),
    showsRefs: overheadTokens > 0,
    isPruned: cuts > 0,
  };
}

/** Converts a session in memory to a recording: its messages, with the times and usage of its requests. */
export function recordLive({ state, texts }: OpenableSession): Recording {
  const formats = [...texts.values()].map(({ format }) => format);
  // If the session changed providers, its messages have several formats: one report shows the newest.
  const format = formats.at(-1) ?? "openai-chat";
  const shown = state.segments.filter(({ root }) => texts.get(root)?.format === format);
  const recording = makeRecording({
    source: SOURCES[state.client ?? ""] ?? "messages",
    format,
    session: state.id,
    project: state.folder,
    segments: shown.map(({ root, first }, i) => {
      const held = texts.get(root) as HeldText;
      const requests = listGrowing(state, root, held.messages.length);
      const segment = makeSegment(held, requests, i === 0 ? 0 : first);
      return i > 0 && isBeside(state, root) ? { ...segment, separate: true } : segment;
    }),
    issues: [],
    skipped: 0,
  });
  return { ...recording, mayMark: state.requests.at(-1)?.terms.mayMark === true };
}

/**
 * After a compaction, the earlier conversation gets no more requests. If it does, the new one is separate, such as
 * a subagent's.
 */
function isBeside({ requests }: SessionState, root: string): boolean {
  const began = requests.findIndex((kept) => kept.root === root);
  const before = new Set(requests.slice(0, Math.max(0, began)).map((kept) => kept.root));
  return began >= 0 && requests.slice(began).some((kept) => before.has(kept.root));
}

/** The requests that lead to the messages in memory. After the client went back, abandoned requests are left out. */
function listGrowing({ requests }: SessionState, root: string, end: number): readonly KeptRequest[] {
  const growing: KeptRequest[] = [];
  let next = end + 1;
  for (const kept of requests.toReversed()) {
    if (kept.root !== root || kept.shown.state === "failed" || kept.messages >= next) continue;
    growing.push(kept);
    next = kept.messages;
  }
  return growing.reverse();
}

function makeSegment(held: HeldText, requests: readonly KeptRequest[], carried: number): Segment {
  const meta: MessageMeta[] = [];
  for (const { messages, shown, answer, terms } of requests) {
    // Nothing else is known of a conversation that began before the proxy started.
    const guess = meta.length === 0 && terms.model !== undefined ? { model: terms.model } : {};
    while (meta.length < messages) meta.push({ time: shown.time, ...guess });
    meta.push({
      time: answer?.time ?? shown.time,
      ...(answer?.usage && { usage: answer.usage }),
      ...(answer?.model !== undefined && { model: answer.model }),
    });
  }
  const messages = [...held.messages, answerToCome(held.format)];
  const last = requests.at(-1)?.shown.time;
  while (meta.length < messages.length) meta.push(last === undefined ? {} : { time: last });
  return { messages, meta, carried: Math.min(carried, held.messages.length) };
}

const TO_COME = "[The next request contains this answer. Coppice knows it only then.]";

/** Stands for the newest answer, so that the newest request appears as complete. */
function answerToCome(format: FormatName): unknown {
  switch (format) {
    case "gemini":
      return { role: "model", parts: [{ text: TO_COME }] };
    case "openai-responses":
      return { type: "message", role: "assistant", content: [{ type: "output_text", text: TO_COME }] };
    default:
      return { role: "assistant", content: [{ type: "text", text: TO_COME }] };
  }
}
