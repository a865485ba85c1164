import { type Rewritten, rewriteMessages } from "./edits/apply.ts";
import type { Cut } from "./edits/edit.ts";
import { type Draft, type GuardContext, guard, guardSpans, type TextDraft } from "./edits/guard.ts";
import { Ledger } from "./edits/ledger.ts";
import { View } from "./edits/view.ts";
import { Facts } from "./facts/facts.ts";
import { decodedMessages, isDecoded } from "./formats/decoded.ts";
import { detectFormat, FORMAT_NAMES, formatByName } from "./formats/detect.ts";
import type { Codec, FormatName } from "./formats/format.ts";
import type { Result } from "./issue.ts";
import type { ReasoningRule } from "./models/profile.ts";
import { createToolKinds, type ToolKinds } from "./tool-kinds/tool-kinds.ts";
import { decodeMessages, opensTurn } from "./transcript/decode.ts";
import type { DecodedMessage } from "./transcript/message.ts";
import type { PartKey } from "./transcript/part.ts";
import { Transcript } from "./transcript/transcript.ts";

export interface WorkbenchOptions {
  /** Where the messages are of no format that can be told by looking at them. */
  readonly format?: FormatName;
  readonly toolKinds?: ToolKinds;
  /** What the provider asks of reasoning; most ask nothing. */
  readonly reasoning?: ReasoningRule;
  /** Why a part must not be cut, or `undefined`. */
  readonly protectedFrom?: (facts: Facts, part: number, author: string) => string | undefined;
}

/**
 * Messages on the table, outside any session: for functions that take messages and give messages. Everything that holds
 * in the fold holds here too, as cuts go through the same guard.
 */
export class Workbench<M> {
  readonly format: Codec;
  readonly transcript: Transcript = new Transcript();
  readonly facts: Facts;
  readonly ledger: Ledger = new Ledger(this.transcript.journal);
  readonly view: View = new View(this.transcript, this.ledger);
  /** The messages taken apart, and the index of each one's first part. */
  readonly decoded: readonly DecodedMessage[];
  readonly firstPart: readonly number[];
  readonly #messages: readonly M[];
  readonly #options: WorkbenchOptions;

  /**
   * Takes decoded messages too, as they are. Throws a `TypeError` for messages of no known format: a programmer's mistake.
   */
  constructor(messages: readonly M[], options: WorkbenchOptions = {}) {
    const format = chooseCodec(messages, options.format);
    this.format = format;
    this.#messages = messages;
    this.#options = options;
    this.facts = new Facts(this.transcript, options.toolKinds ?? createToolKinds([]), { pruneProtect: 0 });
    this.decoded = decodeMessages(format, messages);
    const firstPart: number[] = [];
    for (const [i, message] of this.decoded.entries()) {
      firstPart.push(this.transcript.length);
      this.transcript.append(message.parts, i, opensTurn(message));
    }
    this.firstPart = firstPart;
    this.facts.ingest(0, this.transcript.length);
    this.view.extend(() => undefined);
  }

  /** What the guard says of a cut. */
  check(draft: Draft): Result<Cut> {
    return guard(draft, this.#context());
  }

  /** Makes the cut if the guard lets it through. */
  cut(draft: Draft): Result<Cut> {
    return this.cutTogether([draft])[0];
  }

  /** Makes those cuts that the guard lets through, or none where it refuses the first. */
  cutTogether([main, ...others]: readonly [Draft, ...Draft[]]): [Result<Cut>, ...Result<Cut>[]] {
    const touched = new Set<PartKey>();
    const attempt = (draft: Draft): Result<Cut> => {
      const checked = this.check(draft);
      if (checked.ok) for (const key of this.ledger.record(checked.value, 0)) touched.add(key);
      return checked;
    };
    const first = attempt(main);
    const rest = first.ok ? others.map(attempt) : [];
    this.view.refresh([...touched]);
    return [first, ...rest];
  }

  /** Makes those cuts that the guard lets through: many spans of one leaf of which nothing is cut yet, in text order. */
  cutSpans(drafts: readonly TextDraft[]): readonly Result<Cut>[] {
    const [only, ...others] = drafts;
    if (only && others.length === 0) return [this.cut(only)];
    const checked = guardSpans(drafts, this.#context());
    const touched = new Set<PartKey>();
    for (const each of checked)
      if (each.ok) for (const key of this.ledger.record(each.value, 0)) touched.add(key);
    this.view.refresh([...touched]);
    return checked;
  }

  /** The messages as cut so far. One without edits is the very same object. */
  rewrite(): Rewritten<M> {
    return rewriteMessages(this.view, this.format, this.#messages, this.decoded, this.firstPart);
  }

  #context(): GuardContext {
    const { transcript, ledger, view, facts } = this;
    const { reasoning = "none", protectedFrom } = this.#options;
    return {
      transcript,
      ledger,
      view,
      refs: facts.refs,
      reasoning,
      protectedFrom: (part, author) => protectedFrom?.(facts, part, author),
    };
  }
}

function chooseCodec(messages: readonly unknown[], named: FormatName | undefined): Codec {
  if (named === undefined && isDecoded(messages)) return decodedMessages;
  const name = named ?? detectFormat(messages) ?? (messages.length === 0 ? "openai-chat" : undefined);
  if (name) return formatByName(name);
  const known = FORMAT_NAMES.join(", ");
  throw new TypeError(
    `These messages are of no format that Coppice knows (${known}); name one with \`format\`.`,
  );
}
