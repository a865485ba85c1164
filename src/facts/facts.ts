import { canonicalInput } from "../tool-kinds/canonical-input.ts";
import { canonicalUrl } from "../tool-kinds/same-url.ts";
import { stateQuestion } from "../tool-kinds/state-query.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { ToolKind, ToolUse } from "../tool-kinds/tool-use.ts";
import { hashText } from "../transcript/hash.ts";
import { type CallPart, prunableKind } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import { Refs, type RefTarget, wholePlace } from "../transcript/refs.ts";
import type { SessionCommand } from "../transcript/session-command.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { Automata } from "./automata.ts";
import { type CallFact, CallFacts } from "./calls.ts";
import { CurrentOperations } from "./current-operations.ts";
import { Failures } from "./failures.ts";
import { STRICT, VIEWS } from "./file-rules.ts";
import { FileFacts, type FileOperation } from "./files.ts";
import { HostBlocks } from "./host-blocks.ts";
import { Named, NamedInText } from "./named.ts";
import { OldPrompts } from "./old-prompts.ts";
import { ProtectWindow } from "./protect-window.ts";
import { Repeats } from "./repeats.ts";
import { Rereads } from "./rereads.ts";
import { Series } from "./series.ts";
import { ShownNames } from "./shown-names.ts";
import { Spent } from "./spent.ts";
import { TaskFiles } from "./task-files.ts";
import { TodoList } from "./todo-list.ts";
import { Work } from "./work.ts";
import type { WorkCounts } from "./work-counts.ts";

/** What one boundary added. Parts `from … to` were never sent before it. */
export interface Delta {
  readonly from: number;
  readonly to: number;
  readonly completed: readonly CallFact[];
  readonly files: readonly FileOperation[];
  /** Parts of any kind that have just become old: they left the protect window. Oldest first. */
  readonly aged: readonly number[];
  /** What a person told Coppice to do, in order. */
  readonly commands: readonly SessionCommand[];
  /** Texts and files of users that have just become old. What is `aged` waits here while it is of the newest turn. */
  readonly agedPrompts: readonly number[];
  /** What can be seen of how the agent's work goes. */
  readonly work: WorkCounts;
}

export interface FactsOptions {
  /** What relative paths in calls are relative to. */
  readonly directory?: string | undefined;
  /** Size of the protect window, in tokens of results. */
  readonly pruneProtect: number;
  /** Is this part in the context as it came? Where nobody says, no read is looked for in earlier results. */
  readonly isWhole?: (part: number) => boolean;
}

/** What the parts mean. Every index grows with the transcript and is rolled back with it. */
export class Facts {
  readonly transcript: Transcript;
  readonly refs: Refs;
  readonly calls: CallFacts;
  readonly files: FileFacts;
  readonly rereads: Rereads;
  /** Operations on files that nothing has made stale, under the rules `STRICT` and `VIEWS`. */
  readonly strict: CurrentOperations;
  readonly views: CurrentOperations;
  /** Same tool, deeply equal input. */
  readonly sameCalls: Series;
  /** Same url, or the same query of a web search. */
  readonly sources: Series;
  /** Same question about the workspace. */
  readonly queries: Series;
  readonly todos: Series;
  readonly contextCalls: Series;
  /** Same tool on the same target, whatever else its input says. */
  readonly attempts: Series;
  /** Same page, screen or file, by a tool that shows it as a whole. */
  readonly snapshots: Series;
  readonly failures: Failures;
  readonly hostBlocks: HostBlocks;
  readonly protectWindow: ProtectWindow;
  readonly spent: Spent;
  readonly named: Named;
  readonly shownNames: ShownNames;
  readonly todoList: TodoList;
  readonly taskFiles: TaskFiles;
  readonly automata: Automata;
  /** Signed reasoning parts, oldest first. */
  readonly signed: number[] = [];
  readonly #repeats: Repeats | undefined;
  readonly #oldPrompts: OldPrompts;
  readonly #work: Work;
  readonly #session = { editsByLine: false };
  readonly #partRefs = new Map<number, Ref>();

  constructor(transcript: Transcript, kinds: ToolKinds, { directory, pruneProtect, isWhole }: FactsOptions) {
    const { undoLog } = transcript;
    this.transcript = transcript;
    this.refs = new Refs(undoLog);
    this.calls = new CallFacts(transcript, kinds, directory);
    this.files = new FileFacts(undoLog);
    this.rereads = new Rereads(transcript, this.files, (ref) => this.#callOf(ref));
    this.#repeats = isWhole && new Repeats(transcript, this.files, isWhole);
    this.strict = new CurrentOperations(undoLog, STRICT);
    this.views = new CurrentOperations(undoLog, VIEWS);
    const series = (keyOf: SeriesKey) =>
      new Series(undoLog, (fact) => {
        const key = atItsServer(fact, keyOf(fact));
        // A key may hold a whole command; its hash takes less room.
        return key === undefined ? undefined : hashText(key);
      });
    this.sameCalls = series((fact) => this.#inputKey(fact));
    this.sources = series(sourceKey);
    this.queries = series(({ use }) => stateQuestion(use));
    this.todos = series(({ use }) => wholeKey(use, "todo"));
    this.contextCalls = series(({ use }) => wholeKey(use, "context"));
    this.attempts = series(attemptKey);
    this.snapshots = series(({ use }) => use.snapshot);
    this.failures = new Failures(transcript);
    this.hostBlocks = new HostBlocks(transcript);
    this.#oldPrompts = new OldPrompts(transcript);
    this.#work = new Work(transcript);
    this.named = new Named(transcript);
    this.shownNames = new ShownNames(transcript);
    this.todoList = new TodoList(transcript);
    this.taskFiles = new TaskFiles(transcript, {
      calls: this.calls,
      files: this.files,
      todos: this.todoList,
    });
    this.automata = new Automata(transcript);
    this.spent = new Spent(transcript, this.calls, this.files);
    this.protectWindow = new ProtectWindow(transcript, pruneProtect);
  }

  /** @param pointsBack are files that are read again looked for in earlier results? */
  ingest(from: number, to: number, pointsBack = false): Delta {
    const completed = this.calls.ingest(from, to);
    // A stub ("file unchanged") shows nothing, so it makes nothing stale.
    const stubs = new Set(completed.filter((fact) => this.rereads.isStub(fact)));
    const telling = completed.filter((fact) => !stubs.has(fact) && !(pointsBack && this.#noteRepeat(fact)));
    const files = this.files.ingest(telling);
    this.rereads.ingest(stubs);
    this.strict.ingest(files);
    this.views.ingest(files);
    for (const series of [
      this.sameCalls,
      this.sources,
      this.queries,
      this.todos,
      this.contextCalls,
      this.attempts,
      this.snapshots,
    ]) {
      series.ingest(telling);
    }
    this.failures.ingest(completed);
    this.hostBlocks.ingest(completed);
    if (!this.editsByLine && completed.some(({ ok, use }) => ok && use.byLine))
      this.transcript.undoLog.put(this.#session, "editsByLine", true);
    this.named.ingest(from, to);
    this.shownNames.ingest(from, to);
    this.todoList.ingest(completed);
    this.taskFiles.ingest(from, to);
    this.automata.ingest(from, to);
    const commands: SessionCommand[] = [];
    for (let i = from; i < to; i++) {
      const part = this.transcript.part(i);
      if (part.kind === "marker" && part.command) commands.push(part.command);
      if (part.kind === "reasoning" && part.signed) this.transcript.undoLog.push(this.signed, i);
      const place = this.#wholePlace(i);
      if (place) this.transcript.undoLog.set(this.#partRefs, i, this.refs.nameWhole(place));
    }
    const aged = this.protectWindow.ingest(from, to);
    const agedPrompts = this.#oldPrompts.ingest(aged);
    const work = this.#work.ingest(from, to, completed);
    return { from, to, completed, files, aged, commands, agedPrompts, work };
  }

  /** Has the agent changed lines of a file by their numbers in this session? */
  get editsByLine(): boolean {
    return this.#session.editsByLine;
  }

  /** The ref of a whole text, reasoning or result; `undefined` for other parts, and where there is no text. */
  partRef(index: number): Ref | undefined {
    return this.#partRefs.get(index);
  }

  /** What was named, to be looked for in a text of this part. */
  namedIn(part: number, text: string): NamedInText {
    const leaf = this.transcript.part(part).leaves.find((each) => each.text === text);
    return new NamedInText(this.named, text, leaf);
  }

  /** Is it a read of what the context shows already? It makes nothing stale either. */
  #noteRepeat(fact: CallFact): boolean {
    const repeat = this.#repeats?.find(fact);
    if (repeat) this.rereads.repeat(fact, repeat);
    return repeat !== undefined;
  }

  #callOf(ref: Ref): CallFact | undefined {
    const place = this.refs.placeOf(ref);
    const index = place && this.transcript.find(place.part);
    return index === undefined ? undefined : this.calls.of(index);
  }

  #wholePlace(index: number): RefTarget | undefined {
    const part = this.transcript.part(index);
    const key = this.transcript.key(index);
    if (part.kind === "result" && part.clearedText) return wholePlace(key, [part.clearedText]);
    const hasRef = part.kind === "text" || prunableKind(part) !== undefined;
    return hasRef ? wholePlace(key, part.leaves) : undefined;
  }

  #inputKey(fact: CallFact): string | undefined {
    const part = this.transcript.part(fact.call);
    if (part.kind !== "call" || wasShrunk(part)) return undefined;
    return `${fact.use.name} ${hashText(canonicalInput(part.input ?? part.leaves.map(({ text }) => text)))}`;
  }
}

type SeriesKey = (fact: CallFact) => string | undefined;

/** The server is part of the question: what one server says never makes stale what another has said. */
function atItsServer({ use: { server } }: CallFact, key: string | undefined): string | undefined {
  return key === undefined || server === undefined ? key : `${server}\u0000${key}`;
}

/** An input that lost a text to a cut may have been different: two that look the same need not be duplicates. */
function wasShrunk({ leaves }: CallPart): boolean {
  return leaves.some(({ text }) => text === "");
}

/** All calls of a kind are one question, except those about one item. */
function wholeKey(use: ToolUse, kind: ToolKind): string | undefined {
  return use.kind === kind && !use.partial ? kind : undefined;
}

function sourceKey({ use }: CallFact): string | undefined {
  if (use.kind === "fetch" && use.url !== undefined) return `url ${canonicalUrl(use.url)}`;
  return use.kind === "web-search" && use.query !== undefined ? `query ${use.query.trim()}` : undefined;
}

function attemptKey({ use }: CallFact): string | undefined {
  const target = use.command ?? use.url ?? use.query ?? use.files.map(({ path }) => path).join("\u0000");
  return target === "" ? undefined : `${use.name}\u0000${target}`;
}
