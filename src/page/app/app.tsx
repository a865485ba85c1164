import type { JSX } from "preact";
import { useCallback, useState } from "preact/hooks";
import { RATES_NOTE } from "../../analysis/work-rates.ts";
import type { ReportData } from "../data.ts";
import { AmountTable } from "./amount-table.tsx";
import { BillPanel } from "./bill-panel.tsx";
import { ContextPanel } from "./context-panel.tsx";
import { CutList } from "./cut-list.tsx";
import { EvidencePanel } from "./evidence-panel.tsx";
import { findRequest } from "./find-request.ts";
import { Glossary } from "./glossary.tsx";
import { IssueList } from "./issue-list.tsx";
import { PageHeader } from "./page-header.tsx";
import { PrefixPanel } from "./prefix-panel.tsx";
import { PrintedEdits } from "./printed-edits.tsx";
import { type Filter, NO_FILTER } from "./select-parts.ts";
import { Summary } from "./summary.tsx";
import { type Jump, Transcript } from "./transcript.tsx";
import { SessionWorkPanel } from "./work-panel.tsx";

export function App({ data }: { readonly data: ReportData }): JSX.Element {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [jump, setJump] = useState<Jump>({ count: 0 });
  const goTo = useCallback((part: number | undefined) => {
    setFilter(NO_FILTER);
    setJump(({ count }) => ({ count: count + 1, ...(part !== undefined && { part }) }));
  }, []);
  const goToRequest = useCallback((request: number) => goTo(findRequest(data, request)), [data]);
  const filterBy = useCallback((show: Filter["show"]) => {
    setFilter({ show, query: "" });
    setJump(({ count }) => ({ count: count + 1 }));
  }, []);
  return (
    <>
      <PageHeader data={data} />
      <main>
        <Summary data={data} />
        <ContextPanel data={data} goTo={goToRequest} />
        <div class="columns">
          <div>
            <BillPanel data={data} goTo={goToRequest} />
            <AmountTable data={data} />
            {data.prefix && <PrefixPanel prefix={data.prefix} />}
          </div>
          <div>
            <EvidencePanel data={data} goTo={goTo} />
            <SessionWorkPanel {...data.work} note={RATES_NOTE} />
            <CutList data={data} goTo={goTo} filterBy={filterBy} />
          </div>
        </div>
        <IssueList issues={data.issues} />
        <Glossary />
        <PrintedEdits data={data} />
        <Transcript data={data} filter={filter} setFilter={setFilter} jump={jump} goTo={goTo} />
      </main>
    </>
  );
}
