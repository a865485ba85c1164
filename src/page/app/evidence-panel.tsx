import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { findAnswer } from "./find-request.ts";
import { countOf, formatNumber, formatPercent } from "./format.ts";
import { Term } from "./glossary.tsx";
import { Panel } from "./panel.tsx";

interface EvidencePanelProps {
  readonly data: ReportData;
  readonly goTo: (part: number | undefined) => void;
}

const MISSES_LISTED = 12;

export function EvidencePanel({ data, goTo }: EvidencePanelProps): JSX.Element {
  const lost = data.requests.flatMap(({ evidence, editEvidence }, i) => {
    const missing = evidence.counted - evidence.kept + editEvidence.counted - editEvidence.kept;
    return missing > 0 ? [{ request: i, missing }] : [];
  });
  return (
    <Panel
      title="Still there when needed"
      note={
        <>
          Paths, names, numbers and lines that the agent used later: were they still in its context? The docs
          call this <Term word="evidence" />.
        </>
      }
    >
      <Meter name="Everything it used" counted={data.evidence.counted} kept={data.evidence.kept} />
      <Meter
        name="Lines of files it edited"
        counted={data.editEvidence.counted}
        kept={data.editEvidence.kept}
      />
      {lost.length > 0 && (
        <>
          <h3>Missing at</h3>
          <ul class="jumps">
            {lost.slice(0, MISSES_LISTED).map(({ request, missing }) => (
              <li key={request}>
                <button type="button" class="link" onClick={() => goTo(findAnswer(data, request))}>
                  request {formatNumber(request + 1)}
                </button>{" "}
                <span class="note">{formatNumber(missing)} missing</span>
              </li>
            ))}
          </ul>
          {lost.length > MISSES_LISTED && (
            <p class="note">and at {countOf(lost.length - MISSES_LISTED, "more request")}.</p>
          )}
        </>
      )}
    </Panel>
  );
}

interface MeterProps {
  readonly name: string;
  readonly counted: number;
  readonly kept: number;
}

function Meter({ name, counted, kept }: MeterProps): JSX.Element {
  const share = counted === 0 ? 1 : kept / counted;
  return (
    <div class="meter">
      <span class="meter-name">{name}</span>
      <span class="meter-figure">
        {counted === 0
          ? "nothing to check"
          : `${formatPercent(share)}, ${formatNumber(kept)} of ${formatNumber(counted)}`}
      </span>
      <div class="bar" aria-hidden="true">
        <div class="bar-kept" style={{ width: counted === 0 ? "0" : `${share * 100}%` }} />
      </div>
    </div>
  );
}
