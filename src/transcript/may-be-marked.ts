import { remember } from "../basics/remember.ts";
import type { Leaf } from "./part.ts";

/**
 * May the text contain a marker of Coppice? All contain ` · `. The dot is searched first, because it is rarer than
 * a blank.
 */
export const mayBeMarked: (leaf: Leaf) => boolean = remember(
  ({ text }) => text.includes("·") && text.includes(" · "),
);
