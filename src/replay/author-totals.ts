import type { ReplayedRequest } from "./replay-segment.ts";

/** The tokens that one author's cuts removed from a session. */
export interface AuthorTotals {
  readonly author: string;
  readonly cuts: number;
  /** Tokens, each counted once. */
  readonly saved: number;
  /** Tokens times the requests that were sent without them, until the host's next compaction. */
  readonly spared: number;
}

export function addUpByAuthor(requests: readonly ReplayedRequest[]): readonly AuthorTotals[] {
  const last = new Map(requests.map(({ segment }, i) => [segment, i]));
  const mechanisms = new Map<string, AuthorTotals>();
  for (const [i, { segment, cuts }] of requests.entries()) {
    const times = (last.get(segment) ?? i) - i + 1;
    for (const { author, saved } of cuts) {
      const known = mechanisms.get(author) ?? { author, cuts: 0, saved: 0, spared: 0 };
      mechanisms.set(author, {
        author,
        cuts: known.cuts + 1,
        saved: known.saved + saved,
        spared: known.spared + saved * times,
      });
    }
  }
  return [...mechanisms.values()];
}
