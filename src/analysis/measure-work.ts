import { CallFacts } from "../facts/calls.ts";
import { Work } from "../facts/work.ts";
import type { WorkCounts } from "../facts/work-counts.ts";
import { formatByName } from "../formats/detect.ts";
import { decodeMessages } from "../formats/intake/decode.ts";
import { Intake } from "../formats/intake/intake.ts";
import type { Recording, Segment } from "../recordings/recording.ts";
import { listRequests } from "../replay/requests.ts";
import { createToolKinds } from "../tool-kinds/tool-kinds.ts";

/** For each request of a session, in order, signs of how the agent's work goes: see `WorkCounts`. */
export function measureWork(recording: Recording): readonly WorkCounts[] {
  return recording.segments.flatMap((segment) => measureSegment(segment, recording));
}

function measureSegment(segment: Segment, { format, project }: Recording): readonly WorkCounts[] {
  const decoded = decodeMessages(formatByName(format), segment.messages);
  const intake = new Intake();
  const { transcript } = intake;
  const calls = new CallFacts(transcript, createToolKinds(), project);
  const work = new Work(transcript);
  const take = (from: number, to: number): WorkCounts => {
    const at = transcript.length;
    intake.append(decoded.slice(from, to));
    return work.ingest(at, transcript.length, calls.ingest(at, transcript.length));
  };
  // Messages that a compaction kept were counted before.
  take(0, segment.carried);
  let last = segment.carried;
  return listRequests(segment, decoded).map(({ end }) => {
    const counts = take(last, end);
    last = end;
    return counts;
  });
}
