import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readRecording } from "../../src/recordings/files.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { findFaults, read } from "./legality.ts";
import { mustRead } from "./parse.ts";

/**
 * Recorded sessions are next to the repository on a developer's machine, and are not part of it. Without them
 * nothing runs here.
 */
const folder = resolve("../shared/data/sessions");
const isThere = existsSync(join(folder, "INDEX.tsv"));
const rows = isThere ? readFileSync(join(folder, "INDEX.tsv"), "utf8").trim().split("\n").map(readRow) : [];
/** Their files do not record the time of a response. */
const timeless = ["swe-agent", "moatless"];
/** Where the index uses another name. */
const sources: Record<string, string> = { "openhands-completion": "openhands" };
const kinds = [
  ...[
    "claude-code",
    "cline-roo",
    "codex",
    "copilot-cli",
    "gemini-cli",
    "mini-swe-agent",
    "moatless",
    "opencode",
  ],
  ...["openhands-completion", "pi", "swe-agent", "tau2-bench", "trae-agent"],
];

interface Row {
  readonly file: string;
  readonly kind: string;
  readonly calls: number;
  readonly compactions: number;
  readonly usage: Sums;
}

interface Sums {
  readonly responses: number;
  readonly cacheRead: number;
  readonly input: number;
  readonly cacheWrite: number;
}

/** The fields of a line that this test counts itself, without the code under test. */
interface RawLine {
  readonly type?: string;
  readonly payload?: {
    readonly type?: string;
    readonly info?: { readonly total_token_usage: object; readonly last_token_usage: Record<string, number> };
  };
  readonly message?: {
    readonly id?: string;
    readonly model?: string;
    readonly stopReason?: string;
    readonly content: readonly {
      readonly type: string;
      readonly id?: string;
      readonly tool_use_id?: string;
    }[];
    readonly usage?: Record<string, number>;
  };
}

describe.skipIf(!isThere)("recorded sessions", () => {
  const recorded = rows.slice(1);

  it("exist, and include all kinds", () => {
    expect(new Set(recorded.map(({ kind }) => kind))).toEqual(new Set(kinds));
  });

  describe.each(recorded)("$file", (row) => {
    const path = join(folder, row.file);
    const left = countLeftOut(row, path);

    it("is read whole", async () => {
      const recording = mustRead(await readRecording(path));
      expect(recording.source).toBe(sources[row.kind] ?? row.kind);
      expect(recording.skipped).toBe(left.broken ?? 0);
      const issues = recording.issues.filter(({ severity }) => severity !== "info");
      expect(issues.filter(({ code }) => code === "broken-line")).toHaveLength(left.broken ?? 0);
      expect(issues.filter(({ code }) => code !== "broken-line").map(({ where }) => where)).toEqual(
        left.results ?? [],
      );
      expect(countCalls(recording)).toBe(row.calls - left.calls);
      expect(recording.segments.filter(({ carried }) => carried > 0)).toHaveLength(row.compactions);
      expect(sumUsage(recording)).toEqual({
        responses: row.usage.responses - left.usage.responses,
        cacheRead: row.usage.cacheRead - left.usage.cacheRead,
        input: row.usage.input - left.usage.input,
        cacheWrite: row.usage.cacheWrite - left.usage.cacheWrite,
      });
    });

    it("is legal", async () => {
      expect(findFaults(mustRead(await readRecording(path)))).toEqual([]);
    });

    it.skipIf(timeless.includes(row.kind))("has a time for every response, in order", async () => {
      for (const { messages, meta, carried } of mustRead(await readRecording(path)).segments) {
        const times = meta
          .filter(({ model }, index) => index >= carried && model !== undefined)
          .map(({ time }) => time ?? 0);
        expect(messages.length).toBeGreaterThan(0);
        expect(times).not.toContain(0);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }
    });
  });
});

function readRow(line: string): Row {
  const cells = line.split("\t");
  const number = (at: number) => Number(cells[at]);
  const [file = "", kind = ""] = cells;
  const usage = { responses: number(10), cacheRead: number(11), input: number(12), cacheWrite: number(13) };
  return { file, kind, calls: number(5), compactions: number(9), usage };
}

interface LeftOut {
  readonly calls: number;
  readonly usage: Sums;
  /** Lines that can't be read. */
  readonly broken?: number;
  /** Ids of results whose calls are not in the file. */
  readonly results?: readonly string[];
}

/**
 * Entries that the index counts and a recording leaves out: in Codex, searches run by the provider and repeated
 * token counts; in pi, aborted responses. See `countLeftOutOf` for the files that are one document.
 */
function countLeftOut(row: Row, path: string): LeftOut {
  const document = countLeftOutOf[row.kind]?.(row, path);
  if (document) return document;
  const left = { calls: 0, usage: { responses: 0, cacheRead: 0, input: 0, cacheWrite: 0 } };
  const add = (responses: number, cacheRead = 0, input = 0, cacheWrite = 0) => {
    left.usage.responses += responses;
    left.usage.cacheRead += cacheRead;
    left.usage.input += input;
    left.usage.cacheWrite += cacheWrite;
  };
  let lastTotal = "";
  for (const { payload, message } of row.kind === "codex" || row.kind === "pi" ? readRawLines(path) : []) {
    if (payload?.type === "web_search_call") left.calls++;
    if (payload?.type === "token_count" && payload.info) {
      const { total_token_usage, last_token_usage: last } = payload.info;
      const total = JSON.stringify(total_token_usage);
      const cached = last.cached_input_tokens ?? 0;
      if (total === lastTotal) add(1, cached, (last.input_tokens ?? 0) - cached);
      lastTotal = total;
    }
    if (message?.stopReason === "aborted" || message?.stopReason === "error") {
      left.calls += message.content.filter(({ type }) => type === "toolCall").length;
      const { totalTokens = 0, cacheRead, input, cacheWrite } = message.usage ?? {};
      add(totalTokens > 0 ? 1 : 0, cacheRead, input, cacheWrite);
    }
  }
  return left;
}

/** The fields of a document that this test counts itself. */
interface RawDocument {
  readonly history: readonly { readonly tool_calls?: readonly unknown[] | null }[];
  readonly response: { readonly usage: { readonly cache_creation_input_tokens?: number } };
  readonly llm_interactions: readonly {
    readonly response: { readonly tool_calls: readonly unknown[] | null };
  }[];
  readonly agent_steps: readonly { readonly tool_calls: readonly unknown[] | null }[];
  readonly nodes: readonly {
    readonly parent_id: number | null;
    readonly completions: { readonly build_action?: { readonly response: RawResponse } };
  }[];
}

interface RawResponse {
  readonly usage: Record<string, number>;
}

const nothing: Sums = { responses: 0, cacheRead: 0, input: 0, cacheWrite: 0 };

const countLeftOutOf: Record<string, (row: Row, path: string) => LeftOut> = {
  /**
   * For some sessions, the index counts messages that the host wrote itself, without usage, as responses. A session
   * may have been cut from a longer one, directly before a result. Where e-mail addresses were masked, the mask
   * included the letter of an escape (`\\tgit@…` became `\\someone@…`), so that the line is not JSON.
   */
  "claude-code": ({ usage }, path) => {
    const texts = gunzipSync(readFileSync(path)).toString("utf8").split("\n");
    const masked = texts.filter((line) => /(?<!\\)(?:\\\\)*\\someone@/.test(line));
    const lines = readRawLines(path);
    const idsOf = (isWanted: (line: RawLine) => boolean) =>
      new Set(lines.flatMap((line) => (line.message?.usage && isWanted(line) ? [line.message.id] : []))).size;
    const responses = idsOf(({ message }) => message?.model !== "<synthetic>");
    const made = idsOf(({ message }) => message?.model === "<synthetic>");
    expect([responses, responses + made]).toContain(usage.responses);
    const blocks = lines.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []));
    const calls = new Set(blocks.map(({ id }) => id));
    const results = blocks.flatMap(({ tool_use_id: id }) => (id === undefined || calls.has(id) ? [] : [id]));
    const left = { ...nothing, responses: usage.responses - responses };
    return { calls: 0, usage: left, broken: masked.length, results };
  },
  /** The agent calls its tools in XML, which is text to the API. */
  "cline-roo": ({ calls, usage }) => ({ calls, usage }),
  /**
   * The index counts steps; one may have been made in text, or not be in the history. The file contains only a
   * total of usage.
   */
  "swe-agent": ({ calls, usage }, path) => {
    const { history } = readRawDocument(path);
    const recorded = history.reduce((sum, { tool_calls }) => sum + (tool_calls?.length ?? 0), 0);
    return { calls: calls - recorded, usage };
  },
  /** The index counts writes to the cache as plain input. */
  "openhands-completion": (_, path) => {
    const written = readRawDocument(path).response.usage.cache_creation_input_tokens ?? 0;
    return { calls: 0, usage: { ...nothing, input: written, cacheWrite: -written } };
  },
  /** The index counts only calls that trae-agent carried out. */
  "trae-agent": ({ calls }, path) => {
    const { llm_interactions: all, agent_steps: steps } = readRawDocument(path);
    const asked = all.reduce((sum, { response }) => sum + (response.tool_calls?.length ?? 0), 0);
    expect(steps.reduce((sum, { tool_calls }) => sum + (tool_calls?.length ?? 0), 0)).toBe(calls);
    return { calls: calls - asked, usage: nothing };
  },
  /**
   * The index counts all attempts from the root, and the requests that actions made; the recording is the last
   * attempt.
   */
  moatless: ({ calls, usage }, path) => {
    const { nodes } = readRawDocument(path);
    const start = nodes.findLastIndex((node) => node.parent_id === 0);
    const onPath = nodes.slice(start).flatMap(({ completions }) => completions.build_action ?? []);
    const sum = (field: string) =>
      onPath.reduce((all, { response }) => all + (response.usage[field] ?? 0), 0);
    const sums = {
      responses: usage.responses - onPath.length,
      cacheRead: usage.cacheRead - sum("cache_read_input_tokens"),
      input: usage.input - sum("input_tokens"),
      cacheWrite: usage.cacheWrite - sum("cache_creation_input_tokens"),
    };
    return { calls: calls - onPath.length, usage: sums };
  },
};

function readRawDocument(path: string): RawDocument {
  return JSON.parse(gunzipSync(readFileSync(path)).toString("utf8"));
}

function readRawLines(path: string): readonly RawLine[] {
  const text = gunzipSync(readFileSync(path)).toString("utf8").trim();
  return text
    .replaceAll('}{"type":', '}\n{"type":')
    .replaceAll(/(?<!\\)((?:\\\\)*\\)someone@/g, "$1tsomeone@")
    .split("\n")
    .map((line): RawLine => JSON.parse(line));
}

function countCalls({ segments }: Recording): number {
  const fresh = segments.flatMap((segment) => read(segment).slice(segment.carried));
  const blocks = fresh.flatMap(({ content, parts }) => (Array.isArray(content) ? content : (parts ?? [])));
  const inBlocks = blocks.filter(({ type }) => type === "tool_use" || type === "tool").length;
  return fresh.reduce((sum, { tool_calls }) => sum + (tool_calls?.length ?? 0), inBlocks);
}

/**
 * Copilot CLI records output and not input: the index counts no usage there. For Claude Code, it also counts
 * answers that were abandoned or broken off.
 */
function sumUsage({ source, segments, asides }: Recording): Sums {
  const usages = [...segments.flatMap(({ meta }) => meta), ...(source === "claude-code" ? asides : [])]
    .flatMap(({ usage }) => usage ?? [])
    .filter(
      ({ input, cacheRead, cacheWrite }) => source !== "copilot-cli" || input + cacheRead + cacheWrite > 0,
    );
  const sum = (field: "cacheRead" | "input" | "cacheWrite") =>
    usages.reduce((all, usage) => all + usage[field], 0);
  return {
    responses: usages.length,
    cacheRead: sum("cacheRead"),
    input: sum("input"),
    cacheWrite: sum("cacheWrite"),
  };
}
