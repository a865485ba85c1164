import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { ContextChart } from "./chart/context-chart.tsx";
import { formatNumber, formatSaved } from "./format.ts";
import { sayCount } from "./money-words.ts";
import { Panel } from "./panel.tsx";
import { REASON_WORDS } from "./words.ts";

interface ContextPanelProps {
  readonly data: ReportData;
  readonly goTo: (request: number) => void;
}

export function ContextPanel({ data, goTo }: ContextPanelProps): JSX.Element {
  const { requests } = data;
  return (
    <Panel title="Context size" note={sayCount(data)}>
      {requests.length < 2 ? (
        <p class="empty">
          There is nothing to draw: the session has {requests.length === 0 ? "no requests" : "one request"}.
        </p>
      ) : (
        <ContextChart requests={requests} segments={data.session.segments} goTo={goTo} />
      )}
      {requests.length > 0 && <RequestTable data={data} goTo={goTo} />}
    </Panel>
  );
}

/** The chart's figures, for readers who can't see it or want to copy them. */
function RequestTable({ data, goTo }: ContextPanelProps): JSX.Element {
  return (
    <details class="figures">
      <summary>Figures</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="scroll" tabIndex={0} aria-label="Figures by request">
        <table>
          <thead>
            <tr>
              <th scope="col">request</th>
              <th scope="col">without</th>
              <th scope="col">with</th>
              <th scope="col">cached</th>
              <th scope="col">cut</th>
            </tr>
          </thead>
          <tbody>
            {data.requests.map(({ raw, pruned, cached, cut }, i) => (
              <tr key={i}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => goTo(i)}>
                    {formatNumber(i + 1)}
                  </button>
                </th>
                <td>{formatNumber(raw)}</td>
                <td>{formatNumber(pruned)}</td>
                <td>{formatNumber(cached)}</td>
                <td>{cut && `${formatSaved(cut.saved)}, ${REASON_WORDS[cut.reason]}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
