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
import { CurrentOperations, type FileRule } from "./current-operations.ts";
import { Failures } from "./failures.ts";
import { STRICT, VIEWS } from "./file-rules.ts";
import { FileFacts, type FileOperation } from "./files.ts";
import { HostBlocks } from "./host-blocks.ts";
import { HostStates } from "./host-states.ts";
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

/** The additions of one request. Parts `from … to` were never sent before it. */
export interface Delta {
  readonly from: number;
  readonly to: number;
  readonly completed: readonly CallFact[];
  readonly files: readonly FileOperation[];
  /** Parts of any kind that have just become old: they left the protect window. Oldest first. */
  readonly aged: readonly number[];
  /** The commands of a person to Coppice, in order. */
  readonly commands: readonly SessionCommand[];
  /**
   * Texts and files of users that have just become old. An `aged` part of the newest turn waits until the next
   * turn.
   */
  readonly agedPrompts: readonly number[];
  /** What the host has said of its surroundings, and says anew in these parts. */
  readonly replacedStates: readonly number[];
  /** What can be seen of how the agent's work goes. */
  readonly work: WorkCounts;
}

export interface FactsOptions {
  /** The folder that relative paths in calls refer to. */
  readonly directory?: string | undefined;
  /** Size of the protect window, in tokens of results. */
  readonly pruneProtect: number;
  /** Is this part in the context unchanged? Without this function, reads are not compared with earlier results. */
  readonly isWhole?: (part: number) => boolean;
  /** The optional indices to build; none without it. */
  readonly wanted?: ReadonlySet<OptionalFact>;
}

/**
 * - `sameCalls`: the same tool with deeply equal input
 * - `sources`: the same url, or the same query of a web search
 * - `queries`: the same question about the workspace
 * - `attempts`: the same tool on the same target, whatever else its input says
 * - `snapshots`: the same page, screen or file, by a tool that shows it as a whole
 */
export type SeriesFact =
  | "sameCalls"
  | "sources"
  | "queries"
  | "todos"
  | "contextCalls"
  | "attempts"
  | "snapshots";

export type OperationsFact = "strict" | "views";

/** Indices that are built only if a pass reads them. `repeats`: reads of text that the context still shows. */
export type OptionalFact = SeriesFact | OperationsFact | "failures" | "repeats";

/** What the parts mean. Every index grows with the transcript and is rolled back with it. */
export class Facts {
  readonly transcript: Transcript;
  readonly refs: Refs;
  readonly calls: CallFacts;
  readonly files: FileFacts;
  readonly rereads: Rereads;
  readonly hostBlocks: HostBlocks;
  readonly hostStates: HostStates;
  readonly protectWindow: ProtectWindow;
  readonly spent: Spent;
  readonly named: Named;
  readonly shownNames: ShownNames;
  readonly todoList: TodoList;
  readonly taskFiles: TaskFiles;
  readonly automata: Automata;
  /** Signed reasoning parts, oldest first. */
  readonly signed: number[] = [];
  readonly #series: ReadonlyMap<SeriesFact, Series>;
  readonly #operations: ReadonlyMap<OperationsFact, CurrentOperations>;
  readonly #failures: Failures | undefined;
  readonly #repeats: Repeats | undefined;
  readonly #oldPrompts: OldPrompts;
  readonly #work: Work;
  readonly #session = { editsByLine: false };
  readonly #partRefs = new Map<number, Ref>();

  constructor(
    transcript: Transcript,
    kinds: ToolKinds,
    { directory, pruneProtect, isWhole, wanted = NOTHING }: FactsOptions,
  ) {
    const { undoLog } = transcript;
    this.transcript = transcript;
    this.refs = new Refs(undoLog);
    this.calls = new CallFacts(transcript, kinds, directory);
    this.files = new FileFacts(undoLog);
    this.rereads = new Rereads(transcript, this.files, (ref) => this.#callOf(ref));
    this.#repeats = isWhole && new Repeats(transcript, this.files, isWhole);
    const isWanted = ([name]: readonly [OptionalFact, unknown]) => wanted.has(name);
    this.#operations = new Map(
      OPERATIONS.filter(isWanted).map(([name, rules]) => [name, new CurrentOperations(undoLog, rules)]),
    );
    const keys: readonly (readonly [SeriesFact, SeriesKey])[] = [
      ["sameCalls", (fact) => this.#inputKey(fact)],
      ...SERIES,
    ];
    this.#series = new Map(
      keys
        .filter(isWanted)
        .map(([name, keyOf]) => [name, new Series(undoLog, (fact) => hashKey(fact, keyOf(fact)))]),
    );
    this.#failures = wanted.has("failures") ? new Failures(transcript) : undefined;
    this.hostBlocks = new HostBlocks(transcript);
    this.hostStates = new HostStates(transcript);
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

  /** @param pointsBack are repeated reads of files compared with earlier results? */
  ingest(from: number, to: number, pointsBack = false): Delta {
    const completed = this.calls.ingest(from, to);
    // A stub ("file unchanged") shows nothing, so it makes nothing stale.
    const stubs = new Set(completed.filter((fact) => this.rereads.isStub(fact)));
    const telling = completed.filter((fact) => !stubs.has(fact) && !(pointsBack && this.#noteRepeat(fact)));
    const files = this.files.ingest(telling);
    this.rereads.ingest(stubs);
    for (const operations of this.#operations.values()) operations.ingest(files);
    for (const series of this.#series.values()) series.ingest(telling);
    this.#failures?.ingest(completed);
    this.hostBlocks.ingest(completed);
    const replacedStates = this.hostStates.ingest(from, to);
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
    return { from, to, completed, files, aged, commands, agedPrompts, replacedStates, work };
  }

  /** Calls of one kind that ask the same: the newer ones make the older ones stale. */
  series(name: SeriesFact): Series {
    return this.#series.get(name) ?? notBuilt(name);
  }

  /** Operations on files that nothing has made stale, by the strict rules, or by those that keep views. */
  operations(name: OperationsFact): CurrentOperations {
    return this.#operations.get(name) ?? notBuilt(name);
  }

  get failures(): Failures {
    return this.#failures ?? notBuilt("failures");
  }

  /** Has the agent changed lines of a file by their numbers in this session? */
  get editsByLine(): boolean {
    return this.#session.editsByLine;
  }

  /** The ref of a whole text, reasoning or result; `undefined` for other parts, and for parts without text. */
  partRef(index: number): Ref | undefined {
    return this.#partRefs.get(index);
  }

  /** The named literals, for searches in a text of this part. */
  namedIn(part: number, text: string): NamedInText {
    const leaf = this.transcript.part(part).leaves.find((each) => each.text === text);
    return new NamedInText(this.named, text, leaf);
  }

  /** Is it a read of text that the context already shows? Then it makes nothing stale either. */
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

function notBuilt(name: OptionalFact): never {
  throw new Error(
    `the fact ${JSON.stringify(name)} is not built: add it to the \`facts\` of the pass that reads it`,
  );
}

const NOTHING: ReadonlySet<OptionalFact> = new Set();

const OPERATIONS: readonly (readonly [OperationsFact, FileRule])[] = [
  ["strict", STRICT],
  ["views", VIEWS],
];

type SeriesKey = (fact: CallFact) => string | undefined;

/**
 * The server is part of the question: the answer of one server never makes another's stale. A key may hold a whole command;
 * its hash needs less memory.
 */
function hashKey({ use: { server } }: CallFact, key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  return hashText(server === undefined ? key : `${server}\u0000${key}`);
}

/** An input that lost text to a cut may have been different: two that look the same need not be duplicates. */
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

/** What calls ask, by series. */
const SERIES: readonly (readonly [SeriesFact, SeriesKey])[] = [
  ["sources", sourceKey],
  ["queries", ({ use }) => stateQuestion(use)],
  ["todos", ({ use }) => wholeKey(use, "todo")],
  ["contextCalls", ({ use }) => wholeKey(use, "context")],
  ["attempts", attemptKey],
  ["snapshots", ({ use }) => use.snapshot],
];
