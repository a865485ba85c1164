import type { JSX } from "preact";
import { describeCompared, describeSplit, type WorkComparison } from "../../analysis/compare-work.ts";
import { RATES, RATES_NOTE, showCounts, showRate, WORK_TITLE } from "../../analysis/work-rates.ts";
import type { WorkCounts } from "../../facts/work-counts.ts";
import { Panel } from "./panel.tsx";

/** One column of rates. */
interface Kind {
  readonly name: string;
  readonly counts: WorkCounts;
}

/** How the work went in many sessions: those with cuts next to those without. */
export function WorkPanel({ work }: { readonly work: WorkComparison }): JSX.Element | null {
  const { pruned, unpruned, rates = [] } = work;
  const kinds = [
    { name: "with pruning", ...pruned },
    { name: "without pruning", ...unpruned },
  ].filter(({ sessions }) => sessions > 0);
  if (kinds.length === 0) return null;
  return (
    <Panel title={WORK_TITLE} note={RATES_NOTE}>
      <RateTable kinds={kinds} />
      {rates.length > 0 && (
        <ul class="verdicts">
          {rates.map((rate) => (
            <li key={rate.name}>{describeCompared(rate)}</li>
          ))}
        </ul>
      )}
      <p class="note">{describeSplit(work)}</p>
    </Panel>
  );
}

interface SessionWorkProps {
  readonly counts: WorkCounts;
  readonly isPruned: boolean;
  /** Shown unless it is elsewhere on the page. */
  readonly note?: string;
}

/** How the work went in one session. */
export function SessionWorkPanel({ counts, isPruned, note }: SessionWorkProps): JSX.Element {
  return (
    <Panel title={`${WORK_TITLE} in this session`} {...(note !== undefined && { note })}>
      <RateTable kinds={[{ name: isPruned ? "with pruning" : "as recorded", counts }]} />
    </Panel>
  );
}

function RateTable({ kinds }: { readonly kinds: readonly Kind[] }): JSX.Element {
  return (
    <table class="amounts">
      <thead>
        <tr>
          <th scope="col">sign</th>
          {kinds.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {RATES.map((rate) => (
          <tr key={rate.name}>
            <th scope="row">{rate.title}</th>
            {kinds.map(({ name, counts }) => (
              <td key={name} title={showCounts(rate, counts)}>
                {showRate(rate, counts)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
