import { type ReplaceOperation, readOperation } from "../agent/prune-input.ts";
import type { Result } from "../basics/issue.ts";
import { showValue } from "../basics/show-value.ts";
import { AGENT } from "../edits/authors.ts";
import type { CutPlan } from "../edits/cut-plan.ts";
import type { Pruned } from "../edits/inverse.ts";
import type { LedgerEntry } from "../edits/ledger.ts";
import { MessageBench } from "../edits/message-bench.ts";
import type { FormatChoice } from "../formats/format.ts";
import type { ReasoningRule } from "../models/profile.ts";
import { PROTECTED_FILES, PROTECTED_TOOLS } from "../protection/defaults.ts";
import { createProtection, type ProtectionRules } from "../protection/protection.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import { listReplaceable } from "./find-matches.ts";
import { findReplacements, type ReplaceSource } from "./find-replacements.ts";

export interface ReplaceOptions {
  /** For messages whose format can't be detected. */
  readonly format?: FormatChoice;
  /**
   * The start or end of each operation must be longer than this, in characters. Default 0; the agent's tool uses
   * 15.
   */
  readonly minimumPattern?: number;
  /** Protected text, instead of the built-in lists of tools and files. */
  readonly protection?: ProtectionRules;
  readonly reasoning?: ReasoningRule;
  readonly toolKinds?: ToolKinds;
}

/** An operation in either form that `context_prune` also accepts: a list or an object. */
export type ReplaceTarget = ReplaceOperation | readonly [start: string, end: string, replacement: string];

/** `exportLedger` and `restoreMessages` can undo it. */
export interface ReplaceResult<M = unknown> extends Pruned<M> {
  /** Either all operations were carried out, or none. */
  readonly success: boolean;
  /** The messages with the replacements; the original ones if nothing was replaced. */
  readonly messages: readonly M[];
  /** For each of `messages`: the index of the original message that it was made from. */
  readonly sources: readonly number[];
  /** For `applyLedger` and `exportLedger`. */
  readonly edits: readonly LedgerEntry[];
  readonly replacements: readonly {
    readonly operation: ReplaceOperation;
    /** The host's id of the message, or else its index. */
    readonly messageId: string;
    /** In characters. */
    readonly originalLength: number;
    readonly newLength: number;
    readonly tokensSaved: number;
  }[];
  readonly errors: readonly string[];
}

/**
 * Replaces stretches of text in messages of any known format. Pure: a message without replacements is the very same
 * object. Throws a `TypeError` only for messages of an unknown format.
 */
export function executeReplace<M>(
  messages: readonly M[],
  targets: readonly ReplaceTarget[],
  options: ReplaceOptions = {},
): ReplaceResult<M> {
  const { minimumPattern = 0, protection, ...rest } = options;
  const protectedFrom = createProtection(
    protection ?? { tools: PROTECTED_TOOLS, files: PROTECTED_FILES },
    [],
  );
  const bench = new MessageBench(messages, { ...rest, protectedFrom });
  const source: ReplaceSource = {
    facts: bench.facts,
    ledger: bench.ledger,
    protectedFrom: (part) => protectedFrom(bench.facts, part, AGENT),
    tryOut: (plan) => bench.consider({ ...plan, author: AGENT }),
  };
  const { operations, errors: invalid } = readOperations(targets);
  if (invalid.length > 0) return refuse(messages, invalid);
  const texts = listReplaceable(source, { messages: true });
  const { replacements, errors } = findReplacements(source, texts, operations, { minimumPattern });
  if (errors.length > 0) return refuse(messages, errors);

  const done: ReplaceResult<M>["replacements"][number][] = [];
  for (const { operation, plan, part, shown } of replacements) {
    const cut = makeCut(bench, plan);
    if (!cut.ok) return refuse(messages, [cut.issue.message]);
    const message = bench.transcript.message[part] ?? 0;
    done.push({
      operation,
      messageId: bench.messages[message]?.id ?? String(message),
      originalLength: shown.length,
      newLength: operation.replacement.length,
      tokensSaved: cut.value,
    });
  }
  return {
    success: true,
    ...bench.rewrite(),
    edits: bench.ledger.entries,
    replacements: done,
    errors: [],
  };
}

/** The same, but throws a `ReplaceError` with all errors if there are any. */
export function executeReplaceOrThrow<M>(
  messages: readonly M[],
  operations: readonly ReplaceTarget[],
  options: ReplaceOptions = {},
): ReplaceResult<M> {
  const result = executeReplace(messages, operations, options);
  if (!result.success) throw new ReplaceError(result.errors);
  return result;
}

export class ReplaceError extends Error {
  override readonly name = "ReplaceError";
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`Nothing was replaced.\n${errors.join("\n")}`);
    this.errors = errors;
  }
}

function readOperations(value: unknown): {
  readonly operations: readonly ReplaceOperation[];
  readonly errors: readonly string[];
} {
  if (!Array.isArray(value))
    return { operations: [], errors: [`Operations must be an array, got ${showValue(value)}`] };
  const operations: ReplaceOperation[] = [];
  const errors: string[] = [];
  for (const [i, target] of value.entries()) {
    const operation = readOperation(target);
    if (operation) operations.push(operation);
    else
      errors.push(
        `Operation ${i + 1}: start, end and replacement must be strings, and start and end must not be empty`,
      );
  }
  return { operations, errors };
}

function refuse<M>(messages: readonly M[], errors: readonly string[]): ReplaceResult<M> {
  return { success: false, messages, sources: [...messages.keys()], edits: [], replacements: [], errors };
}

/** Makes a cut. Returns the tokens saved, or why it can't be made. */
function makeCut<M>(bench: MessageBench<M>, plan: CutPlan): Result<number> {
  const priced = bench.consider({ ...plan, author: AGENT });
  if (!priced.ok) return priced;
  const [main, ...others] = bench.cutting.apply(priced.value);
  if (!main.ok) return main;
  const saved = others.reduce((sum, cut) => sum + (cut.ok ? cut.value.saved : 0), main.value.saved);
  return { ok: true, value: saved };
}
