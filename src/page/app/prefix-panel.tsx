import type { JSX } from "preact";
import type { SessionPrefix } from "../../analysis/session-prefix.ts";
import { countOf, formatNumber, formatPercent } from "./format.ts";
import { Panel } from "./panel.tsx";
import { sayUnused } from "./say-unused.ts";

/**
 * The text before a session's first message: groups, MCP servers and the largest tools, and which of them it has
 * called.
 */
export function PrefixPanel({ prefix }: { readonly prefix: SessionPrefix }): JSX.Element {
  const { tokens, groups, servers, tools, toolCount } = prefix;
  return (
    <Panel
      title={`Before the first message: ${formatNumber(tokens)} tokens`}
      note={`Sent with every request, in estimated tokens. ${sayUnused(prefix)}`}
      isLong
    >
      <table class="amounts">
        <thead>
          <tr>
            <th scope="col">group</th>
            <th scope="col">tokens</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ group, tokens: size }) => (
            <tr key={group}>
              <th scope="row">{group}</th>
              <td>{formatNumber(size)}</td>
              <td>{group === "deferred tools" || tokens === 0 ? "" : formatPercent(size / tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {servers.length > 0 && (
        <table class="amounts">
          <thead>
            <tr>
              <th scope="col">MCP server</th>
              <th scope="col">tokens</th>
              <th scope="col">tools called</th>
            </tr>
          </thead>
          <tbody>
            {servers.map(({ server, tokens: size, tools: count, called }) => (
              <tr key={server}>
                <th scope="row">{server}</th>
                <td>{formatNumber(size)}</td>
                <td>
                  {called} of {count}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {tools.length > 0 && (
        <table class="amounts">
          <thead>
            <tr>
              <th scope="col">tool</th>
              <th scope="col">tokens</th>
              <th scope="col">called</th>
            </tr>
          </thead>
          <tbody>
            {tools.map(({ name, tokens: size, isCalled }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatNumber(size)}</td>
                <td>{isCalled ? "yes" : "not yet"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {toolCount > tools.length && (
        <p class="note">{countOf(toolCount - tools.length, "smaller tool")} not listed.</p>
      )}
    </Panel>
  );
}
