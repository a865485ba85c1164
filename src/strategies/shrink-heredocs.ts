import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { Leaf } from "../transcript/part.ts";
import type { Proposal, ProposedSpan } from "./strategy.ts";

/** Here-documents that come to less than this together stay. */
const LARGE = 100;

/** `<<EOF`, the rest of its line, the text, `EOF` on a line of its own. */
const HEREDOC = /<<-?[ \t]*(["']?)(\w+)\1[^\n]*\n([\s\S]*?)\n[ \t]*\2(?=[ \t]*(?:\n|$))/g;

/**
 * Empties the here-documents of a shell line: files that it wrote and scripts that it ran. What it did with them stays.
 *
 *   cat > a.py <<EOF | 80 lines | EOF   ->  cat > a.py <<EOF | EOF
 */
export function shrinkHeredocs(facts: Facts, { call, use }: CallFact, reason: string): Proposal | undefined {
  const part = facts.transcript.part(call);
  if (part.kind !== "call" || use.kind !== "shell") return undefined;
  const found = part.leaves.flatMap(listBodies).toSorted((a, b) => b.tokens - a.tokens);
  if (found.reduce((sum, { tokens }) => sum + tokens, 0) < LARGE) return undefined;
  const [main, ...others] = found.map(({ span }) => span);
  return main && { part: call, spans: [main, ...others], reason };
}

function listBodies({ id, text }: Leaf): readonly { readonly span: ProposedSpan; readonly tokens: number }[] {
  if (!text.includes("<<")) return [];
  return [...text.matchAll(HEREDOC)].flatMap((match) => {
    const { 0: whole, 3: body = "", index } = match;
    const before = text.slice(text.lastIndexOf("\n", index) + 1, index);
    if (/apply_?patch/.test(before) || body === "") return [];
    const from = index + whole.indexOf("\n") + 1;
    return [
      {
        span: { leaf: id, from, to: from + body.length + 1, render: () => "" },
        tokens: estimateTokens(body),
      },
    ];
  });
}
