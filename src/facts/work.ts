import { isRecall } from "../tool-kinds/is-recall.ts";
import { mayChange, waits } from "../tool-kinds/may-change.ts";
import { isTextEdit, missedText } from "../tool-kinds/missed-text.ts";
import { stateQuestion } from "../tool-kinds/state-query.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import { isUnchangedStub } from "../tool-kinds/unchanged-stub.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact } from "./calls.ts";
import { isShownIn } from "./compare-views.ts";
import { type FileText, readFileText } from "./file-text.ts";
import { NO_WORK, type WorkCounts } from "./work-counts.ts";

/** How many earlier views of the same files a read is compared with. */
const VIEWS_COMPARED = 8;

/** Did this edit fail because its text is not in the file? */
export function missedItsText({ use, result }: CallFact, transcript: Transcript): boolean {
  return missedText(use, textsOf(result, transcript));
}

/** Counts the signs of how the agent's work goes, request by request: see `WorkCounts`. */
export class Work {
  /** By files: the results that show them. */
  readonly #views = new Map<string, CallFact[]>();
  /** By path: the result of the newest change. */
  readonly #changed = new Map<string, number>();
  /** By command: the number of changes before its last run. */
  readonly #run = new Map<string, number>();
  readonly #state = { changes: 0 };
  readonly #texts = new WeakMap<CallFact, FileText | "unknown">();
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** Adds the parts of one request, and the calls that they complete. */
  ingest(from: number, to: number, completed: readonly CallFact[]): WorkCounts {
    const counts = this.#count(from, to, completed);
    return this.#isBrought(from, to) ? { ...NO_WORK, requests: 1, prompts: this.#isAsked() ? 1 : 0 } : counts;
  }

  /**
   * Are there older answers in these parts than the last one? A compaction has carried them over: they were counted
   * before.
   */
  #isBrought(from: number, to: number): boolean {
    const { step } = this.#transcript;
    return (step[to - 1] ?? 0) - (step[from - 1] ?? 0) > (from === 0 ? 0 : 1);
  }

  /** Did a person write after the newest answer? */
  #isAsked(): boolean {
    const { turnStart, stepStart } = this.#transcript;
    return (turnStart.at(-1) ?? 0) > (stepStart.at(-1) ?? 0);
  }

  #count(from: number, to: number, completed: readonly CallFact[]): WorkCounts {
    const { turn } = this.#transcript;
    // Several messages in a row are one prompt.
    const prompts = (turn[to - 1] ?? 0) > (turn[from - 1] ?? 0) ? 1 : 0;
    const counts: { -readonly [K in keyof WorkCounts]: number } = { ...NO_WORK, requests: 1, prompts };
    for (const fact of completed) {
      const { use } = fact;
      if (isRecall(use)) counts.recalls++;
      else if (isTextEdit(use)) {
        counts.edits++;
        if (missedItsText(fact, this.#transcript)) {
          counts.missedEdits++;
          continue;
        }
      } else if (isView(use)) {
        counts.reads++;
        if (this.#noteView(fact)) counts.rereads++;
      } else if (use.kind === "shell" && use.command !== undefined) {
        counts.commands++;
        if (this.#noteCommand(fact)) counts.reruns++;
        continue;
      }
      if (fact.ok && mayChange(use)) this.#noteChange(fact);
    }
    // A person may have changed something before they wrote.
    if (prompts > 0) this.#countChange();
    return counts;
  }

  /** Does it repeat an earlier result, with nothing changed since? */
  #noteView(fact: CallFact): boolean {
    const { undoLog } = this.#transcript;
    const key = fact.use.files.map(({ path }) => path).join("\0");
    const views = this.#views.get(key) ?? [];
    const isStub = fact.ok && isUnchangedStub(fact.use, textsOf(fact.result, this.#transcript));
    if (isStub || !fact.ok) return isStub;
    const isAgain = views
      .slice(-VIEWS_COMPARED)
      .some((view) => this.#isUnchanged(view) && this.#shows(view, fact));
    if (views.length > 0) undoLog.push(views, fact);
    else undoLog.set(this.#views, key, [fact]);
    return isAgain;
  }

  #isUnchanged({ use, result }: CallFact): boolean {
    return use.files.every(({ path }) => (this.#changed.get(path) ?? -1) < result);
  }

  /** Are the lines of the newer view in the older one? */
  #shows(older: CallFact, newer: CallFact): boolean {
    const [a, b] = [older, newer].map(({ result }) => textsOf(result, this.#transcript).join("\n"));
    if (a === undefined || b === undefined || b.trim() === "") return false;
    if (a === b) return true;
    const [copy, again] = [this.#read(older, a), this.#read(newer, b)];
    return copy !== undefined && again !== undefined && isShownIn(copy, again);
  }

  #read(view: CallFact, text: string): FileText | undefined {
    const [touch, ...others] = view.use.files;
    if (others.length > 0) return undefined;
    const known = this.#texts.get(view) ?? readFileText(text, touch?.range) ?? "unknown";
    this.#texts.set(view, known);
    return known === "unknown" ? undefined : known;
  }

  /** Was the same command run before, with nothing changed since? */
  #noteCommand(fact: CallFact): boolean {
    const { use } = fact;
    const { directory = "", server = "", command = "" } = use;
    const key = stateQuestion(use) ?? `${server}\0${directory}\0${command.trim()}`;
    const isAgain = this.#run.get(key) === this.#state.changes && !waits(use);
    if (mayChange(use)) this.#noteChange(fact);
    this.#transcript.undoLog.set(this.#run, key, this.#state.changes);
    return isAgain;
  }

  #noteChange({ use, result }: CallFact): void {
    const { undoLog } = this.#transcript;
    for (const { path, operation } of use.files)
      if (operation !== "read") undoLog.set(this.#changed, path, result);
    this.#countChange();
  }

  #countChange(): void {
    this.#transcript.undoLog.put(this.#state, "changes", this.#state.changes + 1);
  }
}

/** Does the call only show files? */
function isView({ kind, shows, files }: ToolUse): boolean {
  return (
    (kind === "read" || shows === "file") &&
    files.length > 0 &&
    files.every(({ operation }) => operation === "read")
  );
}

function textsOf(result: number, transcript: Transcript): readonly string[] {
  return transcript
    .part(result)
    .leaves.map(({ text }) => text)
    .filter((text) => text !== "");
}
