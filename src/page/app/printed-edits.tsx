import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { countOf, formatNumber, formatSaved } from "./format.ts";
import { useIsPrinting } from "./use-is-printing.ts";
import { nameOf } from "./words.ts";

/** On paper, longer lists are cut off here. */
const MOST = 400;

/** For paper, where nothing unfolds and a transcript would take hundreds of pages: one line per edit. */
export function PrintedEdits({ data }: { readonly data: ReportData }): JSX.Element | null {
  const isPrinting = useIsPrinting();
  const active = data.edits.filter(({ undone }) => !undone);
  if (!isPrinting || active.length === 0) return null;
  const listed = active
    .toSorted((a, b) => b.saved - a.saved)
    .slice(0, MOST)
    .toSorted((a, b) => a.request - b.request);
  return (
    <section class="panel long" aria-labelledby="printed-edits">
      <h2 id="printed-edits">Edits</h2>
      <p class="note">
        {listed.length < active.length
          ? `The largest ${formatNumber(MOST)} of ${countOf(active.length, "edit")}.`
          : `All ${countOf(active.length, "edit")}.`}{" "}
        The transcript, with the originals in place, is on the page itself and is not printed.
      </p>
      <table class="edits">
        <thead>
          <tr>
            <th scope="col">request</th>
            <th scope="col">part</th>
            <th scope="col">why</th>
            <th scope="col">tokens</th>
          </tr>
        </thead>
        <tbody>
          {listed.map(({ ref, request, mechanism, reason, saved, parts }) => (
            <tr key={ref}>
              <td>{formatNumber(request + 1)}</td>
              <td>{nameParts(data, parts)}</td>
              <td>
                <strong>{mechanism}</strong> {reason} <code>{ref}</code>
              </td>
              <td>{formatSaved(saved)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function nameParts({ parts }: ReportData, [first = -1, ...others]: readonly number[]): string {
  const part = parts[first];
  if (!part) return "";
  const name = part.title === "" ? nameOf(part) : part.title;
  const more = others.length > 0 ? ` and ${countOf(others.length, "other part")}` : "";
  return `#${formatNumber(first + 1)} ${name}${more}`;
}
