import type { Received } from "../provider/provider.ts";
import { partsOf } from "../sdk/session.ts";

/** The texts of all results in a request, in order. */
export function resultsIn(request: Received): readonly string[] {
  return partsOf(request).flatMap(({ kind, leaves }) =>
    kind === "result" ? [leaves.map(({ text }) => text).join("\n")] : [],
  );
}
