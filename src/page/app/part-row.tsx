import type { JSX } from "preact";
import type { PartData, ReportData } from "../data.ts";
import { CutFold } from "./cut-fold.tsx";
import { formatNumber } from "./format.ts";
import { LeafText } from "./leaf-text.tsx";
import { nameOf } from "./words.ts";

export interface PartRowProps {
  readonly data: ReportData;
  /** The part's index, and its row among those shown. */
  readonly index: number;
  readonly row: number;
  readonly rows: number;
  readonly isActive: boolean;
  readonly isFiltered: boolean;
  /** Keys of the open folds. */
  readonly open: ReadonlySet<string>;
  readonly matcher: RegExp | undefined;
  readonly toggle: (key: string) => void;
  readonly activate: (part: number) => void;
  readonly goTo: (part: number) => void;
}

/** One part of the transcript. */
export function PartRow(props: PartRowProps): JSX.Element | null {
  const { data, index, row, rows, isActive, isFiltered, toggle, activate, goTo } = props;
  const part = data.parts[index];
  if (!part) return null;
  const previous = data.parts[index - 1];
  const title = `part-${index}`;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    toggle(mainFold(part, index));
  };
  return (
    <>
      {previous && previous.segment !== part.segment && !isFiltered && (
        <SegmentLine data={data} segment={part.segment} />
      )}
      <article
        class={classOf(part)}
        tabIndex={isActive ? 0 : -1}
        data-part={index}
        aria-labelledby={title}
        aria-posinset={row + 1}
        aria-setsize={rows}
        onFocus={() => activate(index)}
        onKeyDown={onKeyDown}
      >
        <header class="part-head">
          <h3 id={title}>
            <span class="part-name">{nameOf(part)}</span>{" "}
            {part.title && <code class="part-title">{part.title}</code>}
          </h3>
          <PartFigures part={part} />
          {isFiltered ? (
            <button
              type="button"
              class="link number"
              onClick={() => goTo(index)}
              title="Show this part with those around it"
            >
              #{formatNumber(index + 1)}
            </button>
          ) : (
            <span class="number">#{formatNumber(index + 1)}</span>
          )}
        </header>
        <PartBody {...props} part={part} />
      </article>
    </>
  );
}

/** Between two segments: does the conversation continue, or does another begin? */
function SegmentLine({
  data,
  segment,
}: {
  readonly data: ReportData;
  readonly segment: number;
}): JSX.Element {
  const { segments } = data.session;
  const { continues = true, prompt } = segments[segment] ?? {};
  if (continues)
    return (
      <p class="segment-break">
        <span>The agent compacted its history here and continued</span>
      </p>
    );
  const all = segments.filter((each) => !each.continues).length;
  const number = segments.slice(0, segment + 1).filter((each) => !each.continues).length;
  return (
    <p class="segment-break separate">
      <span>
        Conversation {formatNumber(number)} of {formatNumber(all)} begins here
        {prompt !== undefined && `: ${prompt}`}
      </span>
    </p>
  );
}

function PartFigures({ part }: { readonly part: PartData }): JSX.Element {
  const { tokens, shown, request } = part;
  return (
    <span class="part-figures">
      {shown === tokens ? (
        `${formatNumber(tokens)} tokens`
      ) : (
        <>
          <s>
            <span class="hidden">was </span>
            {formatNumber(tokens)}
          </s>{" "}
          <strong>{formatNumber(shown)}</strong> tokens
        </>
      )}
      {request !== undefined && <span class="part-request">request {formatNumber(request + 1)}</span>}
    </span>
  );
}

function PartBody(props: PartRowProps & { readonly part: PartData }): JSX.Element | null {
  const { data, index, part, open, matcher, toggle } = props;
  const leaves = part.leaves.map((leaf, i) => (
    <LeafText
      key={i}
      data={data}
      leaf={leaf}
      name={`${index}.${i}`}
      isNamed={part.leaves.length > 1 || part.kind === "call"}
      open={open}
      matcher={matcher}
      toggle={toggle}
    />
  ));
  const edit = part.dropped === undefined ? undefined : data.edits[part.dropped];
  const back = part.edits.flatMap((each) => (data.edits[each]?.undone ? [data.edits[each]] : []));
  return (
    <div class="part-body">
      {edit ? (
        <CutFold edit={edit} isOpen={open.has(`${index}`)} toggle={() => toggle(`${index}`)}>
          {leaves}
        </CutFold>
      ) : (
        leaves
      )}
      {back.map(
        (each) =>
          each?.undone && (
            <p class="note" key={each.ref}>
              Cut at request {formatNumber(each.request + 1)} ({each.mechanism}, {each.ref}) and restored at
              request {formatNumber(each.undone.request + 1)}: {each.undone.reason}
            </p>
          ),
      )}
    </div>
  );
}

/** The fold that Enter opens: the whole part if it was dropped, its first cut, or all of its text. */
function mainFold({ dropped, leaves }: PartData, index: number): string {
  if (dropped !== undefined) return `${index}`;
  for (const [i, { pieces }] of leaves.entries()) {
    const at = pieces.findIndex(({ cut }) => cut);
    if (at >= 0) return `${index}.${i}.${at}`;
  }
  const longest = leaves.reduce((best, { pieces }, i) => {
    const size = (at: number): number => leaves[at]?.pieces[0]?.text.length ?? 0;
    return pieces.length > 0 && size(i) > size(best) ? i : best;
  }, 0);
  return `${index}.${longest}.0`;
}

function classOf({ kind, role, status, dropped, edits }: PartData): string {
  const names = ["part", `kind-${kind}`, `role-${role}`];
  if (status === "error") names.push("failed");
  if (dropped !== undefined) names.push("dropped");
  if (edits.length > 0) names.push("edited");
  return names.join(" ");
}
