import type { Issue } from "../basics/issue.ts";
import { formatByName } from "../formats/detect.ts";
import type { Format, FormatName } from "../formats/format.ts";
import type { ResultPart } from "../transcript/part.ts";
import type { ReplayPolicy } from "./replay-policy.ts";
import { MessageReader } from "./sent-view.ts";
import { sum } from "./sum.ts";

/** Replaces a result that a peer clears. Results that are not longer than this stay. */
const MARKER = "[an old tool result was cleared]";

/** At every request, only the last `count` results are sent unchanged. */
export function keepLastResults(count: number): ReplayPolicy {
  return {
    name: `keep last ${count} results`,
    start: ({ format }) => {
      const mask = new ResultMask(formatByName(format));
      return (messages) => mask.apply(messages, mask.countResults(messages) - count);
    },
  };
}

/**
 * The rule of Anthropic's `clear_tool_uses` as documented, with its defaults. The client sends the whole history,
 * so each request above the trigger is cleared again, except the last results.
 */
export function clearToolUses(
  options: { readonly trigger?: number; readonly keep?: number } = {},
): ReplayPolicy {
  const { trigger = 100_000, keep = 3 } = options;
  return {
    name: `clear_tool_uses (${trigger / 1000}k, ${keep})`,
    start: (recording) => {
      const format = formatByName(recording.format);
      const mask = new ResultMask(format);
      const reader = new MessageReader(format);
      return (messages) => {
        const total = recording.prefixTokens + sum(messages.map((message) => reader.read(message).tokens));
        return total <= trigger ? messages : mask.apply(messages, mask.countResults(messages) - keep);
      };
    },
  };
}

/**
 * When a request exceeds the threshold, all results but the last ones are cleared, and stay cleared. More are
 * cleared when a request exceeds the threshold again.
 */
export function clearAtThreshold(options: { readonly tokens: number; readonly keep: number }): ReplayPolicy {
  const { tokens, keep } = options;
  return {
    name: `all but ${keep} at ${tokens / 1000}k`,
    start: (recording) => {
      const format = formatByName(recording.format);
      const mask = new ResultMask(format);
      const reader = new MessageReader(format);
      let cleared = { segment: 0, results: 0 };
      return (messages, { segment }) => {
        if (cleared.segment !== segment) cleared = { segment, results: 0 };
        const view = mask.apply(messages, cleared.results);
        const total = recording.prefixTokens + sum(view.map((message) => reader.read(message).tokens));
        if (total <= tokens) return view;
        cleared = { segment, results: mask.countResults(messages) - keep };
        return mask.apply(messages, cleared.results);
      };
    },
  };
}

/** Rewrites a list of messages; the format is that of the recording. */
export type RewriteMessages = (messages: readonly unknown[], format: FormatName) => readonly unknown[];

/**
 * Any function over messages, called when a request exceeds the threshold. Later requests build on its result. If
 * the result is still above the threshold, the function is called again after the request has grown by a tenth. If
 * it throws, the messages stay the same and the replay gets an issue.
 */
export function rewriteAtThreshold(name: string, tokens: number, rewrite: RewriteMessages): ReplayPolicy {
  return {
    name,
    start: ({ format, prefixTokens }) => {
      const reader = new MessageReader(formatByName(format));
      const count = (view: readonly unknown[]): number =>
        prefixTokens + sum(view.map((message) => reader.read(message).tokens));
      let made: Made = { segment: 0, seen: 0, view: [], limit: tokens };
      const tryRewrite = (view: readonly unknown[], report: (issue: Issue) => void): readonly unknown[] => {
        try {
          return rewrite(view, format);
        } catch (error) {
          const message = `${name}: ${error instanceof Error ? error.message : String(error)}`;
          report({ code: "strategy-failed", message, severity: "error" });
          return view;
        }
      };
      return (messages, { segment, report }) => {
        const before = made.segment === segment ? made : { seen: 0, view: [], limit: tokens };
        const view = [...before.view, ...messages.slice(before.seen)];
        const seen = messages.length;
        if (count(view) <= before.limit) made = { segment, seen, view, limit: before.limit };
        else {
          const rewritten = tryRewrite(view, report);
          made = { segment, seen, view: rewritten, limit: Math.max(tokens, count(rewritten) * 1.1) };
        }
        return made.view;
      };
    },
  };
}

interface Made {
  readonly segment: number;
  /** The number of history messages that `view` was made from. */
  readonly seen: number;
  readonly view: readonly unknown[];
  /** It is rewritten again above this number of tokens. */
  readonly limit: number;
}

/** Replaces results with the marker. A message that is masked in the same way again is the same object. */
class ResultMask {
  readonly #format: Format;
  readonly #results = new Map<unknown, readonly ResultPart[]>();
  readonly #masked = new Map<unknown, { readonly count: number; readonly message: unknown }>();

  constructor(format: Format) {
    this.#format = format;
  }

  countResults(messages: readonly unknown[]): number {
    return sum(messages.map((message) => this.#resultsOf(message).length));
  }

  /** The messages with their first `count` results masked. */
  apply(messages: readonly unknown[], count: number): readonly unknown[] {
    let left = Math.max(0, count);
    return messages.map((message) => {
      const own = Math.min(left, this.#resultsOf(message).length);
      left -= own;
      return own === 0 ? message : this.#mask(message, own);
    });
  }

  #resultsOf(message: unknown): readonly ResultPart[] {
    let results = this.#results.get(message);
    if (!results) {
      results = this.#format.decode(message).parts.filter((part) => part.kind === "result");
      this.#results.set(message, results);
    }
    return results;
  }

  #mask(message: unknown, count: number): unknown {
    const known = this.#masked.get(message);
    if (known?.count === count) return known.message;
    const leaves = new Map<string, ReadonlyMap<string, string>>();
    for (const part of this.#resultsOf(message).slice(0, count)) {
      if (sum(part.leaves.map(({ text }) => text.length)) <= MARKER.length) continue;
      leaves.set(part.slot, new Map(part.leaves.map(({ id }, i) => [id, i === 0 ? MARKER : ""])));
    }
    const masked =
      leaves.size === 0 ? message : this.#format.rewrite(message, { leaves, dropped: new Set() });
    this.#masked.set(message, { count, message: masked });
    return masked;
  }
}
