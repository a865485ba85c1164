import { formatByName } from "../../../src/formats/detect.ts";
import type { Recording, Segment } from "../../../src/recordings/index.ts";
import type { ReplayPolicy } from "../../../src/replay/index.ts";
import { listRequests } from "../../../src/replay/requests.ts";
import type { DecodedMessage } from "../../../src/transcript/message.ts";
import { CallNames, splitUnits, type Unit } from "./units.ts";
import { type Verdict, ViewMaker } from "./view-maker.ts";

/** A library on one segment: called once for each request with the units that are new in it. */
export type Peer = (names: CallNames) => (added: readonly Unit[]) => Verdict | Promise<Verdict>;

/** Asks a library for all its views, as it answers in its own time, and gives them as a policy. */
export async function askLibrary(name: string, recording: Recording, peer: Peer): Promise<ReplayPolicy> {
  const views: ReadonlyMap<number, readonly unknown[]>[] = [];
  for (const segment of recording.segments) views.push(await askForSegment(recording, segment, peer));
  return {
    name,
    start:
      () =>
      (messages, { segment }) =>
        views[segment]?.get(messages.length) ?? messages,
  };
}

async function askForSegment(
  { format: formatName }: Recording,
  segment: Segment,
  peer: Peer,
): Promise<ReadonlyMap<number, readonly unknown[]>> {
  const format = formatByName(formatName);
  const decoded: readonly DecodedMessage[] = segment.messages.map((message) => format.decode(message));
  const names = new CallNames();
  const decide = peer(names);
  const maker = new ViewMaker(formatName);
  const views = new Map<number, readonly unknown[]>();
  let seen = 0;
  for (const { end } of listRequests(segment, decoded)) {
    const units = splitUnits(decoded.slice(seen, end), seen);
    seen = end;
    names.take(units);
    const verdict = await decide(units);
    views.set(
      end,
      maker.make(segment.messages.slice(0, end), (i) => decoded[i]?.parts ?? [], verdict),
    );
  }
  return views;
}
