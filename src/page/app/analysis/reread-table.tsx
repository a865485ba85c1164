import type { JSX } from "preact";
import type { FileReread } from "../../../analysis/sum-analyses.ts";
import { nameFolder } from "../../name-folder.ts";
import { formatNumber, shortCount } from "../format.ts";
import { Panel } from "../panel.tsx";

const LISTED = 8;

/** Files that sessions read more than once, over all of them. */
export function RereadTable({ rereads }: { readonly rereads: readonly FileReread[] }): JSX.Element {
  return (
    <Panel title="Files that were read again">
      <table class="amounts">
        <thead>
          <tr>
            <th scope="col">file</th>
            <th scope="col">again</th>
            <th scope="col">tokens</th>
          </tr>
        </thead>
        <tbody>
          {rereads.slice(0, LISTED).map(({ file, project, times, tokens, sessions }) => (
            <tr key={`${project} ${file}`}>
              <th scope="row">
                <code>{file}</code>{" "}
                <span class="note">
                  {project !== undefined && `${nameFolder(project)}, `}
                  {sessions === 1 ? "one session" : `${formatNumber(sessions)} sessions`}
                </span>
              </th>
              <td>{formatNumber(times)}</td>
              <td>{shortCount(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
