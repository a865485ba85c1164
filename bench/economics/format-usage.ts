import { basename } from "node:path";
import { formatTable, type ReplayColumn, spread, type UsageComparison } from "../../src/replay/index.ts";
import type { SessionFit } from "./fit-session.ts";

interface Row {
  readonly name: string;
  readonly usage: UsageComparison;
  readonly heldOut: UsageComparison | undefined;
}

const COLUMNS: readonly ReplayColumn<Row>[] = [
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

/** A line for each session with usage of two requests or more. */
export function formatUsage(fits: readonly SessionFit[]): string {
  const rows = listRows(fits);
  return rows.length === 0 ? "" : formatTable(COLUMNS, rows);
}

const ERRORS: readonly ReplayColumn<Errors>[] = [
  ["error of a session's bill for input", ({ what }) => what],
  ["sessions", ({ sizes }) => String(sizes.length)],
  ["median", ({ sizes }) => percent(spread(sizes)?.median)],
  ["9 of 10 within", ({ sizes }) => percent(sizes[Math.ceil(sizes.length * 0.9) - 1])],
  ["within 10%", ({ sizes }) => String(sizes.filter((size) => size <= 0.1).length)],
  ["worst", ({ sizes }) => percent(sizes.at(-1))],
];

interface Errors {
  readonly what: string;
  /** Smallest first. */
  readonly sizes: readonly number[];
}

/** How the errors of the bill are spread over the sessions. */
export function formatErrors(fits: readonly SessionFit[]): string {
  const rows = listRows(fits);
  if (rows.length === 0) return "";
  const sort = (errors: readonly number[]) => errors.map(Math.abs).toSorted((a, b) => a - b);
  return formatTable(ERRORS, [
    { what: "fitted to the session's own usage", sizes: sort(rows.map(({ usage }) => errorOf(usage))) },
    {
      what: "each fifth foretold from the other four",
      sizes: sort(rows.flatMap(({ heldOut }) => (heldOut ? [errorOf(heldOut)] : []))),
    },
  ]);
}

function listRows(fits: readonly SessionFit[]): readonly Row[] {
  return fits.flatMap(({ file, models, usage, heldOut }): readonly Row[] =>
    usage && usage.requests > 1 ? [{ name: nameSession(file, models), usage, heldOut }] : [],
  );
}

function nameSession(file: string, models: readonly string[]): string {
  const name = basename(file).replace(/\.(?:jsonl?|traj)(?:\.json)?(?:\.gz)?$/, "");
  return `${name.slice(-24)} ${models[0] ?? ""}`;
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
