import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AnalysisData } from "../../analysis-data.ts";
import { nameFolder } from "../../name-folder.ts";
import { formatDollars, formatPercent, shortCount } from "../format.ts";
import { Panel } from "../panel.tsx";

const CHOICES = { kinds: "kind", tools: "tool", models: "model", projects: "project" } as const;
type Choice = keyof typeof CHOICES;

interface Row {
  readonly name: string;
  readonly title?: string;
  readonly dollars: number;
  readonly tokens: number;
  readonly avoidable?: number;
}

const LISTED = 12;

/** Where the money went: by kind of text, tool, model or project. */
export function MoneyTable({ data }: { readonly data: AnalysisData }): JSX.Element {
  const [by, setBy] = useState<Choice>("kinds");
  const rows = listRows(data, by).slice(0, LISTED);
  const most = rows.reduce((sum, { dollars }) => Math.max(sum, dollars), 0);
  const hasAvoidable = rows.some(({ avoidable }) => avoidable !== undefined);
  return (
    <Panel
      title="Where the money went"
      note="The cost of a request is spread over its text; text from the cache costs less."
    >
      <fieldset class="switch">
        <legend class="hidden">Money by</legend>
        {(Object.keys(CHOICES) as Choice[]).map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={by === each}
            onClick={() => setBy(each)}
          >
            by {CHOICES[each]}
          </button>
        ))}
      </fieldset>
      {rows.length === 0 ? (
        <p class="empty">There is nothing to show.</p>
      ) : (
        <table class="amounts">
          <thead>
            <tr>
              <th scope="col">{CHOICES[by]}</th>
              <th scope="col">tokens sent</th>
              <th scope="col">money</th>
              <th scope="col">{hasAvoidable ? "avoidable" : "share"}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, title, dollars, tokens, avoidable }) => (
              <tr key={title ?? name}>
                <th scope="row" title={title}>
                  <span class="amount-name">{name}</span>
                  <span class="bar" aria-hidden="true">
                    <span class="bar-left" style={{ width: `${most === 0 ? 0 : (100 * dollars) / most}%` }} />
                  </span>
                </th>
                <td>{shortCount(tokens)}</td>
                <td>{formatDollars(dollars)}</td>
                <td>
                  {avoidable !== undefined
                    ? formatDollars(avoidable)
                    : formatPercent(data.sum.dollars === 0 ? 0 : dollars / data.sum.dollars)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function listRows(data: AnalysisData, by: Choice): readonly Row[] {
  if (by === "tools" || by === "kinds") return data[by];
  return data[by].map(({ name, dollars, sent, avoidable }) => ({
    name: name === undefined ? "not recorded" : by === "projects" ? nameFolder(name) : name,
    ...(name !== undefined && { title: name }),
    dollars,
    tokens: sent,
    avoidable,
  }));
}
