import type { CallFact } from "../../facts/calls.ts";
import type { Facts } from "../../facts/facts.ts";
import { showsFiles } from "../../facts/files.ts";
import type { Risk } from "../../risk/risk.ts";

/** A symbol that more parts show (the message, a search for it, the view) does not point to one of them. */
const MOST_SHOWING = 3;

/** For a result that shows files: a function that returns their current state in the work. */
export function watchWork({ taskFiles, shownNames, named }: Facts, fact: CallFact): Pick<Risk, "work"> {
  if (!showsFiles(fact.use)) return {};
  const showsNamed = shownNames.holdsRare(fact.result, MOST_SHOWING, (name) => named.isByUser(name));
  return { work: () => taskFiles.stateOf(fact, showsNamed) };
}
