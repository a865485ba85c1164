import type { Ref } from "../edits/edit.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import type { FileTouch, ToolKind } from "../tool-kinds/tool-use.ts";
import type { PartKey } from "../transcript/part.ts";

/** A span of an original leaf, and what will stand there: rendered once, at the cut. Must be pure. */
export interface ProposedSpan {
  readonly leaf: string;
  readonly from: number;
  readonly to: number;
  readonly render: (ref: Ref) => string;
}

/** Each span of a leaf is weighed against the whole of it: so many of one leaf are proposed at most, the largest. */
export const MOST_SPANS = 32;

/** Edits of one part that are not yet due. */
export interface Proposal {
  /** Index of the part. */
  readonly part: number;
  /** The first carries the ref that people see; when it can't be cut, none is. */
  readonly spans: readonly [ProposedSpan, ...ProposedSpan[]];
  readonly reason: string;
  readonly needs?: readonly PartKey[];
  /** The agent or a person asked for it: first of all, and at once where that is cheap. */
  readonly asked?: true;
  readonly told?: Told;
  /** It waits until all that waits under this name saves so much together; pressure does not wait. */
  readonly batch?: Batch;
}

/** Something that leaves whole: of a call its group (all calls of that step, with their results), of reasoning that part. */
export interface PartDrop {
  /** Index of the part. */
  readonly drop: number;
  readonly reason: string;
  readonly asked?: true;
  readonly told?: Told;
}

/**
 * What the agent was told when it asked, and so what is done: with this very request, or with the next cut that reaches
 * it. Where that is not known, the price decides.
 */
export type Told = "now" | "later";

/** The ref of a cut, or of a part: the edits there by the same author are taken back. */
export interface RestoreWish {
  readonly ref: Ref;
  readonly told?: Told;
}

export interface Batch {
  readonly name: string;
  /** Tokens. */
  readonly minimum: number;
}

/** The protected things that a pass is made for, and so may cut all the same. */
export interface MayReplace {
  /** Kinds of tools that are protected by their names. */
  readonly tools?: readonly ToolKind[];
  /** Operations on files that are protected by a pattern. */
  readonly files?: readonly FileTouch["operation"][];
  /** Results that a newer one refers to. */
  readonly needed?: true;
}

/** A pure pass. It says what *this step* made stale; it never sees or changes a message. */
export interface Strategy<Options = undefined> {
  readonly name: string;
  readonly mayReplace?: MayReplace;
  propose(step: Delta, facts: Facts, options: Options): readonly (Proposal | PartDrop)[];
  /** What this step takes back. */
  restores?(step: Delta, facts: Facts): readonly RestoreWish[];
  /** Refs of parts that this step sends the agent back to: whatever was cut of them, and by whom, is taken back. */
  needs?(step: Delta, facts: Facts): readonly Ref[];
}

/** A strategy with its options: what a preset is a list of. */
export interface Pass {
  readonly name: string;
  readonly mayReplace: MayReplace;
  propose(step: Delta, facts: Facts): readonly (Proposal | PartDrop)[];
  restores(step: Delta, facts: Facts): readonly RestoreWish[];
  needs?(step: Delta, facts: Facts): readonly Ref[];
}

export function usePass(strategy: Strategy): Pass;
export function usePass<Options>(strategy: Strategy<Options>, options: Options): Pass;
export function usePass<Options>(strategy: Strategy<Options>, options?: Options): Pass {
  return {
    name: strategy.name,
    mayReplace: strategy.mayReplace ?? {},
    propose: (step, facts) => strategy.propose(step, facts, options as Options),
    restores: (step, facts) => strategy.restores?.(step, facts) ?? [],
    needs: (step, facts) => strategy.needs?.(step, facts) ?? [],
  };
}
