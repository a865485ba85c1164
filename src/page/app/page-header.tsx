import type { JSX } from "preact";
import type { ReportData, SessionData } from "../data.ts";
import { nameFolder } from "../name-folder.ts";
import { countOf, formatSpan, sayLocally } from "./format.ts";
import { sayBasis } from "./money-words.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useTheme } from "./use-theme.ts";
import { SOURCE_NAMES } from "./words.ts";

export function PageHeader({ data }: { readonly data: ReportData }): JSX.Element {
  const { session, requests } = data;
  const [theme, nextTheme] = useTheme();
  useShortcuts({ t: nextTheme });
  const basis = sayBasis(data);
  const facts = [
    SOURCE_NAMES[session.source],
    session.models.join(", ") || "model not recorded",
    countOf(requests.length, "request"),
    countOf(data.parts.length, "part"),
    ...countSegments(session),
    ...(session.skipped > 0 ? [countOf(session.skipped, "unreadable line")] : []),
  ];
  return (
    <header class="page-header">
      <p class="brand">Coppice report</p>
      <button type="button" class="button" onClick={nextTheme} title="Change the theme (t)">
        Theme: {theme}
      </button>
      <Title session={session} />
      <p class="facts when">
        <When session={session} />
      </p>
      <p class="facts">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {basis !== "" && <strong class="basis">{basis}</strong>}
        {session.id !== undefined && <code>{session.id}</code>}
        {session.redacted && <strong>redacted</strong>}
      </p>
    </header>
  );
}

/** The project and the first prompt. */
function Title({ session: { project, prompt, source } }: { readonly session: SessionData }): JSX.Element {
  return (
    <h1>
      {project !== undefined && (
        <span class="project" title={project}>
          {nameFolder(project)}:
        </span>
      )}{" "}
      {prompt ?? `${SOURCE_NAMES[source]} session`}
    </h1>
  );
}

function When({ session: { start, end } }: { readonly session: SessionData }): JSX.Element {
  if (start === undefined || end === undefined) return <span>no times recorded</span>;
  return <span title={`Here: ${sayLocally(start)} to ${sayLocally(end)}`}>{formatSpan(start, end)}</span>;
}

function countSegments({ segments }: SessionData): readonly string[] {
  const compactions = segments.filter(({ continues }) => continues).length;
  const conversations = segments.length - compactions;
  return [
    ...(conversations > 1 ? [`${conversations} separate conversations`] : []),
    ...(compactions > 0 ? [countOf(compactions, "compaction")] : []),
  ];
}
