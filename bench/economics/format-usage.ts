import { basename } from "node:path";
import { type Column, formatTable, spread, type UsageComparison } from "../../src/replay/index.ts";
import type { SessionFit } from "./fit-session.ts";

interface Row {
  readonly name: string;
  readonly usage: UsageComparison;
  readonly heldOut: UsageComparison | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  ["session", ({ name }) => name],
  ["requests", ({ usage }) => String(usage.requests)],
  ["tokens, model/recorded", ({ usage }) => ratio(usage, "tokens").toFixed(3)],
  ["cached, model", ({ usage }) => percent(usage.modelled.cached / usage.modelled.tokens)],
  ["recorded", ({ usage }) => percent(usage.recorded.cached / usage.recorded.tokens)],
  ["bill, error", ({ usage }) => percent(errorOf(usage))],
  [
    "held out: cached, model",
    ({ heldOut }) => percent(heldOut && heldOut.modelled.cached / heldOut.modelled.tokens),
  ],
  ["bill, error", ({ heldOut }) => percent(heldOut && errorOf(heldOut))],
];

/** A line for each session with usage of two requests or more, and how the errors are spread. */
export function formatUsage(fits: readonly SessionFit[]): string {
  const rows = fits.flatMap(({ file, models, usage, heldOut }): readonly Row[] =>
    usage && usage.requests > 1 ? [{ name: nameSession(file, models), usage, heldOut }] : [],
  );
  if (rows.length === 0) return "";
  return [
    formatTable(COLUMNS, rows),
    describeErrors(
      "Fitted to the session's own usage",
      rows.map(({ usage }) => errorOf(usage)),
    ),
    describeErrors(
      "Each fifth of a session foretold from the other four",
      rows.flatMap(({ heldOut }) => (heldOut ? [errorOf(heldOut)] : [])),
    ),
  ].join("\n");
}

function nameSession(file: string, models: readonly string[]): string {
  const name = basename(file).replace(/\.(?:jsonl?|traj)(?:\.json)?(?:\.gz)?$/, "");
  return `${name.slice(-24)} ${models[0] ?? ""}`;
}

function describeErrors(what: string, errors: readonly number[]): string {
  const sizes = errors.map(Math.abs).toSorted((a, b) => a - b);
  const all = spread(sizes);
  if (!all) return "";
  const near = sizes.filter((size) => size <= 0.1).length;
  const nine = sizes[Math.ceil(sizes.length * 0.9) - 1];
  return `${what} (${sizes.length} sessions): error of the bill, median ${percent(all.median)}, 9 of 10 within ${percent(nine)}, ${near} of ${sizes.length} within 10%, worst ${percent(all.most)}`;
}

function errorOf(usage: UsageComparison): number {
  return ratio(usage, "bill") - 1;
}

function ratio({ modelled, recorded }: UsageComparison, of: "tokens" | "bill"): number {
  return modelled[of] / recorded[of];
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(share * 100).toFixed(1)}%`;
}
