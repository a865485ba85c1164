import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { countOf, formatDuration, formatTime } from "./format.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useTheme } from "./use-theme.ts";
import { SOURCE_NAMES } from "./words.ts";

export function PageHeader({ data }: { readonly data: ReportData }): JSX.Element {
  const { session, requests } = data;
  const [theme, nextTheme] = useTheme();
  useShortcuts({ t: nextTheme });
  const times = requests.flatMap(({ time }) => time ?? []);
  const [start, end] = [times[0], times.at(-1)];
  const facts = [
    session.models.join(", ") || "model not recorded",
    countOf(requests.length, "request"),
    countOf(data.parts.length, "part"),
    start !== undefined && formatTime(start),
    start !== undefined && end !== undefined && end > start && formatDuration(end - start),
    session.skipped > 0 && `${countOf(session.skipped, "unreadable line")}`,
  ].filter((fact) => fact !== false);
  return (
    <header class="page-header">
      <div class="page-title">
        <p class="brand">Coppice report</p>
        <h1>
          {SOURCE_NAMES[session.source]} session {session.id !== undefined && <code>{session.id}</code>}
        </h1>
      </div>
      <button type="button" class="button" onClick={nextTheme} title="Change the theme (t)">
        Theme: {theme}
      </button>
      <p class="facts">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {session.redacted && <strong>redacted</strong>}
      </p>
    </header>
  );
}
