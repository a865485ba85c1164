import { takeHead } from "./lines.ts";
import { omission, type Summarizer } from "./summary.ts";

const HEAD = 500;

/** The first 500 characters, cut at a line. */
export const summarizeCodeStructure: Summarizer = (_, text) => {
  const { head, omitted } = takeHead(text, HEAD);
  return omitted === 0 ? undefined : `${head}\n${omission(omitted)}`;
};
