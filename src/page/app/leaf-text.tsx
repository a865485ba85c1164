import type { JSX } from "preact";
import type { LeafData, ReportData, ShownPiece } from "../data.ts";
import { clipText } from "./clip-text.ts";
import { CutFold } from "./cut-fold.tsx";
import { formatNumber } from "./format.ts";
import { findFirst, splitMatches } from "./search.ts";

interface LeafTextProps {
  readonly data: ReportData;
  readonly leaf: LeafData;
  /** The leaf's key in `open`; its pieces' keys begin with it. */
  readonly name: string;
  readonly isNamed: boolean;
  readonly open: ReadonlySet<string>;
  readonly matcher: RegExp | undefined;
  readonly toggle: (key: string) => void;
}

/** A text of a part, with its cuts folded in place. */
export function LeafText({ data, leaf, name, isNamed, open, matcher, toggle }: LeafTextProps): JSX.Element {
  return (
    <div class={isNamed ? "leaf named" : "leaf"}>
      {isNamed && <p class="leaf-name">{leaf.name.replace(/^input\//, "")}</p>}
      {leaf.pieces.map((piece, i) => {
        const key = `${name}.${i}`;
        const isOpen = open.has(key);
        const edit = piece.cut && data.edits[piece.cut.edit];
        if (!piece.cut || !edit)
          return (
            <PlainText
              key={key}
              text={piece.text}
              isWhole={isOpen}
              matcher={matcher}
              toggle={() => toggle(key)}
            />
          );
        // A cut whose original matches the search is unfolded.
        const isFound = isHidden(piece, matcher);
        return (
          <CutFold
            key={key}
            edit={edit}
            isOpen={isOpen !== isFound}
            instead={piece.cut.instead}
            toggle={() => toggle(key)}
          >
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
            <pre class="original scroll" tabIndex={0}>
              <Highlight text={piece.text} matcher={matcher} />
            </pre>
          </CutFold>
        );
      })}
    </div>
  );
}

/** Does the search match the original but not the replacement? */
function isHidden({ text, cut }: ShownPiece, matcher: RegExp | undefined): boolean {
  return findFirst(text, matcher) >= 0 && findFirst(cut?.instead ?? "", matcher) < 0;
}

interface PlainTextProps {
  readonly text: string;
  readonly isWhole: boolean;
  readonly matcher: RegExp | undefined;
  readonly toggle: () => void;
}

function PlainText({ text, isWhole, matcher, toggle }: PlainTextProps): JSX.Element {
  const clipped = clipText(text, matcher);
  const hidden = clipped.before + clipped.after;
  const shown = isWhole ? { before: 0, text, after: 0 } : clipped;
  return (
    <>
      <pre>
        {shown.before > 0 && <span class="ellipsis">… </span>}
        <Highlight text={shown.text} matcher={matcher} />
        {shown.after > 0 && <span class="ellipsis"> …</span>}
      </pre>
      {hidden > 0 && (
        <button type="button" class="link more" aria-expanded={isWhole} onClick={toggle}>
          {isWhole ? "Show less" : `Show all ${formatNumber(text.length)} characters`}
        </button>
      )}
    </>
  );
}

interface HighlightProps {
  readonly text: string;
  readonly matcher: RegExp | undefined;
}

/** A text with its matches marked. Text is never inserted as HTML. */
function Highlight({ text, matcher }: HighlightProps): JSX.Element {
  const stretches = splitMatches(text, matcher);
  return <>{stretches.map(({ text: part, isMatch }, i) => (isMatch ? <mark key={i}>{part}</mark> : part))}</>;
}
