import type { JSX } from "preact";
import type { FileData } from "../../index-data.ts";
import { countOf } from "../format.ts";
import { useIsPrinting } from "../use-is-printing.ts";

/** Files without a session: first those with a problem. */
export function FileList({ files }: { readonly files: readonly FileData[] }): JSX.Element | null {
  const isPrinting = useIsPrinting();
  const failed = files.filter(({ isOther }) => !isOther);
  const others = files.filter(({ isOther }) => isOther);
  if (files.length === 0) return null;
  return (
    <>
      {failed.length > 0 && (
        <section class="panel long issues" aria-labelledby="failed">
          <h2 id="failed">{countOf(failed.length, "file")} could not be read</h2>
          <Files files={failed} />
        </section>
      )}
      {others.length > 0 && (
        <details class="panel long issues" open={isPrinting}>
          <summary>
            <h2>{countOf(others.length, "file")} contained no session</h2>
          </summary>
          <Files files={others} />
        </details>
      )}
    </>
  );
}

function Files({ files }: { readonly files: readonly FileData[] }): JSX.Element {
  return (
    <ul>
      {files.map(({ path, why }) => (
        <li key={path}>
          <code>{path}</code> <span class="note">{why}</span>
        </li>
      ))}
    </ul>
  );
}
