import { remember } from "../basics/remember.ts";
import { compileGlobs } from "../expressions/globs.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { isRecall } from "../tool-kinds/is-recall.ts";
import { matchNames } from "../tool-kinds/match-names.ts";
import { normalizePath, withoutServer } from "../tool-kinds/paths.ts";
import { findSkillFile } from "../tool-kinds/skill-file.ts";
import type { FileTouch, ToolKind, ToolUse } from "../tool-kinds/tool-use.ts";
import { PROTECTED_TOOLS } from "./defaults.ts";
import { matchCommands } from "./protected-commands.ts";

/** A call as the user's own rule (`protect`) sees it. */
export interface ProtectableCall {
  /** The name as the model wrote it. */
  readonly tool: string;
  readonly input: unknown;
  readonly use: ToolUse;
}

export interface ProtectionRules {
  /** Names or globs of tools whose results stay. */
  readonly tools: readonly string[];
  /** Globs of commands whose output stays, in any agent's shell. */
  readonly commands?: readonly string[];
  /** Globs of files whose reads and writes stay. A pattern without a slash applies in any folder. */
  readonly files: readonly string[];
  /** The folder that patterns with a slash are relative to. */
  readonly directory?: string;
  /** Calls whose results stay. Must be pure; if it throws, the call stays. */
  readonly protect?: (call: ProtectableCall) => boolean;
}

/** The protected text that a pass may cut because that is its purpose. */
export interface MayReplace {
  /** Kinds of tools that are protected by their names. */
  readonly tools?: readonly ToolKind[];
  /** Operations on files that are protected by a pattern. */
  readonly files?: readonly FileTouch["operation"][];
  /** Results that a newer one refers to. */
  readonly needed?: true;
}

/** An author that may cut some protected text. */
export interface Privileged {
  readonly name: string;
  readonly mayReplace: MayReplace;
}

/** Returns why an author must not cut a part; `undefined` if it may. */
export type Protection = (facts: Facts, part: number, author: string) => string | undefined;

/** A text that the agent has just recalled is protected for this many steps. */
const RECALL_STEPS = 10;

/** Protection applies to every pass and the agent; a pass may cut the protected text that it is made for. */
export function createProtection(rules: ProtectionRules, passes: readonly Privileged[]): Protection {
  const exceptions = new Map(passes.map((pass) => [pass.name, pass.mayReplace]));
  const matchesTool = matchNames(rules.tools, PROTECTED_TOOLS);
  const isProtectedFile = matchFiles(rules);
  const matchesCommand = matchCommands(rules.commands ?? []);
  const protectsSkills = compileGlobs(rules.tools.map((tool) => tool.toLowerCase()))("skill");
  const listProtected = remember(({ files }: ToolUse) =>
    firstOfEach(files.filter((touch) => isProtectedFile(withoutServer(touch.path)))),
  );
  return (facts, index, author) => {
    const { transcript } = facts;
    const part = transcript.part(index);
    if (part.role === "system" || part.role === "developer") return "system text is protected";
    if (isOfNewestMessage(facts, index)) return "the newest user message is protected";
    const fact = facts.calls.of(index);
    if (!fact) return undefined;
    const { use } = fact;
    const call = transcript.part(fact.call);
    const may = exceptions.get(author);
    const mayCut = ({ operation }: FileTouch) => may?.files?.includes(operation) ?? false;
    const isToolProtected = call.kind === "call" && matchesTool(call.tool, use);
    if (isToolProtected && !may?.tools?.includes(use.kind)) return `the tool ${use.name} is protected`;
    if (matchesCommand(use)) return `this command of ${use.name} is protected`;
    if (isProtectedByRule(rules, facts, fact)) return `this ${use.name} call is protected`;
    const steps = countRecallSteps(facts, fact);
    if (steps > 0) return `a recalled text is protected for ${RECALL_STEPS} steps, ${steps} of them left`;
    if (!may?.needed && facts.rereads.isNeeded(index)) return "a newer result refers to it";
    const file = listProtected(use).find((touch) => !mayCut(touch));
    if (file) return `the file ${file.path} is protected`;
    return protectsSkills ? findSkill(use, mayCut) : undefined;
  };
}

/** Is this file protected by a pattern? */
export function matchFiles({
  files,
  directory,
}: Pick<ProtectionRules, "files" | "directory">): (path: string) => boolean {
  const matchesFile = compileGlobs(files, { basename: true, dot: true });
  const matchesPath = compileGlobs(files, { dot: true });
  const root = directory === undefined ? undefined : `${normalizePath(directory)}/`;
  return (path) =>
    matchesFile(path) ||
    matchesPath(path) ||
    // Patterns are relative to the project; calls may give absolute paths.
    (root !== undefined && path.startsWith(root) && matchesPath(path.slice(root.length)));
}

/** Is the part protected because it is new? Ignores results that a newer one refers to. */
export function isProtectedForNow(facts: Facts, index: number): boolean {
  return isOfNewestMessage(facts, index) || isNewlyRecalled(facts, index);
}

/** Did the agent recall this text a few steps ago? It is protected for now. */
export function isNewlyRecalled(facts: Facts, index: number): boolean {
  const fact = facts.calls.of(index);
  return fact !== undefined && countRecallSteps(facts, fact) > 0;
}

/** For how many more steps a recalled text is protected; 0 or less for other texts. */
function countRecallSteps({ transcript }: Facts, { use, step }: CallFact): number {
  return isRecall(use) ? RECALL_STEPS - (transcript.lastStep - step) : 0;
}

/** Of the newest that a person has said. An old state of the host behind a later result is not. */
function isOfNewestMessage({ transcript, hostStates }: Facts, index: number): boolean {
  const { role, kind } = transcript.part(index);
  if (role !== "user" || kind === "result" || transcript.turn[index] !== transcript.lastTurn) return false;
  return !hostStates.isOld(index);
}

/**
 * Permission to cut a file depends on the operation: the first file of each operation is enough, and a call may
 * have thousands.
 */
function firstOfEach(files: readonly FileTouch[]): readonly FileTouch[] {
  // One list for all: most calls touch no such file, and what this gives is kept for each.
  if (files.length === 0) return NO_FILES;
  const seen = new Set<FileTouch["operation"]>();
  return files.filter(({ operation }) => seen.size < seen.add(operation).size);
}

function isProtectedByRule({ protect }: ProtectionRules, { transcript }: Facts, fact: CallFact): boolean {
  const call = transcript.part(fact.call);
  if (!protect || call.kind !== "call") return false;
  try {
    return protect({ tool: call.tool, input: call.input, use: fact.use });
  } catch {
    return true;
  }
}

/** A skill is the result of a skill tool or a skill's file. Text that only looks like a skill may be anyone's. */
function findSkill(use: ToolUse, mayCut: (touch: FileTouch) => boolean): string | undefined {
  if (use.kind === "skill") return "a skill's text is protected";
  const [file] = skillFilesOf(use);
  return file && !mayCut(file) ? `the skill file ${file.path} is protected` : undefined;
}

/** Runs for every span of a call, which may have thousands of spans and files. */
const skillFilesOf = remember((use: ToolUse): readonly FileTouch[] => {
  const file = findSkillFile(use);
  return file ? [file] : NO_FILES;
});

const NO_FILES: readonly FileTouch[] = [];
