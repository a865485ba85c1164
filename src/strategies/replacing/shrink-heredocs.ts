import { MOST_SPANS, type PlannedSpan, type ReplacePlan } from "../../edits/cut-plan.ts";
import type { CallFact } from "../../facts/calls.ts";
import type { Facts } from "../../facts/facts.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { Leaf } from "../../transcript/part.ts";

/** In tokens. Here-documents stay if together they have fewer. */
const LARGE_HEREDOCS = 100;

const OMITTED_BODY = "…\n";

/** `<<EOF`, `<<-'EOF'`; the first, if one line has several. */
const HEREDOC_START = /<<-?[ \t]*(["']?)(\w+)\1/;

/**
 * Replaces the here-documents of a shell command (files that it wrote, scripts that it ran) with `…`, because no
 * text at all would look like an empty file. The rest of the command stays.
 *
 *   cat > a.py <<EOF | 80 lines | EOF   ->  cat > a.py <<EOF | … | EOF
 */
export function shrinkHeredocs(
  facts: Facts,
  { call, use }: CallFact,
  reason: string,
  least: number = LARGE_HEREDOCS,
): ReplacePlan | undefined {
  const part = facts.transcript.part(call);
  if (part.kind !== "call" || use.kind !== "shell") return undefined;
  const found = part.leaves.flatMap(listBodies).toSorted((a, b) => b.tokens - a.tokens);
  if (found.reduce((sum, { tokens }) => sum + tokens, 0) < least) return undefined;
  const [main, ...others] = found.slice(0, MOST_SPANS).map(({ span }) => span);
  return main && { part: call, spans: [main, ...others], reason };
}

interface Body {
  readonly span: PlannedSpan;
  readonly tokens: number;
}

/** The here-documents of a text. Each ends with a line that contains only its word. */
function listBodies({ id, text }: Leaf): readonly Body[] {
  if (!text.includes("<<")) return [];
  const lines = text.split("\n");
  const ends = findWords(lines);
  const bodies: Body[] = [];
  let offset = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    offset += line.length + 1;
    const start = HEREDOC_START.exec(line) ?? undefined;
    const end = start && findNext(ends.get(start[2] ?? ""), i);
    if (end === undefined || /apply_?patch/.test(line.slice(0, start?.index))) continue;
    const body = lines.slice(i + 1, end).join("\n");
    const span = { leaf: id, from: offset, to: offset + body.length + 1, render: () => OMITTED_BODY };
    if (body !== "") bodies.push({ span, tokens: estimateTokens(body) });
    for (; i < end; i++) offset += (lines[i + 1] ?? "").length + 1;
  }
  return bodies;
}

/** The first of `later` after `line`. Removes those before it: callers only go forward. */
function findNext(later: number[] | undefined, line: number): number | undefined {
  while (later && (later.at(-1) ?? line + 1) <= line) later.pop();
  return later?.at(-1);
}

/** By word, the lines that contain only that word, the last one first. */
function findWords(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const words = new Map<string, number[]>();
  for (let i = lines.length - 1; i >= 0; i--) {
    const word = (lines[i] ?? "").trim();
    if (!/^\w+$/.test(word)) continue;
    const known = words.get(word);
    if (known) known.push(i);
    else words.set(word, [i]);
  }
  return words;
}
