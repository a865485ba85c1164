import { takeHead } from "./lines.ts";
import { omission, type Summarizer } from "./summary.ts";

const HEAD_CHARACTERS = 500;

/** The first 500 characters, cut at a line. */
export const summarizeCodeStructure: Summarizer = (_, text) => {
  const { head, omitted } = takeHead(text, HEAD_CHARACTERS);
  return omitted === 0 ? undefined : `${head}\n${omission(omitted)}`;
};
