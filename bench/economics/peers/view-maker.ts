import { formatByName } from "../../../src/formats/detect.ts";
import type { Format, FormatName } from "../../../src/formats/format.ts";
import type { Part } from "../../../src/transcript/part.ts";

/** What a library made of the parts of a segment. */
export interface Verdict {
  isDropped(part: Part): boolean;
  /** What stands for its text; `undefined` when it stayed. */
  replacement(part: Part): string | undefined;
}

/** Brings a library's verdict back to the recorded messages. A message that is cut as before is the same object again. */
export class ViewMaker {
  readonly #format: Format;
  readonly #made = new Map<unknown, { readonly key: string; readonly message: unknown }>();

  constructor(name: FormatName) {
    this.#format = formatByName(name);
  }

  make(
    messages: readonly unknown[],
    partsOf: (message: number) => readonly Part[],
    verdict: Verdict,
  ): readonly unknown[] {
    return messages.flatMap((message, i) => {
      const made = this.#cut(message, partsOf(i), verdict);
      return made === undefined ? [] : [made];
    });
  }

  #cut(message: unknown, parts: readonly Part[], verdict: Verdict): unknown {
    const dropped = new Set<string>();
    const leaves = new Map<string, ReadonlyMap<string, string>>();
    for (const part of parts) {
      const text = verdict.replacement(part);
      if (verdict.isDropped(part)) dropped.add(part.slot);
      else if (text !== undefined)
        leaves.set(part.slot, new Map(part.leaves.map(({ id }, i) => [id, i === 0 ? text : ""])));
    }
    if (dropped.size === 0 && leaves.size === 0) return message;
    const key = `${[...dropped].join()}|${[...leaves.keys()].join()}`;
    const known = this.#made.get(message);
    if (known?.key === key) return known.message;
    const made = this.#format.rewrite(message, { leaves, dropped });
    this.#made.set(message, { key, message: made });
    return made;
  }
}
