import type { JSX } from "preact";
import type { CutSubject, LiveRequest } from "../../dashboard-data.ts";
import { countOf, formatNumber, formatSaved } from "../format.ts";
import { REASON_WORDS } from "../words.ts";
import { sayWhen } from "./names.ts";

const CUTS_LISTED = 30;

/** Cuts as they happen, the newest first: when, why and what. */
export function CutFeed({
  requests,
  now,
}: {
  readonly requests: readonly LiveRequest[];
  readonly now: number;
}): JSX.Element {
  const cuts = requests.filter(({ cut }) => cut).reverse();
  if (cuts.length === 0) return <p class="empty">Nothing was cut yet: no cut would have paid for itself.</p>;
  return (
    <ol class="cuts">
      {cuts.slice(0, CUTS_LISTED).map(({ number, time, cut }) => (
        <li key={number}>
          <p>
            <strong>{formatSaved(cut?.saved ?? 0)}</strong> tokens at request {formatNumber(number)}{" "}
            <span class="note">
              {sayWhen(time, now)}; {countOf(cut?.edits ?? 0, "edit")}; {cut && REASON_WORDS[cut.reason]}
            </span>
          </p>
          <SubjectList subjects={cut?.largest ?? []} of={cut?.edits ?? 0} />
        </li>
      ))}
    </ol>
  );
}

export function SubjectList({
  subjects,
  of,
}: {
  readonly subjects: readonly CutSubject[];
  readonly of?: number;
}): JSX.Element {
  return (
    <ul class="subjects">
      {subjects.map(({ what, reason, saved }, i) => (
        <li key={i}>
          <span>
            {what !== undefined && <code>{what}</code>} <span class="note">{reason}</span>
          </span>{" "}
          <span class="cut-saved">{formatSaved(saved)}</span>
        </li>
      ))}
      {of !== undefined && of > subjects.length && <li class="note">and {of - subjects.length} more</li>}
    </ul>
  );
}
