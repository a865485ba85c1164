import type { JSX } from "preact";
import type { GroupReport, ItemReport } from "../../../analysis/prefix-report.ts";
import type { ContextData } from "../../context-data.ts";
import { countOf, formatDay, formatDollars, formatNumber } from "../format.ts";
import { Panel } from "../panel.tsx";
import { Tile } from "../tile.tsx";
import { useShortcuts } from "../use-shortcuts.ts";
import { useTheme } from "../use-theme.ts";
import { ItemTable } from "./item-table.tsx";

/** The text that a client sends before the first message, its cost, and which parts were ever used. */
export function ContextPage({ data }: { readonly data: ContextData }): JSX.Element {
  const { prefix, changes } = data;
  const { history } = prefix;
  return (
    <>
      <Header data={data} />
      <main>
        <Tiles data={data} />
        <Panel title="By group">
          <GroupTable groups={prefix.groups} all={prefix.tokens} />
        </Panel>
        {prefix.servers.length > 0 && (
          <Panel title="MCP servers">
            <ItemTable
              title="MCP servers, item by item"
              rows={prefix.servers.map(({ server, ...rest }) => ({ ...rest, name: server }))}
              sessions={history.sessions}
            />
          </Panel>
        )}
        {prefix.groups.map(({ group, items, tokens }) => (
          <Panel
            key={group}
            title={`${group[0]?.toUpperCase()}${group.slice(1)}: ${formatNumber(tokens)} tokens`}
            isLong
          >
            <ItemTable
              title={`${group}, item by item`}
              rows={items.map((item) => ({ ...item, name: nameItem(item) }))}
              sessions={history.sessions}
            />
          </Panel>
        ))}
        {changes && (
          <Panel title={`Since ${formatDay(changes.since)}`}>
            {changes.list.length === 0 ? (
              <p class="empty">Nothing has changed.</p>
            ) : (
              <table class="amounts items">
                <thead>
                  <tr>
                    <th scope="col">what</th>
                    <th scope="col">tokens then</th>
                    <th scope="col">now</th>
                  </tr>
                </thead>
                <tbody>
                  {changes.list.map(({ group, name, before, after }) => (
                    <tr key={`${group} ${name}`}>
                      <th scope="row">
                        {name} <span class="note">{group}</span>
                      </th>
                      <td>{formatNumber(before)}</td>
                      <td>{formatNumber(after)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Panel>
        )}
      </main>
    </>
  );
}

function nameItem({ name, server, within }: ItemReport): string {
  const owner = server ?? within;
  return owner === undefined ? name : `${owner}: ${name}`;
}

function Header({ data }: { readonly data: ContextData }): JSX.Element {
  const [theme, nextTheme] = useTheme();
  useShortcuts({ t: nextTheme });
  return (
    <header class="page-header">
      <p class="brand">Coppice context</p>
      <button type="button" class="button" onClick={nextTheme} title="Change the theme (t)">
        Theme: {theme}
      </button>
      <h1>What {data.title} sends before your first word</h1>
      <p class="facts">
        <span>{data.project}</span>
        <span>{formatDay(data.time)}</span>
        {data.prefix.model !== undefined && <span>{data.prefix.model}</span>}
      </p>
    </header>
  );
}

function Tiles({ data: { prefix, billed } }: { readonly data: ContextData }): JSX.Element {
  const { tokens, dollars, rate, history, groups } = prefix;
  const tools = groups
    .filter(({ group }) => group !== "deferred tools")
    .flatMap(({ items }) => items.filter(({ isTool }) => isTool));
  const unused = tools.filter(({ used }) => used?.sessions === 0);
  return (
    <div class="tiles">
      <Tile name="Tokens" figure={formatNumber(tokens)}>
        with every request
        {billed > 1.05 && `; the provider bills about ${billed.toFixed(1)} times as many`}
      </Tile>
      {dollars !== undefined && rate && (
        <Tile name="A month" figure={formatDollars(dollars, 1)}>
          for {countOf(rate.requests, "request")}, as in the last {rate.days} days
        </Tile>
      )}
      {history.sessions > 0 && (
        <Tile name="Never used" figure={countOf(unused.length, "tool")}>
          in the last {countOf(history.sessions, "session")}{" "}
          {history.isOfProject ? "of this project" : "of all projects"}:{" "}
          {formatNumber(unused.reduce((sum, tool) => sum + tool.tokens, 0))} tokens
        </Tile>
      )}
    </div>
  );
}

function GroupTable({
  groups,
  all,
}: {
  readonly groups: readonly GroupReport[];
  readonly all: number;
}): JSX.Element {
  const most = groups.reduce((largest, { tokens }) => Math.max(largest, tokens), 0);
  return (
    <table class="amounts">
      <thead>
        <tr>
          <th scope="col">group</th>
          <th scope="col">tokens</th>
          <th scope="col">share</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ group, tokens, items }) => (
          <tr key={group}>
            <th scope="row">
              <span class="amount-name">
                {group} <span class="note">{countOf(items.length, "part")}</span>
              </span>
              <span class="bar" aria-hidden="true">
                <span class="bar-left" style={{ width: `${most === 0 ? 0 : (100 * tokens) / most}%` }} />
              </span>
            </th>
            <td>{formatNumber(tokens)}</td>
            <td>{all === 0 ? 0 : Math.round((100 * tokens) / all)}%</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
