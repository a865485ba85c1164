import { formatByName } from "../formats/detect.ts";
import { joinResponses } from "../formats/intake/decode.ts";
import { listCalled } from "../recordings/called-tools.ts";
import type { Recording, RecordingSource } from "../recordings/recording.ts";
import { listRequests } from "../replay/requests.ts";
import type { Usage } from "../transcript/message.ts";

/** The tools that a session called, and its number of requests. Plain data. */
export interface SessionUse {
  readonly source: RecordingSource;
  /** The folder that the agent worked in, if recorded. */
  readonly project?: string;
  /** The time of its newest request, in milliseconds since 1970. */
  readonly end?: number;
  readonly tools: readonly CalledTool[];
  readonly requests: readonly RequestCount[];
}

export interface CalledTool {
  readonly name: string;
  readonly calls: number;
  /** When it was last called, in milliseconds since 1970. */
  readonly last?: number;
}

/** Requests of one day (in UTC, days since 1970) to one model. */
export interface RequestCount {
  readonly day?: number;
  readonly model?: string;
  /** Requests that found the prefix in the cache, and those that had to write it. */
  readonly warm: number;
  readonly cold: number;
  /** Requests without recorded usage: the first of a conversation is assumed cold, the others warm. */
  readonly assumedCount: number;
}

const DAY = 86_400_000;

/** @param subagents their calls count too, because tools are left out for them as well */
export function measureUse(recording: Recording, subagents: readonly Recording[] = []): SessionUse {
  const tools = new Map<string, { calls: number; last: number | undefined }>();
  const counts = new Map<string, { -readonly [K in keyof RequestCount]: RequestCount[K] }>();
  let end: number | undefined;
  const { source, project } = recording;
  for (const each of [recording, ...subagents]) {
    const { decode } = formatByName(each.format);
    for (const segment of each.segments) {
      const decoded = joinResponses(segment.messages.map((message) => decode(message)));
      for (const [i, { parts, time: own }] of decoded.entries()) {
        const time = segment.meta[i]?.time ?? own;
        for (const name of parts.flatMap(listCalled)) {
          const tool = tools.get(name) ?? { calls: 0, last: undefined };
          tools.set(name, tool);
          tool.calls++;
          tool.last = later(tool.last, time);
        }
      }
      if (each !== recording) continue;
      const requests = listRequests(segment, decoded);
      const prefix = sum(segment.meta[requests[0]?.end ?? -1]?.usage);
      for (const [i, { end: at, model, time }] of requests.entries()) {
        end = later(end, time);
        const usage = segment.meta[at]?.usage;
        const isKnown = usage !== undefined && prefix > 0;
        const isWarm = isKnown ? usage.cacheRead >= MOSTLY * prefix : i > 0;
        const day = time === undefined ? undefined : Math.floor(time / DAY);
        const key = JSON.stringify([day, model]);
        const count = counts.get(key) ?? {
          ...(day !== undefined && { day }),
          ...(model !== undefined && { model }),
          ...{ warm: 0, cold: 0, assumedCount: 0 },
        };
        counts.set(key, count);
        count[isWarm ? "warm" : "cold"]++;
        if (!isKnown) count.assumedCount++;
      }
    }
  }
  return {
    source,
    ...(project !== undefined && { project }),
    ...(end !== undefined && { end }),
    tools: [...tools].map(([name, { calls, last }]) => ({
      name,
      calls,
      ...(last !== undefined && { last }),
    })),
    requests: [...counts.values()],
  };
}

/** At least this share of the first request's input is its prefix; the rest is the prompt. */
const MOSTLY = 0.8;

function sum(usage: Usage | undefined): number {
  return usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}
