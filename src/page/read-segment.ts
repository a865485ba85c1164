import { describeUse } from "../agent/subject.ts";
import type { Cut } from "../edits/edit.ts";
import { Ledger } from "../edits/ledger.ts";
import { View } from "../edits/view.ts";
import { CallFacts } from "../facts/calls.ts";
import type { Format } from "../formats/format.ts";
import { decodeMessages } from "../formats/intake/decode.ts";
import { takeIn } from "../formats/intake/intake.ts";
import type { TextProtocol } from "../formats/text-protocols/text-protocol.ts";
import type { Segment } from "../recordings/recording.ts";
import { mechanismOf } from "../reports/tally.ts";
import { describeRisk } from "../risk/describe-risk.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { EditData, PartData } from "./data.ts";
import type { SegmentLog } from "./segment-log.ts";
import { splitLeaves } from "./split-leaves.ts";

/** The number of the segment, and the number of parts and edits before it. */
export interface SegmentPlace {
  readonly segment: number;
  readonly parts: number;
  readonly edits: number;
}

export interface ReadingRules {
  readonly format: Format;
  readonly kinds: ToolKinds;
  readonly textProtocols: readonly TextProtocol[];
}

export interface SegmentContent {
  readonly parts: readonly PartData[];
  readonly edits: readonly EditData[];
}

/** The parts of a segment as its last request showed them. The answer to that request is unchanged. */
export function readSegment(
  segment: Segment,
  log: SegmentLog,
  place: SegmentPlace,
  { format, kinds, textProtocols }: ReadingRules,
): SegmentContent {
  const decoded = decodeMessages(format, segment.messages, segment.meta, [], textProtocols);
  const { transcript } = takeIn(decoded);
  const calls = new CallFacts(transcript, kinds, undefined);
  calls.ingest(0, transcript.length);
  const ledger = new Ledger(transcript.undoLog);
  const view = new View(transcript, ledger);
  view.extend(() => undefined);
  for (const { edit, request } of log.entries) view.refresh(ledger.record(edit, request));

  const editsOf = new Map<number, number[]>();
  const numberOf = new Map<string, number>();
  const edits = listCuts(log).map(({ cut, request, undone }, i): EditData => {
    const touched = (cut.type === "drop" ? cut.parts : [cut.part]).flatMap(
      (key) => transcript.find(key) ?? [],
    );
    numberOf.set(cut.id, place.edits + i);
    for (const part of touched) editsOf.set(part, [...(editsOf.get(part) ?? []), place.edits + i]);
    return {
      ref: cut.ref,
      type: cut.type,
      mechanism: mechanismOf(cut),
      reason: cut.reason,
      request,
      saved: cut.saved,
      ...(cut.risk && { risk: describeRisk(cut.risk) }),
      parts: touched.map((part) => place.parts + part),
      ...(undone && { undone }),
    };
  });

  let next = 0;
  const parts = transcript.parts.map((part, i): PartData => {
    while ((log.requests[next]?.messages ?? Number.POSITIVE_INFINITY) <= (transcript.message[i] ?? 0)) next++;
    const request = log.requests[next]?.index;
    const key = transcript.key(i);
    const drop = ledger.cutsOf(key).findLast(({ type }) => type === "drop");
    const dropped = drop && numberOf.get(drop.id);
    const use = calls.of(i)?.use ?? calls.useOf(i);
    return {
      segment: place.segment,
      kind: part.kind,
      role: part.role,
      ...(use && { tool: use.name }),
      title: use ? describeUse(use) : part.kind === "marker" ? part.name : "",
      ...(part.kind === "result" && { status: part.status }),
      ...(request !== undefined && { request }),
      tokens: transcript.tokens[i] ?? 0,
      shown: view.tokens[i] ?? 0,
      leaves: splitLeaves(part, ledger.replacements(key), (id) => numberOf.get(id) ?? 0),
      edits: editsOf.get(i) ?? [],
      ...(dropped !== undefined && { dropped }),
    };
  });
  return { parts, edits };
}

interface LoggedCut extends Pick<EditData, "request" | "undone"> {
  readonly cut: Cut;
}

/** The cuts of a segment, each with its undo, if there is one. */
function listCuts(log: SegmentLog): readonly LoggedCut[] {
  const undone = new Map(
    log.entries.flatMap((entry) => {
      if (entry.edit.type !== "undo") return [];
      return [[entry.edit.target, { request: log.requestOf(entry), reason: entry.edit.reason }] as const];
    }),
  );
  return log.entries.flatMap((entry) => {
    if (entry.edit.type === "undo") return [];
    const back = undone.get(entry.edit.id);
    return [{ cut: entry.edit, request: log.requestOf(entry), ...(back && { undone: back }) }];
  });
}
