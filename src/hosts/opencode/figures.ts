import type { Report } from "../../report.ts";
import type { Figures } from "./statistics-file.ts";

/** What the statistics keep of a session. */
export function figuresOf({ edits, tokens, bill }: Report): Figures {
  const cuts: Record<string, number> = {};
  for (const { edit } of edits) if (edit.type !== "undo") cuts[edit.author] = (cuts[edit.author] ?? 0) + 1;
  return {
    cuts,
    tokensSaved: tokens.saved,
    bill: { with: bill.with, without: bill.without },
    dollars: bill.dollars ?? { with: 0, without: 0 },
  };
}
