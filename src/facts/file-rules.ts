import { type FileRule, isView } from "./current-operations.ts";

/** Whatever happens to a file makes everything older stale, but for what shows other lines. */
export const STRICT: FileRule = {
  replacesAll: ({ touch }) => touch.range === undefined,
  replacesViews: () => true,
  replacesOthers: () => true,
};

/** Only what shows a file makes stale what was shown of it; what shows all of it, the edits before it too. */
export const VIEWS: FileRule = {
  replacesAll: (newer) => isView(newer) && newer.touch.range === undefined,
  replacesViews: isView,
  replacesOthers: () => false,
};
