import type { JSX } from "preact";
import { useIsPrinting } from "./use-is-printing.ts";

/** What the words of the page mean. */
export const GLOSSARY = {
  cut: "A moment at which something was cut: the request that was the first to go out with one or more edits.",
  edit: "One change: a text replaced by a shorter one, or taken out. Every edit can be undone.",
  evidence:
    "Still there when needed. Of the paths, names, numbers and lines that an answer used and that stood in the context before, the share that was still there, as the agent had seen it, when it was used. It says that nothing needed was cut; it does not say that the answers were the same.",
  bill: "What the session cost, answers included: by the usage that was recorded, at the model's prices, or the cost that was recorded. ≈ stands before what rests on an estimate. What pruning would have saved is the difference of two modelled bills, scaled to this one.",
  cached:
    "What the provider kept from the request before. It is billed at a fraction of the price, and a cut makes what follows it new again.",
  window:
    "How many tokens a request to the model may have. Where the session does not say, but was compacted, the largest context before a compaction stands in for it.",
  pressure: "When the context nears the model's window, older text is cut to keep the host from compacting.",
  compaction:
    "The agent replaced its history by a summary and went on. Another conversation in the same file does not go on from the one before.",
} as const;

/** A word with its meaning for whoever points at it. */
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
