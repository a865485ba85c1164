import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import type { EditData } from "../data.ts";
import { clipText } from "./clip-text.ts";
import { countOf, formatNumber, formatSaved } from "./format.ts";
import { MECHANISM_WORDS } from "./words.ts";

interface CutFoldProps {
  readonly edit: EditData;
  readonly isOpen: boolean;
  /** The replacement that the model reads; missing if the part is gone. */
  readonly instead?: string;
  readonly toggle: () => void;
  /** The original. */
  readonly children: ComponentChildren;
}

/** A cut in its place: its author, its reason, and the replacement; when opened, also the original. */
export function CutFold({ edit, isOpen, instead, toggle, children }: CutFoldProps): JSX.Element {
  const id = useId();
  return (
    <div class={isOpen ? "cut open" : "cut"}>
      <button type="button" class="cut-line" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <span class="badge">{edit.mechanism}</span>
        <span class="cut-reason">{edit.reason}</span>
        <span class="cut-saved">{formatSaved(edit.saved)}</span>
      </button>
      {instead !== undefined && instead !== "" && <Instead text={instead} isWhole={isOpen} />}
      <div id={id} hidden={!isOpen} class="cut-inside">
        {isOpen && (
          <>
            <dl class="pairs">
              <dt>ref</dt>
              <dd>
                <code>{edit.ref}</code>
              </dd>
              <dt>mechanism</dt>
              <dd>
                {edit.mechanism}: {MECHANISM_WORDS[edit.mechanism]}
              </dd>
              <dt>cut at</dt>
              <dd>
                request {formatNumber(edit.request + 1)}
                {edit.type === "drop" &&
                  edit.parts.length > 1 &&
                  `, with ${countOf(edit.parts.length - 1, "other part")}`}
              </dd>
              {edit.risk !== undefined && (
                <>
                  <dt>risk</dt>
                  <dd>{edit.risk}</dd>
                </>
              )}
            </dl>
            <p class="leaf-name">original</p>
            {children}
          </>
        )}
      </div>
    </div>
  );
}

/** Some replacements are long, such as a summary of a test run. */
function Instead({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }): JSX.Element {
  const { text: shown, after } = isWhole ? { text, after: 0 } : clipText(text);
  return (
    <pre class="instead">
      {shown}
      {after > 0 && <span class="ellipsis"> … {formatNumber(after)} more characters</span>}
    </pre>
  );
}
