import type { Issue, Result } from "../basics/issue.ts";
import { applySplices, invertSplices } from "../basics/splices.ts";
import { combine } from "../config/merge.ts";
import type { CutPlan, ReplacePlan } from "../edits/cut-plan.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import { makePolicy, type PolicyOptions } from "../fold/policy.ts";
import { createPruner, type Pruner } from "../pruner.ts";
import type { Uncut } from "../reports/uncut.ts";
import { readDocument } from "./document.ts";
import { dye } from "./dye.ts";
import { type FileCuts, findCuts, type LiteralCut } from "./find-cuts.ts";
import { parseRecording } from "./parse-recording.ts";
import type { Recording } from "./recording.ts";
import { type FileEdit, fingerprint, type RestoreFile, restoreRecordingText } from "./restore-file.ts";
import { planSplices } from "./splice-literals.ts";

export interface PruneFileOptions extends Omit<PolicyOptions, "agentTools" | "overheadTokens"> {
  /** The file's name, for issues. */
  readonly name?: string;
}

export interface PrunedFile {
  readonly text: string;
  readonly restoreFile: RestoreFile;
  readonly report: FileReport;
}

export interface FileReport {
  readonly source: Recording["source"];
  readonly cuts: number;
  /** Number of cuts that could not be made: the file stores their text in another form than it was sent. */
  readonly left: number;
  /** Estimated tokens. */
  readonly saved: number;
  /** Why nothing was cut; missing if something was. */
  readonly uncut?: Uncut;
  readonly characters: { readonly before: number; readonly after: number };
  readonly issues: readonly Issue[];
}

/**
 * Prunes a recorded session of any kind. Only strings in the file change, each in its place; all other bytes stay.
 * So nothing is added next to them, as a live format may do (pi's `prunedAt`). Nobody waits with a warm cache, so
 * cuts are made as soon as they are due, unless the configuration names a mode. Nothing is dropped: not every file
 * format could represent that.
 *
 *   restoreRecordingText(text, restoreFile)   ->   the file as it was, byte for byte
 */
export function pruneRecordingText(text: string, options: PruneFileOptions = {}): Result<PrunedFile> {
  const recording = parseRecording(text, options.name);
  if (!recording.ok) return recording;
  const dyed = dye(text, readDocument(text).ok ? "document" : "lines");
  const twin = parseRecording(dyed.text, options.name);
  const { textProtocols: protocols } = makePolicy(options);
  const cuts =
    twin.ok && findCuts(recording.value, twin.value, dyed.literals, createFilePruner(options), protocols);
  if (!cuts) return refuse("its strings can't be matched to its messages", options);
  const { splices, cuts: made } = planSplices(dyed.literals, cuts.byLiteral);
  const pruned = applySplices(text, splices);
  const restoreFile: RestoreFile = {
    version: 1,
    source: recording.value.source,
    original: fingerprint(text),
    pruned: fingerprint(pruned),
    splices: invertSplices(text, splices),
    edits: made.map(toFileEdit),
  };
  // Broken lines stay in the file unchanged.
  const broken = recording.value.issues.filter(({ code }) => code === "broken-line");
  if (!holds(pruned, recording.value, text, restoreFile))
    return refuse("the pruned file would not be read as the same session", options);
  return {
    ok: true,
    value: { text: pruned, restoreFile, report: makeReport(text, pruned, restoreFile, cuts, broken) },
  };
}

function createFilePruner(options: PruneFileOptions): Pruner {
  const config = combine({ schedule: { mode: "eager" } }, options.config ?? {});
  const { passes, ladder, shadow } = makePolicy({ ...options, config });
  if (shadow) return createPruner({ passes: [], ladder: [] });
  return createPruner({
    ...options,
    config,
    passes: passes.map((pass) => ({
      ...pass,
      propose: (step: Delta, facts: Facts) => pass.propose(step, facts).filter(isReplacement),
    })),
    ladder: ladder.map((rung) => ({
      name: rung.name,
      *propose(facts, shown) {
        for (const each of rung.propose(facts, shown)) if (isReplacement(each)) yield each;
      },
    })),
  });
}

function isReplacement(plan: CutPlan): plan is ReplacePlan {
  return "spans" in plan;
}

function toFileEdit({ literal, from, to, edit }: LiteralCut): FileEdit {
  const { ref, author, reason, text, saved, risk } = edit;
  const original = literal.value.slice(from, to);
  return { ref, author, reason, original, text, saved, ...(risk && { risk }) };
}

/**
 * Does the pruned file parse as the same kind with as many messages, and does its restore file give the original
 * back?
 */
function holds(pruned: string, recording: Recording, original: string, restoreFile: RestoreFile): boolean {
  const again = parseRecording(pruned);
  const restored = restoreRecordingText(pruned, restoreFile);
  return (
    again.ok &&
    again.value.source === recording.source &&
    again.value.segments.map(({ messages }) => messages.length).join() ===
      recording.segments.map(({ messages }) => messages.length).join() &&
    restored.ok &&
    restored.value === original
  );
}

function makeReport(
  text: string,
  pruned: string,
  { source, edits }: RestoreFile,
  cuts: FileCuts,
  broken: readonly Issue[],
): FileReport {
  return {
    source,
    cuts: edits.length,
    left: cuts.left,
    saved: edits.reduce((sum, { saved }) => sum + saved, 0),
    characters: { before: text.length, after: pruned.length },
    ...(cuts.uncut && { uncut: cuts.uncut }),
    issues: [...broken, ...cuts.issues],
  };
}

function refuse(why: string, { name }: PruneFileOptions): Result<PrunedFile> {
  const message = `nothing was pruned: ${why}`;
  const issue: Issue = { code: "format-failed", severity: "error", message };
  return { ok: false, issue: name === undefined ? issue : { ...issue, where: name } };
}
