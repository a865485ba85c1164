import type { FileTouch } from "../tool-kinds/tool-use.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { CallFact } from "./calls.ts";
import { isShownIn, writeChanges } from "./compare-views.ts";
import { type FileText, readFileText } from "./file-text.ts";
import type { FileFacts } from "./files.ts";

/** A read of text that an earlier result already shows. */
export interface Repeat {
  readonly copy: CallFact;
  /** The differences, as a diff; missing if there are none. */
  readonly changes?: string;
  /** The lines that were read, if the earlier result shows more. */
  readonly lines?: { readonly from: number; readonly to: number };
}

/** In tokens. A smaller read is not worth the agent's search in another result. */
const LEAST = 100;

/**
 * An earlier result that is more steps back, or of which the read is a smaller share, is not kept for the read: it
 * would soon be cut, and a later cut is more expensive.
 */
const STEPS = 20;
const COPY_SHARE = 0.5;

/** How many earlier views of a file are compared with a new one. */
const VIEWS_COMPARED = 8;

/** The largest size of the changes, as a share of the read's tokens. */
const CHANGES_SHARE = 0.5;

/** Reads of text that the context already shows. */
export class Repeats {
  readonly #texts = new WeakMap<CallFact, FileText | "unknown">();
  readonly #transcript: Transcript;
  readonly #files: FileFacts;
  readonly #isWhole: (part: number) => boolean;

  /** @param isWhole is the part in the context unchanged? */
  constructor(transcript: Transcript, files: FileFacts, isWhole: (part: number) => boolean) {
    this.#transcript = transcript;
    this.#files = files;
    this.#isWhole = isWhole;
  }

  /** The newest result of an earlier step that shows all or most of this read. */
  find(again: CallFact): Repeat | undefined {
    const touch = viewedFile(again);
    const tokens = this.#transcript.tokens[again.result] ?? 0;
    const text = touch && tokens >= LEAST ? this.#onlyText(again) : undefined;
    if (!touch || text === undefined) return undefined;
    let changed: Repeat | undefined;
    for (const copy of listViews(this.#files, touch.path)) {
      if (again.step - copy.step > STEPS) break;
      const known = copy.step < again.step && this.#isWhole(copy.result) ? this.#onlyText(copy) : undefined;
      if (known === text) return { copy };
      if (tokens < COPY_SHARE * (this.#transcript.tokens[copy.result] ?? 0)) continue;
      const older = known === undefined ? undefined : this.#read(copy);
      const newer = older && this.#read(again);
      if (!older || !newer) continue;
      if (isShownIn(older, newer)) return { copy, ...namePlace(older, newer) };
      changed ??= findChanges(copy, older, newer, CHANGES_SHARE * tokens);
    }
    return changed;
  }

  /** The text of a result that contains nothing else. */
  #onlyText({ result }: CallFact): string | undefined {
    const part = this.#transcript.part(result);
    if (part.kind !== "result" || part.status !== "ok" || (part.media?.length ?? 0) > 0) return undefined;
    const texts = part.leaves.filter(({ text }) => text !== "");
    return texts.length === 1 ? texts[0]?.text : undefined;
  }

  #read(view: CallFact): FileText | undefined {
    const [touch] = view.use.files;
    const known =
      this.#texts.get(view) ?? readFileText(this.#onlyText(view) ?? "", touch?.range) ?? "unknown";
    this.#texts.set(view, known);
    return known === "unknown" ? undefined : known;
  }
}

/** The earlier calls that show only this file, newest first. */
function listViews(files: FileFacts, path: string): readonly CallFact[] {
  return files.views(path).slice(-VIEWS_COMPARED).reverse().filter(viewedFile);
}

/** The one file of a call that only shows it. */
function viewedFile({ use, ok }: CallFact): FileTouch | undefined {
  const { kind, shows, files } = use;
  const [touch, ...others] = files;
  const isView = ok && (kind === "read" || shows === "file") && others.length === 0;
  return isView && touch?.operation === "read" ? touch : undefined;
}

function namePlace(copy: FileText, { first, lines }: FileText): Pick<Repeat, "lines"> {
  return lines.length === copy.lines.length ? {} : { lines: { from: first, to: first + lines.length - 1 } };
}

function findChanges(copy: CallFact, older: FileText, newer: FileText, room: number): Repeat | undefined {
  const changes = writeChanges(older, newer);
  return changes !== undefined && estimateTokens(changes) <= room ? { copy, changes } : undefined;
}
