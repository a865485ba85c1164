import { findNames, visitNames } from "../../facts/literals.ts";
import { checkNames, type IsProtectedFile, type NameCheck } from "../../redaction/check-names.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { SoleName } from "./needed-lines.ts";

/** The most tokens of the list of names. */
const MOST_NAMES_TOKENS = 300;

/** Tokens of the text around the names. */
const TOKENS_AROUND: number = estimateTokens("\n[also names ]");

/**
 * Adds the names in the omitted text to the shortened text, so that the agent knows what it could recall. Leaves
 * out secrets, and all names of a protected file.
 *
 *   ... [38 lines omitted] ...          ->  ... [38 lines omitted] ... | [also names src/pricing.ts, applyRate]
 *   [Pruned bash: npm test → ✓ success] ->  [Pruned bash: npm test → ✓ success; also names src/pricing.ts, applyRate]
 */
export function addNames(
  left: string,
  text: string,
  budgetTokens: number,
  isProtectedFile: IsProtectedFile,
): string {
  const room = Math.min(MOST_NAMES_TOKENS, budgetTokens) - TOKENS_AROUND;
  return appendNames(left, chooseNames(left, text, room, isProtectedFile));
}

/** Adds names to a shortened text. */
export function appendNames(left: string, names: readonly string[]): string {
  if (names.length === 0) return left;
  const also = `also names ${names.join(", ")}`;
  return left.startsWith("[Pruned ") && left.endsWith("]")
    ? `${left.slice(0, -1)}; ${also}]`
    : `${left}\n[${also}]`;
}

function chooseNames(
  left: string,
  text: string,
  budget: number,
  isProtectedFile: IsProtectedFile,
): readonly string[] {
  const names: string[] = [];
  let room = budget;
  if (room < SHORTEST_NAME_TOKENS) return names;
  const mayName = checkNames(text, isProtectedFile);
  // Most remaining names are found here; whether others are part of another word needs a search of the whole text.
  const shown = findNames(left);
  visitNames(text, (name, from) => {
    if (shown.has(name)) return false;
    const tokens = estimateTokens(name) + 1;
    if (tokens > room || names.some((other) => other.includes(name)) || left.includes(name)) return false;
    if (!mayName(from, from + name.length)) return false;
    room -= tokens;
    names.push(name);
    return room < SHORTEST_NAME_TOKENS;
  });
  return names;
}

/** No name is shorter than this, in tokens. */
const SHORTEST_NAME_TOKENS = 2;

/** The most tokens of a list of needed names. */
const MOST_NEEDED_TOKENS = 600;

/**
 * Splits omitted names, the most needed first: those that fit into a list of this many tokens, and the others.
 * Leaves out secrets, and all names of a protected file.
 */
export function splitNeeded(
  names: readonly SoleName[],
  budgetTokens: number,
  mayName: NameCheck,
): { readonly listed: readonly string[]; readonly rest: readonly SoleName[] } {
  const listed: string[] = [];
  let room = Math.min(MOST_NEEDED_TOKENS, budgetTokens) - TOKENS_AROUND;
  const rest = names.filter(({ name, from }) => {
    const tokens = estimateTokens(name) + 1;
    if (tokens > room || !mayName(from, from + name.length)) return true;
    room -= tokens;
    listed.push(name);
    return false;
  });
  return { listed, rest };
}
