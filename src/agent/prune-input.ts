import { isRecord } from "../basics/json.ts";
import type { PruneAction } from "./agent-settings.ts";
import { readRef } from "./long-ref.ts";

/** Replaces the text from `start` through `end`, both included. They are literal texts. */
export interface ReplaceOperation {
  readonly start: string;
  readonly end: string;
  readonly replacement: string;
}

/**
 * One target of `context_prune`: a ref (discard, restore), a ref and a summary (distill), or a stretch of text and its
 * replacement (replace), as a list or as an object.
 */
export type ContextTarget =
  | readonly [ref: string]
  | readonly [ref: string, summary: string]
  | readonly [start: string, end: string, replacement: string]
  | ReplaceOperation;

/** A target that names a part or a cut. */
export interface PartTarget {
  readonly ref: string;
  readonly summary: string | undefined;
}

const ACTIONS: readonly PruneAction[] = ["discard", "distill", "replace", "restore"];

export function readAction(input: unknown): PruneAction | undefined {
  const action = isRecord(input) ? input.action : undefined;
  return ACTIONS.find((known) => known === action);
}

/** The targets of the input. Some models send the list as a JSON text. */
export function listTargets(input: unknown): readonly unknown[] {
  const targets = isRecord(input) ? input.targets : undefined;
  const read = typeof targets === "string" ? parseList(targets) : targets;
  return Array.isArray(read) ? read : [];
}

/** `[ref]`, `[ref, summary]`, or a bare ref. */
export function readPartTarget(target: unknown): PartTarget | undefined {
  if (typeof target === "string") return { ref: readRef(target).ref, summary: undefined };
  if (!Array.isArray(target) || typeof target[0] !== "string") return undefined;
  return { ref: readRef(target[0]).ref, summary: typeof target[1] === "string" ? target[1] : undefined };
}

/** `[start, end, replacement]` or `{ start, end, replacement }`. */
export function readOperation(target: unknown): ReplaceOperation | undefined {
  const fields = Array.isArray(target)
    ? { start: target[0], end: target[1], replacement: target[2] }
    : isRecord(target)
      ? target
      : {};
  const { start, end, replacement } = fields;
  if (typeof start !== "string" || typeof end !== "string" || typeof replacement !== "string")
    return undefined;
  return start === "" || end === "" ? undefined : { start, end, replacement };
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [text];
  }
}

/** In characters. A shorter match is not worth a cut. */
export const MINIMUM_MATCH = 30;

/** In characters. The agent's start or end must be longer: shorter patterns match by chance. */
export const MINIMUM_PATTERN = 15;
