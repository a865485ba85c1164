import { type FileRule, isView } from "./current-operations.ts";

/** Any operation on a file makes all older ones stale, except views of lines that it does not cover. */
export const STRICT: FileRule = {
  replacesAll: ({ touch }) => touch.range === undefined,
  replacesViews: () => true,
  replacesOthers: () => true,
};

/** Only a view makes older views stale. A view of the whole file also makes the edits before it stale. */
export const VIEWS: FileRule = {
  replacesAll: (newer) => isView(newer) && newer.touch.range === undefined,
  replacesViews: isView,
  replacesOthers: () => false,
};
