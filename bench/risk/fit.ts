import type { Sign, TextKind } from "../../src/risk/need-table.ts";
import type { Result } from "./collect-uses.ts";

const KINDS: readonly TextKind[] = ["view", "search", "run", "git", "other"];
const SIGNS: readonly Sign[] = ["named", "beside", "none"];
const AGES = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80];
const SIZES = [300, 800, 1_500, 3_000, 6_000, Number.POSITIVE_INFINITY];

export function formatTables(results: readonly Result[]): string {
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
    `of these after so many steps: ${AGES.map((age) => `${age}: ${((100 * ages.filter((each) => each.age >= age).reduce((sum, { weight }) => sum + weight, 0)) / all).toFixed(0)}%`).join("  ")}`,
  );
  out.push("edits of a result's lines, per 100 results:");
  for (const kind of KINDS) {
    const row = SIZES.map((size, i) => {
      const own = results.filter(
        (each) => each.kind === kind && each.tokens < size && each.tokens >= (SIZES[i - 1] ?? 0),
      );
      const edits = own.reduce((sum, each) => sum + each.edits.length, 0);
      return `<${size} ${((100 * edits) / Math.max(1, own.length)).toFixed(0)} (${own.length})`;
    });
    out.push(`  ${kind.padEnd(7)} ${row.join("  ")}`);
  }
  const edits = results.flatMap((each) => each.edits);
  out.push(
    `of these after so many steps: ${AGES.map((age) => `${age}: ${((100 * edits.filter((each) => each >= age).length) / edits.length).toFixed(0)}%`).join("  ")}`,
  );
  return out.join("\n");
}
