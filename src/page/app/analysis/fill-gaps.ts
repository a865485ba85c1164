import { addDays, monthOf } from "../../../analysis/calendar.ts";
import type { Grouping } from "../../../analysis/group-analyses.ts";

/** More would be no bars any more, but lines: then only the days that there are stand side by side. */
const MOST = 200;

/** All days, weeks or months from the first to the last, also those on which nothing was done. */
export function fillGaps(names: readonly string[], unit: Grouping): readonly string[] {
  const [first, last] = [names[0], names.at(-1)];
  if (first === undefined || last === undefined) return [];
  const filled: string[] = [];
  for (let name = first; name <= last; name = follow(name, unit)) {
    if (filled.length === MOST) return names;
    filled.push(name);
  }
  return filled;
}

function follow(name: string, unit: Grouping): string {
  if (unit === "month") return monthOf(addDays(`${name}-01`, 31));
  return addDays(name, unit === "week" ? 7 : 1);
}
