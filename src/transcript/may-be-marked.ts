import { remember } from "../basics/remember.ts";
import type { Leaf } from "./part.ts";

/** May the text hold a mark of Coppice's? All have ` · ` in them. The dot is looked for first: it is rare, a blank is not. */
export const mayBeMarked: (leaf: Leaf) => boolean = remember(
  ({ text }) => text.includes("·") && text.includes(" · "),
);
