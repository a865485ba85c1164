import { Facts } from "../../src/facts/facts.ts";
import { showsFiles } from "../../src/facts/files.ts";
import type { WorkState } from "../../src/facts/task-files.ts";
import { Intake } from "../../src/formats/intake/intake.ts";
import type { RecordedRequest } from "../../src/replay/requests.ts";
import { watchWork } from "../../src/strategies/replacing/watch-work.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { DecodedMessage } from "../../src/transcript/message.ts";

/** The ages at which views are looked at, in requests since the first that showed them. */
export const AGES: readonly number[] = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80];

/** By the result of a view (its number among all parts): where its files stood at each of these ages. */
export function watchViews(
  decoded: readonly DecodedMessage[],
  requests: readonly RecordedRequest[],
): ReadonlyMap<number, readonly WorkState[]> {
  const intake = new Intake();
  const facts = new Facts(intake.transcript, createToolKinds(), { pruneProtect: 40_000 });
  const states = new Map<number, WorkState[]>();
  const watched: { readonly born: number; readonly part: number; readonly look: () => WorkState }[] = [];
  let [end, seen] = [0, 0];
  for (const [now, request] of requests.entries()) {
    intake.append(decoded.slice(end, request.end));
    end = request.end;
    const { completed } = facts.ingest(seen, intake.transcript.length);
    seen = intake.transcript.length;
    for (const fact of completed) {
      const { work } = watchWork(facts, fact);
      if (work && showsFiles(fact.use)) watched.push({ born: now, part: fact.result, look: work });
    }
    for (const { born, part, look } of watched) {
      if (!AGES.includes(now - born)) continue;
      const known = states.get(part);
      if (known) known.push(look());
      else states.set(part, [look()]);
    }
  }
  return states;
}
