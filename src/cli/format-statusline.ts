import { isRecord, type JsonRecord } from "../basics/json.ts";
import { formatDollars, shortCount } from "../basics/numbers.ts";
import type { LineFigures } from "../page/dashboard-data.ts";
import type { LossCause } from "../prefix/explain-loss.ts";

/** The proxy's reply. `none`: no proxy. `mute`: something answered, but without figures, or too late. */
export type ProxyReply = LineFigures | "none" | "mute";

/**
 * The text of Claude Code's status line. Must not throw, whatever the input.
 *
 *   Coppice: context 10.5K instead of 94.0K · saved today $1.84 · cache 97%
 *   Coppice: context 45.2K · saved today $1.84 · cache lost (pause)      if the proxy knows a reason, or has cut nothing
 *   Coppice: no proxy · context 45.2K · cache 97%                        from Claude Code's own figures
 *
 * @param input the parsed JSON that Claude Code wrote to standard input
 */
export function formatStatusline(input: unknown, reply: ProxyReply): string {
  const client = readClient(input);
  const figures = typeof reply === "string" ? undefined : reply;
  const parts = [
    reply === "none" ? "no proxy" : reply === "mute" ? "no answer from the proxy" : undefined,
    describeContext(figures?.session, client.context),
    figures && `saved today ${describeSaved(figures.saved)}`,
    describeCache(figures?.session, client),
  ];
  return `Coppice: ${parts.filter((part) => part !== undefined).join(" · ")}`;
}

/** The proxy's answer. `undefined` if another program sent it, or a version with other figures. */
export function readFigures(body: unknown): LineFigures | undefined {
  if (!isRecord(body) || body.name !== "coppice" || !isRecord(body.saved)) return undefined;
  const { saved, session } = body;
  const { raw, pruned, cached = 0, lost = "" } = isRecord(session) ? session : { raw: 0, pruned: 0 };
  const numbers = [saved.tokens, saved.dollars ?? 0, raw, pruned, cached];
  return numbers.every(Number.isFinite) && typeof lost === "string"
    ? (body as unknown as LineFigures)
    : undefined;
}

function describeContext(session: LineFigures["session"], context: number | undefined): string | undefined {
  if (!session) return context === undefined ? undefined : `context ${shortCount(context)}`;
  const [pruned, raw] = [shortCount(session.pruned), shortCount(session.raw)];
  return pruned === raw ? `context ${pruned}` : `context ${pruned} instead of ${raw}`;
}

function describeSaved({ tokens, dollars }: LineFigures["saved"]): string {
  if (dollars !== undefined) return formatDollars(Math.round(100 * dollars) / 100);
  return tokens === 0 ? "nothing" : `${shortCount(tokens)} tokens`;
}

function describeCache(session: LineFigures["session"], client: ClientFigures): string | undefined {
  if (client.isCold) return "cache expired";
  if (session?.lost !== undefined) return `cache lost (${CAUSES[session.lost] ?? "unknown"})`;
  const cached = session?.cached ?? client.cached;
  return cached === undefined ? undefined : `cache ${Math.round(100 * cached)}%`;
}

/** Short words, because a terminal cuts a long status line. */
const CAUSES: Readonly<Record<LossCause, string>> = {
  model: "model",
  time: "pause",
  tools: "tools",
  system: "system prompt",
  messages: "history",
  cut: "a cut",
  marks: "no cache mark",
  settings: "settings",
  headers: "headers",
  provider: "provider",
};

interface ClientFigures {
  /** Tokens of the newest request, as the provider counted them. */
  readonly context?: number;
  readonly cached?: number;
  /** The provider's cache has expired since then. */
  readonly isCold: boolean;
}

function readClient(input: unknown): ClientFigures {
  const isCold = at(at(input, "prompt_cache"), "warm") === false;
  const usage = at(at(input, "context_window"), "current_usage");
  if (!isRecord(usage)) return { isCold };
  const cached = countAt(usage, "cache_read_input_tokens");
  const context = cached + countAt(usage, "input_tokens") + countAt(usage, "cache_creation_input_tokens");
  return { isCold, context, ...(context > 0 && { cached: cached / context }) };
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function countAt(usage: JsonRecord, key: string): number {
  const count = usage[key];
  return typeof count === "number" && count >= 0 ? count : 0;
}
