import { findNames, listLiterals } from "../../src/facts/literals.ts";
import type { WorkState } from "../../src/facts/task-files.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { joinResponses } from "../../src/formats/intake/decode.ts";
import type { Recording, Segment } from "../../src/recordings/index.ts";
import { AnchorIndex } from "../../src/replay/anchor-index.ts";
import { collectAnchors, collectEditAnchors } from "../../src/replay/anchors.ts";
import { listRequests } from "../../src/replay/requests.ts";
import { listTexts } from "../../src/replay/sent-view.ts";
import { kindOfText, type Sign, type TextKind } from "../../src/risk/need-table.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { ToolUse } from "../../src/tool-kinds/tool-use.ts";
import type { DecodedMessage } from "../../src/transcript/message.ts";
import type { Part } from "../../src/transcript/part.ts";
import { countPart } from "../../src/transcript/transcript.ts";
import { watchViews } from "./watch-work.ts";

/** A result of a recorded session, and what of it was needed again after the step that saw it. */
export interface Result {
  readonly kind: TextKind;
  readonly tokens: number;
  /** Names that no other part had when the next request was made. */
  readonly names: readonly NameUse[];
  /** Steps between the result and each later edit whose lines stand in no newer part. */
  readonly edits: readonly number[];
  /** Requests that came after the one that first showed it. */
  readonly followed: number;
  /** For views: where their files stood at each of the `AGES`. */
  readonly work: readonly WorkState[] | undefined;
}

export interface NameUse {
  readonly sign: Sign;
  /**
   * Steps between the result and each later use, while no other part has the name; and what of that step this name is:
   * a step that needs five names is one step.
   */
  readonly uses: readonly { readonly age: number; readonly weight: number }[];
}

const LEAST_TOKENS = 80;
const LEAST_REQUESTS = 30;

/** The results of a session of some length. */
export function collectUses(recording: Recording): readonly Result[] {
  return recording.segments.flatMap((segment) => {
    const format = formatByName(recording.format);
    return collectFrom(segment, joinResponses(segment.messages.map((message) => format.decode(message))));
  });
}

interface Placed {
  readonly part: Part;
  readonly message: number;
  readonly texts: readonly string[];
}

function collectFrom(segment: Segment, decoded: readonly DecodedMessage[]): readonly Result[] {
  const requests = listRequests(segment, decoded);
  if (requests.length < LEAST_REQUESTS) return [];
  const work = watchViews(decoded, requests);
  const kinds = createToolKinds();
  const firstRequest = decoded.map((_, message) => requests.findIndex(({ end }) => end > message));
  const parts: Placed[] = decoded.flatMap(({ parts: own }, message) =>
    own.map((part) => ({ part, message, texts: listTexts(part) })),
  );
  const uses = new Map<string, ToolUse>();
  for (const { part } of parts)
    if (part.kind === "call") uses.set(part.callId, kinds.describe(part.tool, part.input));
  const steps = requests.map(({ end }) => {
    let to = end + 1;
    while (decoded[to]?.isItem && decoded[to - 1]?.isItem) to++;
    const said = decoded.slice(end, to).flatMap((each) => each.parts);
    const calls = said.flatMap((part) => (part.kind === "call" ? [part] : []));
    const anchors = said
      .filter(({ kind }) => kind === "text" || kind === "call")
      .flatMap((part) => listTexts(part).flatMap((text) => [...collectAnchors(text)]));
    const edits = calls
      .filter((part) => uses.get(part.callId)?.kind === "edit")
      .flatMap((part) => [...collectEditAnchors(part)]);
    return { anchors: new Set(anchors), edits: new Set(edits) };
  });
  const holders = indexHolders(parts, steps);

  const needs = new Map<
    number,
    { readonly step: number; readonly anchor: string; readonly isEdit: boolean }[]
  >();
  for (const [step, { anchors, edits }] of steps.entries()) {
    const end = requests[step]?.end ?? 0;
    for (const [anchor, isEdit] of [
      ...[...anchors].map((each) => [each, false] as const),
      ...[...edits].map((each) => [each, true] as const),
    ]) {
      const before = holders(anchor).filter((i) => (parts[i]?.message ?? 0) < end);
      // Names are needed where they stand alone, lines where they stand last: edits change them.
      const holder = isEdit ? before.at(-1) : before.length === 1 ? before[0] : undefined;
      if (holder === undefined || parts[holder]?.part.kind !== "result") continue;
      const own = needs.get(holder) ?? [];
      needs.set(holder, own);
      own.push({ step, anchor, isEdit });
    }
  }

  const withName = new Map<string, number[]>();
  const named = new Map<string, number>();
  for (const [i, { part, message, texts }] of parts.entries()) {
    if (part.kind === "reasoning") continue;
    for (const name of new Set(texts.flatMap((text) => [...findNames(text).keys()]))) {
      const own = withName.get(name);
      if (own) own.push(i);
      else withName.set(name, [i]);
    }
    const isSaid = part.kind === "call" || (part.kind === "text" && part.role !== "system");
    if (!isSaid) continue;
    for (const text of texts)
      if (text.length <= 2_000)
        for (const literal of listLiterals(text)) if (!named.has(literal)) named.set(literal, message);
  }

  return parts.flatMap(({ part, message, texts }, i): readonly Result[] => {
    if (part.kind !== "result" || countPart(part) < LEAST_TOKENS) return [];
    const first = firstRequest[message] ?? -1;
    const seen = first < 0 ? undefined : requests[first + 1]?.end;
    if (seen === undefined) return [];
    const later = (needs.get(i) ?? []).filter(({ step }) => step > first);
    const ofStep = new Map<number, number>();
    for (const { step } of later) ofStep.set(step, (ofStep.get(step) ?? 0) + 1);
    const lines = texts.flatMap((text) => text.split("\n"));
    const isNamed = lines.map((line) =>
      [...listLiterals(line)].some((literal) => (named.get(literal) ?? seen) < seen),
    );
    const found = new Set<string>();
    const names = lines.flatMap((line, at) =>
      [...findNames(line).keys()].flatMap((name): readonly NameUse[] => {
        if (found.has(name)) return [];
        found.add(name);
        if ((withName.get(name) ?? []).some((other) => other !== i && (parts[other]?.message ?? 0) < seen))
          return [];
        const beside = [1, 2].some((far) => isNamed[at - far] || isNamed[at + far]);
        const own = later.filter(({ anchor, isEdit }) => !isEdit && name.includes(anchor));
        return [
          {
            sign: isNamed[at] ? "named" : beside ? "beside" : "none",
            uses: own.map(({ step }) => ({ age: step - first, weight: 1 / (ofStep.get(step) ?? 1) })),
          },
        ];
      }),
    );
    const edits = [...new Set(later.filter(({ isEdit }) => isEdit).map(({ step }) => step))];
    const use = uses.get(part.callId);
    return [
      {
        kind: use ? kindOfText(use) : "other",
        tokens: countPart(part),
        names,
        edits: edits.map((step) => step - first),
        followed: requests.length - 1 - first,
        work: work.get(i),
      },
    ];
  });
}

function indexHolders(
  parts: readonly Placed[],
  steps: readonly { readonly anchors: ReadonlySet<string>; readonly edits: ReadonlySet<string> }[],
): (anchor: string) => readonly number[] {
  const places = new Map<string, number[]>();
  for (const [i, { texts }] of parts.entries())
    for (const text of new Set(texts)) {
      const own = places.get(text);
      if (own) own.push(i);
      else places.set(text, [i]);
    }
  const texts = [...places.keys()];
  const index = new AnchorIndex(
    steps.flatMap(({ anchors, edits }) => [...anchors, ...edits]),
    texts,
  );
  return (anchor) =>
    index
      .holders(anchor)
      .flatMap((text) => places.get(texts[text] ?? "") ?? [])
      .toSorted((a, b) => a - b);
}
