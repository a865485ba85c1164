import type { Timing } from "../edits/cut-plan.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";
import type { PruneAction } from "./agent-settings.ts";
import { readAction } from "./prune-input.ts";

const PRUNE_TOOL = "context_prune";

/** A cut that an answer lists: its ref, its timing and, for a replace, its place. */
export interface NamedCut {
  readonly ref: Ref;
  readonly when: Timing;
  /** The ref of the part, and the stretch of its original text. */
  readonly at?: { readonly part: Ref; readonly from: number; readonly to: number };
}

/** A `context_prune` call that was carried out. */
export interface AnsweredCommand {
  readonly action: PruneAction;
  readonly input: unknown;
  /** The accepted cuts; `undefined` if the host has cleared the answer, so that only the call is known. */
  readonly named: readonly NamedCut[] | undefined;
}

/** Is it a call of our own `context_prune`? A server may have a tool of the same name. */
export function isPrune({ kind, name }: ToolUse): boolean {
  return kind === "context" && name === PRUNE_TOOL;
}

/** `Cut: a1b2c3, d4e5f6@9f8e7d:120-480 (later)`. The cuts are made when this line is read in the transcript. */
export function writeNamed(what: "Cut" | "Restored", named: readonly NamedCut[]): string {
  const items = named.map(({ ref, at, when }) => {
    const place = at ? `@${at.part}:${at.from}-${at.to}` : "";
    return `${ref}${place}${when === "later" ? " (later)" : ""}`;
  });
  return `${what}: ${items.join(", ")}`;
}

/** What a completed `context_prune` call requested, and what was accepted. The answer decides, not the call. */
export function readAnswered(facts: Facts, fact: CallFact): AnsweredCommand | undefined {
  const call = facts.transcript.part(fact.call);
  const result = facts.transcript.part(fact.result);
  if (!fact.ok || !isPrune(fact.use) || call.kind !== "call" || result.kind !== "result") return undefined;
  const action = readAction(call.input);
  if (!action) return undefined;
  const { input } = call;
  if (result.status === "cleared") return { action, input, named: undefined };
  const line = result.leaves
    .map(({ text }) => findAccepted(text) ?? unwrap(text).map(findAccepted).find(isFound))
    .find(isFound);
  return line === undefined ? undefined : { action, input, named: readNamed(line) };
}

const findAccepted = (text: string): string | undefined => ACCEPTED_LINE.exec(text)?.[1];
const isFound = (line: string | undefined): line is string => line !== undefined;

/**
 * The texts inside an answer that a client has wrapped in JSON. None of our lines looks like the start of JSON.
 *
 *   Output:
 *   {"content":[{"type":"text","text":"「 🗑️ discard ✓ 」…\nCut: a1b2c3"}]}
 */
function unwrap(text: string): readonly string[] {
  const start = /^[ \t]*[{[]/m.exec(text)?.index;
  if (start === undefined) return [];
  try {
    return collectTexts(JSON.parse(text.slice(start)));
  } catch {
    return [];
  }
}

function collectTexts(value: unknown): readonly string[] {
  const texts: string[] = [];
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null)
      for (const each of Object.values(next)) open.push(each);
  }
  return texts;
}

const ACCEPTED_LINE = /^(?:Cut|Restored): (.+)$/m;
const NAMED_CUT = /^([0-9a-f]{6})(?:@([0-9a-f]{6}):(\d+)-(\d+))?( \(later\))?$/;

function readNamed(line: string): readonly NamedCut[] {
  return line.split(", ").flatMap((item): readonly NamedCut[] => {
    const [, ref = "", part = "", from, to, later] = NAMED_CUT.exec(item) ?? [];
    if (!isRef(ref)) return [];
    const when: Timing = later === undefined ? "now" : "later";
    return isRef(part) ? [{ ref, when, at: { part, from: Number(from), to: Number(to) } }] : [{ ref, when }];
  });
}
