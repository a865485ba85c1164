import { addDays, monthOf } from "../../../analysis/calendar.ts";
import type { Grouping } from "../../../analysis/group-analyses.ts";

/** With more, the bars would become lines: then only days with requests are shown side by side. */
const MOST = 200;

/** All days, weeks or months from the first to the last, including those without requests. */
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
