import type { Sign, TextKind } from "../../src/risk/need-table.ts";
import type { Result } from "./collect-uses.ts";
import { fitRows, listRows, measureDeviance, withoutWork } from "./fit-edits.ts";
import { AGES } from "./watch-work.ts";

const KINDS: readonly TextKind[] = ["view", "search", "run", "git", "other"];
const SIGNS: readonly Sign[] = ["named", "beside", "none"];

export function formatNames(results: readonly Result[]): string {
  const out: string[] = ["uses of a name that stands nowhere else, per 1,000 such names:"];
  for (const kind of KINDS) {
    const row = SIGNS.map((sign) => {
      const names = results
        .filter((each) => each.kind === kind)
        .flatMap((each) => each.names)
        .filter((each) => each.sign === sign);
      const uses = names.reduce(
        (sum, { uses: own }) => sum + own.reduce((all, { weight }) => all + weight, 0),
        0,
      );
      return `${sign} ${((1000 * uses) / Math.max(1, names.length)).toFixed(1)} (${names.length}, ${uses.toFixed(0)})`;
    });
    out.push(`  ${kind.padEnd(7)} ${row.join("  ")}`);
  }
  const ages = results.flatMap((each) => each.names.flatMap(({ uses }) => uses));
  const all = ages.reduce((sum, { weight }) => sum + weight, 0);
  out.push(
    `share of these uses after N steps: ${AGES.map((age) => `${age}: ${((100 * ages.filter((each) => each.age >= age).reduce((sum, { weight }) => sum + weight, 0)) / all).toFixed(0)}%`).join("  ")}`,
  );
  return out.join("\n");
}

/** What was counted of edits, as factors. */
export function formatEdits(results: readonly Result[]): string {
  const { factors } = fitRows(listRows(results));
  const line = (factor: ReadonlyMap<string, number>, digits: number) =>
    [...factor].map(([key, value]) => `${key}: ${value.toFixed(digits)}`).join("  ");
  return [
    "edits of a result's lines, right after it was seen:",
    `  ${line(factors.size, 3)}`,
    "the share that is still to come, by age in requests:",
    `  ${line(factors.age, 2)}`,
    "more or fewer of them, by where the files of a view stand:",
    `  ${line(factors.work, 2)}`,
  ].join("\n");
}

/** Each project foretold by all others, with and without the state of the work. */
export function formatLeftOut(projects: ReadonlyMap<string, readonly Result[]>): string {
  const lines = [...projects].flatMap(([project, results]) => {
    const rows = listRows(results);
    if (rows.length === 0) return [];
    const others = [...projects].flatMap(([other, own]) => (other === project ? [] : listRows(own)));
    const fit = fitRows(others);
    const blind = fitRows(others.map(withoutWork));
    const counted = rows.reduce((sum, { edits }) => sum + edits, 0);
    const expected = rows.reduce((sum, row) => sum + fit.expect(row), 0);
    const [seen, unseen] = [measureDeviance(rows, fit), measureDeviance(rows.map(withoutWork), blind)];
    return `  ${project}: counted ${counted}, expected ${expected.toFixed(0)}; deviance ${seen.toFixed(0)}, without the state of the work ${unseen.toFixed(0)}`;
  });
  return ["each project foretold by all others:", ...lines].join("\n");
}
