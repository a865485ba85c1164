import type { JSX } from "preact";
import { useIsPrinting } from "./use-is-printing.ts";

/** The meanings of the words on the page. */
export const GLOSSARY = {
  cut: "A moment at which Coppice cut something: the first request that went out with one or more new edits.",
  edit: "One change: a text replaced by a shorter one, or removed. Every edit can be undone.",
  evidence:
    "Still there when needed. An answer uses paths, names, numbers and lines that were in the context before. This is the share of them that was still there, as the agent had seen it, when it was used. It shows that nothing needed was cut; it does not show that the answers were the same.",
  bill: "What the session cost, answers included: from the recorded usage at the model's prices, or the recorded cost. ≈ marks what is estimated. What pruning would have saved is the difference between two modelled bills, scaled to this one.",
  cached:
    "What the provider kept from the request before. It costs a fraction of the price. A cut means that the text after it is charged in full again.",
  window:
    "The most tokens that a request to the model may have. If the session does not record it but was compacted, this is the largest context before a compaction.",
  pressure:
    "When the context nears the model's window, Coppice cuts older text so that the host does not have to compact.",
  compaction:
    "The agent replaced its history with a summary and continued. A different conversation in the same file does not continue from the one before.",
} as const;

/** A word with its meaning as a tooltip. */
export function Term({ word }: { readonly word: keyof typeof GLOSSARY }): JSX.Element {
  return (
    <dfn class="term" title={GLOSSARY[word]}>
      {word}
    </dfn>
  );
}

export function Glossary(): JSX.Element {
  return (
    <details class="panel glossary" open={useIsPrinting()}>
      <summary>
        <h2>What the words mean</h2>
      </summary>
      <dl class="pairs">
        {Object.entries(GLOSSARY).map(([word, meaning]) => (
          <div class="pair" key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
