import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { countOf, formatNumber, formatSaved } from "./format.ts";
import { Panel } from "./panel.tsx";
import { countMechanisms, type Filter } from "./select-parts.ts";
import { MECHANISM_WORDS, REASON_WORDS } from "./words.ts";

interface CutListProps {
  readonly data: ReportData;
  readonly goTo: (part: number | undefined) => void;
  readonly filterBy: (show: Filter["show"]) => void;
}

/** The cuts, by mechanism and by request. */
export function CutList({ data, goTo, filterBy }: CutListProps): JSX.Element {
  const cuts = data.requests.flatMap(({ cut }, request) => (cut ? [{ request, ...cut }] : []));
  if (data.edits.length === 0)
    return (
      <Panel title="Cuts">
        <p class="empty">{data.uncut ?? "Nothing was cut: no cut would have paid for itself"}.</p>
      </Panel>
    );
  return (
    <Panel title="Cuts" note="Edits by mechanism: choose one to see its edits in the transcript." isLong>
      <table class="amounts">
        <thead>
          <tr>
            <th scope="col">mechanism</th>
            <th scope="col">edits</th>
            <th scope="col">tokens</th>
          </tr>
        </thead>
        <tbody>
          {countMechanisms(data.edits).map(({ mechanism, edits, saved }) => (
            <tr key={mechanism}>
              <th scope="row">
                <button type="button" class="link" onClick={() => filterBy(mechanism)}>
                  {mechanism}
                </button>{" "}
                <span class="note">{MECHANISM_WORDS[mechanism]}</span>
              </th>
              <td>{formatNumber(edits)}</td>
              <td>{formatSaved(saved)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Cuts: when and why</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="scroll" tabIndex={0} aria-label="Cuts by request">
        <ol class="cuts">
          {cuts.map(({ request, reason, edits, saved }) => (
            <li key={request}>
              <button type="button" class="link" onClick={() => goTo(data.edits[edits[0] ?? -1]?.parts[0])}>
                request {formatNumber(request + 1)}
              </button>{" "}
              <strong>{formatSaved(saved)}</strong>{" "}
              <span class="note">
                {countOf(edits.length, "edit")}; {REASON_WORDS[reason]}
              </span>
            </li>
          ))}
        </ol>
      </section>
    </Panel>
  );
}
