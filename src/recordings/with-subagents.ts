import { calledTools } from "./called-tools.ts";
import type { PaidRequest, Recording } from "./recording.ts";

/** The session with the calls and costs of its subagents, which have their own recordings. */
export function withSubagents(recording: Recording, subagents: readonly Recording[]): Recording {
  if (subagents.length === 0) return recording;
  return {
    ...recording,
    asides: [...recording.asides, ...subagents.flatMap(listPaid)],
    calledBeside: [...new Set(subagents.flatMap(calledTools))],
  };
}

/** Requests without recorded tokens or cost are left out. */
function listPaid({ segments, asides }: Recording): readonly PaidRequest[] {
  const own = segments.flatMap(({ meta, carried }) =>
    meta.slice(carried).flatMap(({ time, model, usage, cost }): readonly Omit<PaidRequest, "kind">[] =>
      usage || cost !== undefined
        ? [
            {
              ...(time !== undefined && { time }),
              ...(model !== undefined && { model }),
              ...(usage && { usage }),
              ...(cost !== undefined && { cost }),
            },
          ]
        : [],
    ),
  );
  return [...own, ...asides].map((paid) => ({ ...paid, kind: "subagent" }));
}
