import { MOST_SPANS, type ProposedSpan, type ReplaceProposal } from "../../edits/proposal.ts";
import type { CallFact } from "../../facts/calls.ts";
import type { Facts } from "../../facts/facts.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { Leaf } from "../../transcript/part.ts";

/** Here-documents that come to less than this together stay. */
const LARGE = 100;

const LEFT_OUT = "…\n";

/** `<<EOF`, `<<-'EOF'`; of several in one line the first. */
const START = /<<-?[ \t]*(["']?)(\w+)\1/;

/**
 * Empties the here-documents of a shell line: files that it wrote and scripts that it ran. What it did with them stays,
 * and a sign that there was something: an empty one would read as an empty file.
 *
 *   cat > a.py <<EOF | 80 lines | EOF   ->  cat > a.py <<EOF | … | EOF
 */
export function shrinkHeredocs(
  facts: Facts,
  { call, use }: CallFact,
  reason: string,
): ReplaceProposal | undefined {
  const part = facts.transcript.part(call);
  if (part.kind !== "call" || use.kind !== "shell") return undefined;
  const found = part.leaves.flatMap(listBodies).toSorted((a, b) => b.tokens - a.tokens);
  if (found.reduce((sum, { tokens }) => sum + tokens, 0) < LARGE) return undefined;
  const [main, ...others] = found.slice(0, MOST_SPANS).map(({ span }) => span);
  return main && { part: call, spans: [main, ...others], reason };
}

interface Body {
  readonly span: ProposedSpan;
  readonly tokens: number;
}

/** A here-document ends with the line that is nothing but its word. */
function listBodies({ id, text }: Leaf): readonly Body[] {
  if (!text.includes("<<")) return [];
  const lines = text.split("\n");
  const ends = findWords(lines);
  const bodies: Body[] = [];
  let offset = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    offset += line.length + 1;
    const start = START.exec(line) ?? undefined;
    const end = start && findNext(ends.get(start[2] ?? ""), i);
    if (end === undefined || /apply_?patch/.test(line.slice(0, start?.index))) continue;
    const body = lines.slice(i + 1, end).join("\n");
    const span = { leaf: id, from: offset, to: offset + body.length + 1, render: () => LEFT_OUT };
    if (body !== "") bodies.push({ span, tokens: estimateTokens(body) });
    for (; i < end; i++) offset += (lines[i + 1] ?? "").length + 1;
  }
  return bodies;
}

/** The first of them behind `line`. Those before it are let go: who asks goes forward only. */
function findNext(later: number[] | undefined, line: number): number | undefined {
  while (later && (later.at(-1) ?? line + 1) <= line) later.pop();
  return later?.at(-1);
}

/** The lines that are a single word, by that word, the last one first. */
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
