import { pairResults } from "../formats/intake/decode.ts";
import { MOST_FETCHED } from "../risk/fetch-price.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import type { Part } from "../transcript/part.ts";
import { countPart } from "../transcript/transcript.ts";
import { AnchorIndex } from "./anchor-index.ts";
import { collectAnchors } from "./anchors.ts";
import { EditedLines } from "./edited-lines.ts";
import type { Missing } from "./misses.ts";
import type { RecordedRequest } from "./requests.ts";
import { listTexts, type SentMessage } from "./sent-view.ts";
import { sum } from "./sum.ts";

/** How many anchors count, and how many of these were in the view. */
export interface Evidence {
  readonly counted: number;
  readonly kept: number;
}

/** Calls that replace lines of a tool result or a user message. */
export interface LostEdits {
  readonly counted: number;
  /** Those with at least one such line missing from the view. */
  readonly lost: number;
}

/** How much of the text that a step uses is in the view. */
export interface MeasuredEvidence {
  readonly evidence: Evidence;
  /** The same for the lines that the step edits. */
  readonly editEvidence: Evidence;
  readonly lostEdits: LostEdits;
  /** The same for anchors and edited lines that the agent itself wrote first. The other two do not include these. */
  readonly ownEvidence: Evidence;
  /** The used text of the first two that is not in the view. */
  readonly missing: Missing;
}

const NONE: Evidence = { counted: 0, kept: 0 };
export const NO_EVIDENCE: MeasuredEvidence = {
  evidence: NONE,
  editEvidence: NONE,
  lostEdits: { counted: 0, lost: 0 },
  ownEvidence: NONE,
  missing: { anchors: 0, tokens: 0 },
};

/** The text that a step uses. */
interface UsedAnchors {
  readonly anchors: readonly string[];
  readonly edits: readonly string[];
  /** The same lines, grouped by the call that replaces them. */
  readonly editCalls: readonly (readonly string[])[];
}

/** The anchors that count; `own`: those that the agent wrote first. */
interface StepAnchors extends UsedAnchors {
  readonly own: readonly string[];
  /** Number of messages before the step. */
  readonly end: number;
}

/** The anchors that the steps of one segment use, and the texts that contain them. Shared by all policies. */
export class SegmentEvidence {
  readonly #index: AnchorIndex;
  readonly #steps: readonly StepAnchors[];
  /** By number of a text of the unpruned history. */
  readonly #places: readonly Place[];
  readonly #texts = new WeakMap<SentMessage, readonly number[]>();

  constructor(decoded: readonly DecodedMessage[], requests: readonly RecordedRequest[], kinds: ToolKinds) {
    const edited = new EditedLines(kinds);
    const edits = pairResults(decoded).map(({ parts }) => edited.read(parts));
    const used = requests.map(({ end }) => collectUsed(decoded, end, edits));
    const places = listPlaces(decoded);
    this.#index = new AnchorIndex(
      used.flatMap(({ anchors, edits }) => [...anchors, ...edits]),
      [...places.keys()],
    );
    this.#places = [...places.values()];
    this.#steps = requests.map(({ end }, i) => {
      const isFrom = (isInput: boolean) => (anchor: string) => {
        const first = this.#places[this.#index.holders(anchor)[0] ?? -1];
        return first !== undefined && first.message < end && first.isInput === isInput;
      };
      const { anchors = [], edits = [], editCalls = [] } = used[i] ?? {};
      return {
        anchors: anchors.filter(isFrom(true)),
        edits: edits.filter(isFrom(true)),
        editCalls: editCalls.map((lines) => lines.filter(isFrom(true))).filter((lines) => lines.length > 0),
        own: [...new Set([...anchors, ...edits])].filter(isFrom(false)),
        end,
      };
    });
  }

  /** Returns a view that follows the requests of this segment. */
  follow(): ViewEvidence {
    const textsOf = (message: SentMessage) => {
      const known = this.#texts.get(message) ?? message.texts.map((text) => this.#index.add(text));
      this.#texts.set(message, known);
      return known;
    };
    return new ViewEvidence(this.#index, this.#steps, this.#places, textsOf);
  }
}

/** Counts the texts in a view, so that a request costs only the changes since the last one. */
export class ViewEvidence {
  readonly #index: AnchorIndex;
  readonly #steps: readonly StepAnchors[];
  readonly #places: readonly Place[];
  readonly #textsOf: (message: SentMessage) => readonly number[];
  /** By text: how often it occurs in the view. */
  readonly #present: number[] = [];

  constructor(
    index: AnchorIndex,
    steps: readonly StepAnchors[],
    places: readonly Place[],
    textsOf: (message: SentMessage) => readonly number[],
  ) {
    this.#index = index;
    this.#steps = steps;
    this.#places = places;
    this.#textsOf = textsOf;
  }

  /** Changes the view from `before` to `now`; they share `common` messages. */
  move(before: readonly SentMessage[], now: readonly SentMessage[], common: number): void {
    for (let i = common; i < before.length; i++) this.#count(before[i], -1);
    for (let i = common; i < now.length; i++) this.#count(now[i], 1);
  }

  /** Measures how much of the text that the step for this request uses is in the view. */
  measure(request: number): MeasuredEvidence {
    const { anchors, edits, editCalls, own, end } = this.#steps[request] ?? NOTHING_USED;
    const [lost, lostLines, lostOwn] = [anchors, edits, own].map((used) => this.#listMissing(used));
    const gone = new Set(lostLines);
    const missing = new Set([...(lost ?? []), ...gone]);
    return {
      evidence: keptOf(anchors, lost),
      editEvidence: keptOf(edits, lostLines),
      lostEdits: {
        counted: editCalls.length,
        lost: editCalls.filter((lines) => lines.some((line) => gone.has(line))).length,
      },
      ownEvidence: keptOf(own, lostOwn),
      missing: { anchors: missing.size, tokens: this.#countFetched(missing, end) },
    };
  }

  #listMissing(anchors: readonly string[]): readonly string[] {
    const isPresent = (text: number): boolean => (this.#present[text] ?? 0) > 0;
    return anchors.filter((anchor) => !this.#index.holders(anchor).some(isPresent));
  }

  /** Tokens of the smallest parts before message `end` that contain these anchors. */
  #countFetched(anchors: ReadonlySet<string>, end: number): number {
    const fetched = new Map<Part, number>();
    for (const anchor of anchors) {
      let smallest: Place | undefined;
      for (const text of this.#index.holders(anchor)) {
        const place = this.#places[text];
        // Texts are numbered by their first places; texts of views come after all of these.
        if (place === undefined || place.message >= end) break;
        if (smallest === undefined || place.tokens < smallest.tokens) smallest = place;
      }
      if (smallest) fetched.set(smallest.part, Math.min(smallest.tokens, MOST_FETCHED));
    }
    return sum([...fetched.values()]);
  }

  #count(message: SentMessage | undefined, change: 1 | -1): void {
    if (!message) return;
    for (const text of this.#textsOf(message)) this.#present[text] = (this.#present[text] ?? 0) + change;
  }
}

const NOTHING_USED: StepAnchors = { anchors: [], edits: [], editCalls: [], own: [], end: 0 };

function keptOf(counted: readonly string[], missing: readonly string[] = []): Evidence {
  return { counted: counted.length, kept: counted.length - missing.length };
}

/** The anchors in what the response that begins at `end` says, in the inputs of its calls, and the lines that these edit. */
function collectUsed(
  decoded: readonly DecodedMessage[],
  end: number,
  edits: readonly (readonly (readonly string[])[])[],
): UsedAnchors {
  // A response may take several messages.
  let to = end + 1;
  while (decoded[to]?.isItem && decoded[to - 1]?.isItem) to++;
  const anchors = new Set<string>();
  for (const part of decoded.slice(end, to).flatMap(({ parts }) => parts)) {
    if (part.kind !== "text" && part.kind !== "call") continue;
    for (const text of listTexts(part)) for (const anchor of collectAnchors(text)) anchors.add(anchor);
  }
  // Calls that it writes as text are known by their outputs, in the user message behind it.
  const isAnswered = decoded[to]?.role === "user";
  const editCalls = edits.slice(end, isAnswered ? to + 1 : to).flat();
  return { anchors: [...anchors], edits: [...new Set(editCalls.flat())], editCalls };
}

/** Where a text occurs first. */
interface Place {
  readonly message: number;
  readonly part: Part;
  /** Of the whole part. */
  readonly tokens: number;
  /** Is it in a tool result or a user message, and not in the model's own text? */
  readonly isInput: boolean;
}

/** All texts of a segment, in order of their first places. */
function listPlaces(decoded: readonly DecodedMessage[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const [message, { parts }] of decoded.entries()) {
    for (const part of parts) {
      const isInput = part.kind === "result" || part.role === "user";
      const texts = listTexts(part).filter((text) => !places.has(text));
      const tokens = texts.length > 0 ? countPart(part) : 0;
      for (const text of texts) places.set(text, { message, part, tokens, isInput });
    }
  }
  return places;
}
